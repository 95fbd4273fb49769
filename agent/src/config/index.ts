/** What a hub is configured with: settings, its folder, its identity and its token. */
export { machineBoot } from "./boot.ts";
export { type DriverSettings, type OwnSettings, packageSettings } from "./driver-settings.ts";
export { openHub } from "./hub-folder.ts";
export { type Identity, IdentityUnusable, readEdgeId } from "./identity.ts";
export { isMachineClockSet } from "./machine-clock.ts";
export { writePrivateFile } from "./private-file.ts";
export { type AgentSettings, agentSettings } from "./settings.ts";
export { type TokenStore, TokenUnusable, tokenFile } from "./token.ts";
export { AGENT_VERSION } from "./version.ts";
