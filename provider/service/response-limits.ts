/* How much of a response is read. What is sent must fit as well, or it could never be read back. */

export const mebibyte = 1024 * 1024;

/** Deeper than anything that people write, and far from where a recursive walk crashes. */
export const deepest = 200;

/** For objects of the users' own, as large as they make them: records, tests, connections. */
export const ofUsers = { mostBytes: 4 * mebibyte, mostValues: 50_000 };

/** For a response of which the operations table says no more. A page of 100 members, the longest of them, has 1,700. */
export const usualValues = 20_000;
export const usualBytes = mebibyte;
