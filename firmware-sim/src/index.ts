/** What tests and tools of other packages take from the simulator. */
export * from "./control.ts";
export * from "./devices/behaviour.ts";
export * from "./devices/definition.ts";
export { KINDS, type Kind } from "./devices/kinds.ts";
export { type Definitions, readDefinitions } from "./devices/read-definitions.ts";
export { type AppliedWrite, SimulatedDevice, type Where } from "./devices/simulated-device.ts";
export type { DeviceFault } from "./faults/device-fault.ts";
export { faultyLink, type Noise } from "./faults/faulty-link.ts";
export { memoryLinks } from "./links/memory-link.ts";
export { openPty, type PtyPort } from "./links/pty-link.ts";
export { type NodeDeps, SimulatedNode } from "./node/simulated-node.ts";
export type { Trace, TraceEvent } from "./node/trace.ts";
export { type Port, type RunningNode, Simulator, type SimulatorDeps } from "./simulator.ts";
