/** The samples of all operations. */
import { ACCESS } from "./access.ts";
import { ACCOUNTS, type Samples } from "./accounts.ts";
import { DEVICES } from "./devices.ts";

export type { Sample } from "./accounts.ts";

/** By operation ID. */
export const SAMPLES: Samples = { ...ACCOUNTS, ...DEVICES, ...ACCESS };
