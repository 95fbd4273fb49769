/** Devices with Porchlight's own protocol: the drivers of a serial line, of the network, and of any other line. */
export { FrameLog } from "./frames/frame-log.ts";
export { LanDriver, type LanDriverDeps } from "./lan/lan-driver.ts";
export { type LineDriver, linkDriver } from "./link-driver.ts";
export { serialDriver } from "./serial/serial-driver.ts";
