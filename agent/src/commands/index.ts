/** The front of commands: executed at most once, in time, in order per property, from cloud and home alike. */
export { Overloaded, refusal } from "./command-ends.ts";
export { Commands, carryOutTogether, type ExecutionPermit, NoListener, type ReadResult } from "./commands.ts";
export { heard, NOTHING_HEARD, toMonotonic } from "./connection-time.ts";
export { DeviceAvailability } from "./device-availability.ts";
export { DeviceHost } from "./device-host.ts";
export { DoubtfulValues } from "./doubtful-values.ts";
export { identify } from "./identify.ts";
