/* How much of an answer is read. What is sent must fit as well, or it could never be read back. */

export const mebibyte = 1024 * 1024;

/** An object is checked in one go. */
export const mostFields = 12_000;
/** Deeper than anything that people write, and far from where a recursive walk ends: in a crash. */
export const deepest = 200;

/** Of objects of the users' own, as large as they make them: records, tests, connections. */
export const ofUsers = { mostBytes: 4 * mebibyte, mostValues: 50_000 };
