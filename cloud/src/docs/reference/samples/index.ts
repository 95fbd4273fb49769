/** The samples of all operations. */
import { ACCESS } from "./access.ts";
import { ACCOUNTS } from "./accounts.ts";
import { DEVICES } from "./devices.ts";
import type { Samples } from "./sample.ts";

export type { Sample } from "./sample.ts";

/** By operation ID. */
export const SAMPLES: Samples = { ...ACCOUNTS, ...DEVICES, ...ACCESS };
