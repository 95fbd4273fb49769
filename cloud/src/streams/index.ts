/** Event streams: what happens, told as it happens, to callers that may see it. */
export { Streams } from "./streams.ts";
