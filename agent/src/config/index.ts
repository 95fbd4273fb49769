/** The configuration of a hub: its settings, folder, identity and token. */

export {
  type Identity,
  IdentityUnusable,
  openHub,
  readEdgeId,
  type TokenStore,
  TokenUnusable,
  tokenFile,
  writePrivateFile,
} from "./identity.ts";
export { AGENT_VERSION, isMachineClockSet, machineBoot } from "./machine.ts";
export {
  type AgentSettings,
  agentSettings,
  type DriverSettings,
  type OwnSettings,
  packageSettings,
} from "./settings.ts";
