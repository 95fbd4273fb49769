/** Several nodes over one database: what they tell each other, and what they ask of each other. */
export { type Calls, NoAnswer, NobodyThere, NotHere } from "./calls.ts";
export { dropOldEndings, storeEnding } from "./endings.ts";
export type { Followed } from "./follower.ts";
export { NOBODY, type Tells } from "./news.ts";
export { ThisNode } from "./node.ts";
export type { EndingNote, Note } from "./notes.ts";
export { NO_OTHERS, type Others } from "./others.ts";
