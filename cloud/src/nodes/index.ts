/** Several nodes over one database: what they tell each other, and what they ask of each other. */
export { type CallLimits, Calls, NoAnswer, NobodyThere, NotHere } from "./calls.ts";
export { dropOldEndings, storeEnding } from "./endings.ts";
export { type Followed, Follower } from "./follower.ts";
export { NewsTeller, NOBODY, type Tells } from "./news.ts";
export type { EndingNote, Note } from "./notes.ts";
