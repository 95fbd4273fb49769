/** Bounds of frames: for their schemas, and for what looks at frequent frames without them. */

/** Records of one frame. */
export const MOST_RECORDS = 500;
/** An ID of a command, a request or a scene, characters. */
export const LONGEST_ID = 64;
