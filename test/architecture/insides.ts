/** The folders inside modules, as data: which may import which, and what each holds. `table.ts` states the same of modules. */
import type { RankRow } from "./table.ts";

/** Packages whose modules are imported through their `index.ts` only. The others are programs and pages whose parts are loaded one by one. */
export const THROUGH_INDEX: readonly string[] = ["agent", "cloud", "shared"];

/**
 * By the folder's path: the folders in it; each imports only from rows above its own. A folder of such a folder may have a table too. The
 * files directly in the folder have no rank: they import and are imported by its folders, and no ring may form.
 */
export const INSIDES: Readonly<Record<string, readonly RankRow[]>> = {
  "agent/src/drivers": [
    { modules: ["child"], why: "any driver can run elsewhere, so what carries it knows none" },
    { modules: ["packages"], why: "drivers that are installed, each in a child, can be taken away alone" },
  ],
  "firmware-sim/src/simulator": [
    {
      modules: ["links"],
      why: "bytes, their damage and the pace of time know nothing of what they carry",
    },
    { modules: ["devices"], why: "how a device behaves does not depend on the line that it hangs on" },
    { modules: ["node"], why: "what stands on a line and fronts devices" },
  ],
  "firmware-sim/src/lab": [
    { modules: ["conform"], why: "it tests a third-party device or hub, and shares nothing but lines with ours" },
    { modules: ["capture"], why: "the frames of a line in words: it knows the rules, and no device" },
    { modules: ["fuzz"], why: "malformed frames and their effects: a finding is a capture" },
    { modules: ["shell"], why: "a hub for one board: its commands use the words of a scenario" },
  ],
  "cloud/src/devices": [
    { modules: ["commands"], why: "commands as rows: stored, ended once, reported" },
    { modules: ["relay"], why: "how a read or a write gets to the hub, from this node or another" },
    { modules: ["properties"], why: "properties read and set by callers" },
    { modules: ["ingest"], why: "reports of hubs, turned into write jobs" },
  ],
  "cloud/src/store": [
    { modules: ["tables"], why: "every table, as Kysely sees it" },
    { modules: ["sql"], why: "statements, and the names of what a database refuses" },
    { modules: ["migrations"], why: "the versions of the schema, oldest first" },
    {
      modules: ["writes"],
      why: "the write coordinator: jobs of an ecosystem one after another, many in one transaction",
    },
    { modules: ["postgres"], why: "PostgreSQL as the store: two pools, and transactions over several ecosystems" },
  ],
  "cloud/src/http": [
    { modules: ["routing"], why: "how a route is declared, and what each request is checked for" },
    { modules: ["routes"], why: "the routes: parse, ask, answer" },
  ],
  "cloud/src/http/routes": [
    { modules: ["devices"], why: "devices, their properties, and commands" },
    {
      modules: ["accounts", "places", "access", "events"],
      why: "the other resources: the routes of one know nothing of another's",
    },
  ],
  "cloud/src/ops": [
    { modules: ["activity"], why: "commands, requests and incidents, counted by time" },
    { modules: ["requests"], why: "counters and records of every request" },
  ],
  "agent/src/state": [
    { modules: ["rows"], why: "one table each: devices, values, journal, outbox, and what there is once" },
    { modules: ["series"], why: "what properties were: recorded, kept for ten days, read" },
  ],
  "shared/src/kernel": [
    { modules: ["errors"], why: "every error by its name" },
    { modules: ["time"], why: "clocks, real and virtual, and text forms of time" },
    { modules: ["concurrency"], why: "waiting, ordering, ending and trying again" },
  ],
  "shared/src/rest": [
    { modules: ["request"], why: "the parts of a request: body, query and headers" },
    { modules: ["properties"], why: "properties read and written through the API" },
  ],
  "portal/src/kit": [
    { modules: ["text"], why: "times, names, quantities and values in words" },
    { modules: ["display"], why: "what shows something: icons, ids, tables, states, failures" },
    { modules: ["forms"], why: "what asks for something: fields, dialogs, buttons" },
  ],
  "console/src/commands": [
    { modules: ["events"], why: "what happens, as it happens or as a webhook brings it" },
    { modules: ["access"], why: "log-ins, profiles, and hubs let in" },
    { modules: ["tools"], why: "requests by hand, completion, and the service's description of itself" },
    { modules: ["owned"], why: "what an account owns in this module" },
  ],
};
