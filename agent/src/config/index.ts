/** What a hub is configured with: settings, its folder, its identity and its token. */
export { machineBoot } from "./boot.ts";
export { type DriverSettings, type OwnDriverSettings, type OwnSettings, packageSettings } from "./driver-settings.ts";
export type { EspHomeSettings } from "./drivers/esphome.ts";
export type { HueSettings } from "./drivers/hue.ts";
export type { MqttSettings } from "./drivers/mqtt.ts";
export type { ShellySettings } from "./drivers/shelly.ts";
export type { ZwaveSettings } from "./drivers/zwave.ts";
export { openHub } from "./hub-folder.ts";
export { type Identity, IdentityUnusable, readEdgeId } from "./identity.ts";
export { isMachineClockSet } from "./machine-clock.ts";
export { writePrivateFile } from "./private-file.ts";
export { type AgentSettings, agentSettings } from "./settings.ts";
export { type TokenStore, TokenUnusable, tokenFile } from "./token.ts";
export { AGENT_VERSION } from "./version.ts";
