/** What tests and tools of other packages take from the simulator. */
export { readDefinitions } from "./devices/read-definitions.ts";
export type { SimulatedDevice } from "./devices/simulated-device.ts";
export { memoryLinks } from "./links/memory-link.ts";
export { SimulatedNode } from "./node/simulated-node.ts";
