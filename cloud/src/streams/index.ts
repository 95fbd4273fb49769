/** Event streams: what happens, told as it happens, to whoever may see it. */
export { Streams } from "./streams.ts";
