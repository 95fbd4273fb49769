/** Devices with Porchlight's own protocol: the drivers of a serial line, of the network, and of any other line. */

export { LanDriver, type LanDriverDeps } from "./lan-driver.ts";
export { FrameLog } from "./line/frame-log.ts";
export { type LineDriver, linkDriver } from "./link-driver.ts";
export { serialDriver } from "./serial-driver.ts";
