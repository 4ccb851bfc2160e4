/* How much of a response is read. Submitted data must stay within it too, or it could not be read back. */

export const mebibyte = 1024 * 1024;

/** For the user's own objects: records, tests, connections. */
export const maxUserBytes = 4 * mebibyte;
