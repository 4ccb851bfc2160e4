/* How much of a response is read. Submitted data must stay within it too, or it could not be read back. */

export const mebibyte = 1024 * 1024;

/** Deeper than any real data, and far from the depth at which recursion overflows the stack. */
export const deepest = 200;

/** For the user's own objects: records, tests, connections. */
export const ofUsers = { mostBytes: 4 * mebibyte, mostValues: 50_000 };

/** The default. The largest usual response, a page of 100 members, has 1,700 values. */
export const usualValues = 20_000;
