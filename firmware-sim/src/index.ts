/** What tests and tools of other packages take from the simulator. */
export { proveHub } from "./conform/hub/prove-hub.ts";
export { proveNode } from "./conform/prove-node.ts";
export { brokenRules, type RuleReport } from "./conform/rule.ts";
export { ruleTexts } from "./conform/rule-texts.ts";
export { readDefinitions } from "./devices/file/read-definitions.ts";
export type { SimulatedDevice } from "./devices/simulated-device.ts";
export { FuzzedBoard } from "./fuzz/board.ts";
export { type Fuzzed, type FuzzOptions, fuzz } from "./fuzz/fuzz.ts";
export { Hub } from "./fuzz/hub.ts";
export { Inputs } from "./fuzz/inputs.ts";
export { memoryLinks } from "./links/memory-link.ts";
export { SimulatedNode } from "./node/simulated-node.ts";
