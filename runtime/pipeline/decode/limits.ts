/** Limits on a request body (D-10). */
export const bodyBytesMax = 256 * 1024;
/** Nesting of objects and arrays; the outermost value is at depth 1. */
export const depthMax = 32;
/** Unicode code points of one string, keys included. */
export const stringCharactersMax = 4096;
export const arrayItemsMax = 1000;
/** Unicode code points of a request `id` (D-09). */
export const idCharactersMax = 128;
/** The member whose text may hold CR and LF, folded: a PEM block has lines (D-47). */
export const multilineName = "publickey";
