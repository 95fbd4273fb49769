/** For tests in which it does not matter what is not known of a device's values. */
import type { Doubts } from "./commands.ts";

export const NO_DOUBTS: Doubts = { moment: 0, raise: () => undefined, known: () => undefined, has: () => false };
