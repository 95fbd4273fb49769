/** `porchlight events`: what happens, as it happens. */
import { eventsTail } from "./events-tail.ts";

export const events = [eventsTail];
