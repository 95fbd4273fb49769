/** The REST API in zod: one schema per resource validates, serialises and documents it. */
export { formatTime, parseTime } from "../kernel/index.ts";
export * from "./access.ts";
export * from "./account.ts";
export * from "./activity.ts";
export * from "./alert.ts";
export * from "./device.ts";
export * from "./fields.ts";
export * from "./grant.ts";
export * from "./history.ts";
export * from "./hub.ts";
export * from "./login.ts";
export * from "./pairing.ts";
export * from "./place.ts";
export * from "./property.ts";
export * from "./scene.ts";
export * from "./sink.ts";
export * from "./webhook.ts";
export * from "./why.ts";
