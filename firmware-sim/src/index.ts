/** The parts of the simulator that tests and tools of other packages use. */
export { proveHub } from "./lab/conform/hub/prove-hub.ts";
export { proveNode } from "./lab/conform/prove-node.ts";
export { brokenRules, type RuleReport, ruleTexts } from "./lab/conform/rule.ts";
export { FuzzedBoard } from "./lab/fuzz/board.ts";
export { type Fuzzed, type FuzzOptions, fuzz, Inputs } from "./lab/fuzz/fuzz.ts";
export { Hub } from "./lab/fuzz/hub.ts";
export { readDefinitions } from "./simulator/devices/read-definitions.ts";
export type { SimulatedDevice } from "./simulator/devices/simulated-device.ts";
export { memoryLinks } from "./simulator/links/memory-link.ts";
export { SimulatedNode } from "./simulator/node/simulated-node.ts";
