/** The REST API in zod: one schema per resource validates, serialises and documents it. */
export * from "./access-entry.ts";
export * from "./account.ts";
export * from "./client.ts";
export * from "./command.ts";
export * from "./device.ts";
export * from "./ecosystem.ts";
export * from "./environment.ts";
export * from "./fields.ts";
export * from "./login.ts";
export * from "./page.ts";
export * from "./problem.ts";
export * from "./property-item.ts";
export * from "./server.ts";
export * from "./service.ts";
export * from "./time.ts";
export * from "./token.ts";
export * from "./user.ts";
