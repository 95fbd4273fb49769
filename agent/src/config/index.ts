/** The configuration of a hub: its settings, folder, identity and token. */
export { machineBoot } from "./boot.ts";
export { openHub } from "./hub-folder.ts";
export {
  type Identity,
  IdentityUnusable,
  readEdgeId,
  type TokenStore,
  TokenUnusable,
  tokenFile,
  writePrivateFile,
} from "./identity.ts";
export { isMachineClockSet } from "./machine-clock.ts";
export {
  type AgentSettings,
  agentSettings,
  type DriverSettings,
  type OwnSettings,
  packageSettings,
} from "./settings.ts";
export { AGENT_VERSION } from "./version.ts";
