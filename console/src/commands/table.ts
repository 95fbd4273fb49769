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
];
