/** The table of commands: help, completion, documents and tests are made of it. A command's module is loaded when it is wanted. */
import type { Entry } from "../session/command.ts";

/** In the order in which help shows them. */
export const ENTRIES: readonly Entry[] = [
  {
    name: "login",
    summary: "Logs in with e-mail and password, and keeps the token",
    section: "Begin",
    load: async () => (await import("./login.ts")).login,
  },
  {
    name: "logout",
    summary: "Ends the log-in, here and at the service",
    section: "Begin",
    load: async () => (await import("./logout.ts")).logout,
  },
  {
    name: "whoami",
    summary: "Shows as whom, and where, you are logged in",
    section: "Begin",
    load: async () => (await import("./whoami.ts")).whoami,
  },
  {
    name: "profiles",
    summary: "Several services or accounts side by side",
    section: "Begin",
    load: async () => (await import("./profiles.ts")).profiles,
  },
  {
    name: "devices",
    summary: "What can be read and set",
    section: "Devices",
    load: async () => (await import("./devices.ts")).devices,
  },
  {
    name: "hubs",
    summary: "The boxes in homes through which devices are reached",
    section: "Devices",
    load: async () => (await import("./clients.ts")).hubs,
  },
  {
    name: "services",
    summary: "The standard service classes",
    section: "Devices",
    load: async () => (await import("./service.ts")).services,
  },
  {
    name: "commands",
    summary: "What became of writes",
    section: "Devices",
    load: async () => (await import("./commands.ts")).commands,
  },
  {
    name: "ecosystems",
    summary: "What an account owns",
    section: "Places",
    load: async () => (await import("./ecosystems.ts")).ecosystems,
  },
  {
    name: "environments",
    summary: "Homes and other places with devices",
    section: "Places",
    load: async () => (await import("./environments.ts")).environments,
  },
  {
    name: "zones",
    summary: "Devices and zones under one name",
    section: "Places",
    load: async () => (await import("./zones.ts")).zones,
  },
  {
    name: "accounts",
    summary: "Your account: sign-up, password, log-ins",
    section: "People and programs",
    load: async () => (await import("./accounts.ts")).accounts,
  },
  {
    name: "users",
    summary: "Whom your own server vouches for, and what they may reach",
    section: "People and programs",
    load: async () => (await import("./users.ts")).users,
  },
  {
    name: "servers",
    summary: "Programs of yours with unrestricted access",
    section: "People and programs",
    load: async () => (await import("./servers.ts")).servers,
  },
  {
    name: "clients",
    summary: "Installed things that act for an environment: hubs, by their name in the API",
    section: "People and programs",
    load: async () => (await import("./clients.ts")).clients,
  },
  {
    name: "tokens",
    summary: "What users, servers and clients call with",
    section: "People and programs",
    load: async () => (await import("./tokens.ts")).tokens,
  },
  {
    name: "pairings",
    summary: "How hubs come in, step by step",
    section: "People and programs",
    load: async () => (await import("./pairings.ts")).pairings,
  },
  {
    name: "webhooks",
    summary: "Events sent to a server of yours",
    section: "Events",
    load: async () => (await import("./webhooks.ts")).webhooks,
  },
  {
    name: "audit",
    summary: "Who did what, from where",
    section: "The service",
    load: async () => (await import("./service.ts")).audit,
  },
  {
    name: "requests",
    summary: "The request log",
    section: "The service",
    load: async () => (await import("./service.ts")).requests,
  },
  {
    name: "quotas",
    summary: "How many there may be of what",
    section: "The service",
    load: async () => (await import("./service.ts")).quotas,
  },
  {
    name: "openapi",
    summary: "Shows the OpenAPI document",
    section: "The service",
    load: async () => (await import("./service.ts")).openapi,
  },
  {
    name: "api",
    summary: "Sends any request of the API as it is",
    section: "Else",
    load: async () => (await import("./api.ts")).api,
  },
  {
    name: "get",
    summary: "Shows a property of a device, as known or read now",
    section: "Devices",
    load: async () => (await import("./get.ts")).get,
  },
  {
    name: "set",
    summary: "Sets a property of a device, and waits until it has confirmed",
    section: "Devices",
    load: async () => (await import("./set.ts")).set,
  },
  {
    name: "watch",
    summary: "Shows values as they change",
    section: "Devices",
    load: async () => (await import("./watch.ts")).watch,
  },
  {
    name: "events",
    summary: "What happens, as it happens",
    section: "Events",
    load: async () => (await import("./events.ts")).events,
  },
];
