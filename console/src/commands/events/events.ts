/** `porchlight events`: what has happened, and what happens. */
import { eventsList } from "./events-list.ts";
import { eventsTail } from "./events-tail.ts";

export const events = [eventsList, eventsTail];
