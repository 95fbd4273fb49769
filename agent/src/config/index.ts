/** What a hub is configured with: settings, its folder, its identity and its token. */
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
