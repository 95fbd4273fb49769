/** Bounds of frames: for their schemas, and for the checks of frequent frames that work without schemas. */

/** Records of one frame. */
export const MOST_RECORDS = 500;
/** Longest ID of a command, a request or a scene, characters. */
export const LONGEST_ID = 64;
