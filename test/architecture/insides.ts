/** The folders inside modules, as data: which may import which, and what each holds. `table.ts` says the same of modules. */
import type { RankRow } from "./table.ts";

/** Packages whose modules are imported through their `index.ts` only. The others are programs and pages whose parts are loaded one by one. */
export const THROUGH_INDEX: readonly string[] = ["agent", "cloud", "shared"];

/**
 * By the folder's path: the folders in it, and "." for its own files; each imports only from rows above its own. An `index.ts` needs no row.
 * A folder of such a folder may have a table too.
 */
export const INSIDES: Readonly<Record<string, readonly RankRow[]>> = {
  "agent/src/drivers": [
    { modules: ["child"], why: "any driver can run elsewhere, so what carries it knows none" },
    { modules: ["management"], why: "what a person does with drivers is the same for every kind" },
    { modules: ["packages"], why: "drivers that are installed, each in a child, can be taken away alone" },
    { modules: ["."], why: "it makes the drivers that the settings ask for, so it knows all of them" },
  ],
  "agent/src/drivers/child": [
    {
      modules: ["ipc"],
      why: "what is said between the agent and a child, and what carries it, is the same at both ends",
    },
    { modules: ["parent", "inside"], why: "the two ends: neither knows how the other does its work" },
    { modules: ["process"], why: "a real process is one way to have a child" },
  ],
  "drivers/mqtt/src/home-assistant": [
    { modules: ["discovery"], why: "a message spelled out is the same whatever it describes" },
    { modules: ["entities"], why: "options, templates and values are those of every component" },
    { modules: ["components"], why: "what one kind of entity can do, each by itself" },
    { modules: ["devices"], why: "entities joined into devices" },
    { modules: ["."], why: "the dialect: what was described last, and the devices made of it" },
  ],
  "firmware-sim/src/simulator": [
    {
      modules: ["links", "faults", "time"],
      why: "bytes, their damage and the pace of time know nothing of what they carry",
    },
    { modules: ["devices"], why: "how a device behaves does not depend on the line that it hangs on" },
    { modules: ["node"], why: "what stands on a line and fronts devices" },
    {
      modules: ["."],
      why: "the composition root: nodes on their ports, and the commands that a person or a test gives",
    },
    { modules: ["scenario"], why: "what a file makes of those commands, one after another" },
  ],
  "firmware-sim/src/lab": [
    { modules: ["conform"], why: "it asks somebody else's device or hub, and shares nothing but lines with ours" },
    { modules: ["capture"], why: "what has passed on a line in words: it knows the rules, and nobody's device" },
    { modules: ["fuzz"], why: "what nobody should say, and what came of it: a finding is a capture" },
    { modules: ["shell"], why: "a hub for one board: its commands use the words of a scenario" },
    { modules: ["soak"], why: "those commands for hours, and the limits of a team" },
  ],
  "cloud/src/devices": [
    { modules: ["device"], why: "one device: its row, its resource, its events, and the statements that change it" },
    { modules: ["values"], why: "what a learned value changes, and how it is stored" },
    { modules: ["cache"], why: "environments in memory, and reads of devices under way" },
    { modules: ["commands"], why: "commands as rows: stored, ended once, told" },
    { modules: ["queue"], why: "commands that are open: handed to a hub when it is back, asked about, expired" },
    { modules: ["relay"], why: "how a read or a write gets to the hub, from this node or another" },
    { modules: ["properties"], why: "properties read and set by callers" },
    { modules: ["registry"], why: "devices made, listed, changed and deleted, and what hubs are told of their names" },
    { modules: ["ingest"], why: "what hubs say, turned into write jobs" },
    { modules: ["."], why: "the module as a whole" },
  ],
  "cloud/src/tunnels": [
    { modules: ["node"], why: "this node among the others: its lease, theirs, and whether it is being replaced" },
    { modules: ["presence"], why: "what is known of a hub's connection, now and after it ended" },
    { modules: ["session"], why: "one tunnel after its hello: what is asked and said through it, and how much" },
    { modules: ["handshake"], why: "from the first byte of a connection to its welcome" },
    { modules: ["."], why: "all tunnels of this node" },
    { modules: ["gateway"], why: "where hubs connect: upgrades let in, refused or sent on" },
  ],
  "cloud/src/webhooks": [
    { modules: ["log"], why: "which events go to a webhook, and how far it has come in the log" },
    { modules: ["ownership"], why: "which node sends which webhooks" },
    { modules: ["transport"], why: "one delivery to a receiver that is not trusted" },
    { modules: ["rows"], why: "webhooks and deliveries in the store, and as they are answered" },
    {
      modules: ["management"],
      why: "webhooks registered and changed, deliveries listed and repeated, by their owners",
    },
    { modules: ["delivery"], why: "workers that send what is due, and record what became of it" },
  ],
  "cloud/src/alerts": [
    {
      modules: ["decisions"],
      why: "what is wrong, what opens and ends, what is mailed and when: nothing but decisions",
    },
    { modules: ["rows"], why: "alerts and settings in the store, and what is looked at there" },
    { modules: ["work"], why: "what looks, judges and mails, on one node at a time" },
    { modules: ["."], why: "alerts as their owners list, set and test them" },
  ],
  "cloud/src/exports": [
    { modules: ["rows"], why: "exports and their chunks in the store" },
    { modules: ["exporters"], why: "what is kept of an account, one kind of thing after another" },
    { modules: ["archive"], why: "files, made into a zip archive, and the archive into chunks" },
    { modules: ["."], why: "exports as accounts start and download them, and who makes them" },
  ],
  "cloud/src/access": [
    { modules: ["."], why: "who is calling, and who is told when that ends" },
    { modules: ["sealing"], why: "what is stored sealed, and the keys that seal it" },
    { modules: ["audit"], why: "who did what to which object, in chains" },
    { modules: ["limits"], why: "quotas, and limits that hold over all nodes" },
    { modules: ["idempotency"], why: "requests that are repeated by their key" },
    { modules: ["references"], why: "which object a reference names, where it is, and what contains it" },
    { modules: ["credentials"], why: "tokens made, checked and ended, and what they may touch" },
  ],
  "cloud/src/store": [
    { modules: ["tables"], why: "every table, as Kysely sees it" },
    { modules: ["sql"], why: "statements, and the names of what a database refuses" },
    { modules: ["migrations"], why: "the versions of the schema, oldest first" },
    { modules: ["postgres"], why: "PostgreSQL as the store: two pools" },
    { modules: ["sqlite"], why: "SQLite as the store: one writer, one reader" },
    {
      modules: ["writes"],
      why: "the write coordinator: jobs of an ecosystem one after another, many in one transaction",
    },
    { modules: ["opening"], why: "a database made, claimed, checked, copied and brought to the present schema" },
    { modules: ["."], why: "the store as a whole in this module" },
  ],
  "cloud/src/http": [
    { modules: ["limits"], why: "where requests come from, and how much of the service each may use" },
    { modules: ["routing"], why: "how a route is declared, and what each request is checked for" },
    { modules: ["openapi"], why: "the OpenAPI document, made from the declarations" },
    { modules: ["."], why: "the server and what holds for all requests" },
    { modules: ["routes"], why: "the routes: parse, ask, answer" },
  ],
  "cloud/src/http/routes": [
    { modules: ["."], why: "what the routes of all objects share, and routes of the service itself" },
    { modules: ["devices"], why: "devices, their properties, and commands" },
    {
      modules: ["accounts", "places", "access", "events"],
      why: "the other resources: the routes of one know nothing of another's",
    },
  ],
  "cloud/src/docs": [
    { modules: ["frame"], why: "how any document becomes a page" },
    { modules: ["reference"], why: "the pages that are made from the OpenAPI document" },
    { modules: ["."], why: "all documents under their addresses" },
  ],
  "cloud/src/docs/reference": [
    { modules: ["samples"], why: "what is said of each operation by hand" },
    { modules: ["."], why: "the document read, and each operation as text and as a page" },
  ],
  "cloud/src/history": [
    { modules: ["rows"], why: "what is stored knows neither who writes it nor who reads it" },
    { modules: ["recording", "reading"], why: "the log is recorded, and history is read, each without the other" },
    { modules: ["."], why: "it runs by itself, and is asked as a whole" },
  ],
  "cloud/src/sinks": [
    { modules: ["lines", "rows"], why: "the protocol and what is stored, each without the other" },
    { modules: ["delivery"], why: "from the log to the receiver, whoever has set it" },
    { modules: ["management"], why: "a sink set, shown, tested and deleted" },
    { modules: ["."], why: "sinks as the rest of the service sees them" },
  ],
  "cloud/src/ops": [
    { modules: ["audit"], why: "the audit kept, verified and read" },
    { modules: ["activity"], why: "commands, requests and incidents, counted by time" },
    { modules: ["storage"], why: "how many bytes the data of an account takes, which bounds what is kept" },
    { modules: ["requests"], why: "what is counted and kept of every request" },
    { modules: ["versions"], why: "which versions of the API are asked for, and who is told of a coming one" },
    { modules: ["."], why: "health, metrics, quotas in use, outages" },
  ],
  "cloud/src/accounts": [
    { modules: ["passwords"], why: "passwords, codes and addresses, and how often they may be tried" },
    { modules: ["recovery"], why: "what has access beside log-ins, and how it is ended when a password is reset" },
    { modules: ["log-ins"], why: "log-ins, sessions and forgotten passwords" },
    { modules: ["subjects"], why: "users, servers, and the tokens of both" },
    { modules: ["."], why: "accounts made, changed and erased" },
  ],
  "agent/src/uplink": [
    { modules: ["socket"], why: "a WebSocket to the cloud, dialled and cut" },
    { modules: ["tunnel"], why: "one connection from its hello to its end: lease, commands, inventory, records" },
    { modules: ["."], why: "connections one after another, and what is known of the present one" },
  ],
  "agent/src/local-api": [
    { modules: ["server"], why: "requests let in, read and answered" },
    { modules: ["streams"], why: "events as they are streamed at home" },
    { modules: ["routes"], why: "what may be asked at home: devices, values, writes, events" },
  ],
  "agent/src/scenes": [
    { modules: ["times"], why: "when a trigger is due is reckoned without knowing what it calls" },
    { modules: ["."], why: "scenes called by buttons, times and the sun" },
  ],
  "agent/src/publish": [
    { modules: ["messages"], why: "topics and payloads are the same whatever an entity makes of them" },
    { modules: ["entities"], why: "descriptions of devices as Home Assistant's discovery has them: pure" },
    { modules: ["running"], why: "what is told on the broker, and what is done for what is set there" },
  ],
  "agent/src/ops": [
    { modules: ["status"], why: "how the hub is, as data, in words and as metrics" },
    { modules: ["logs"], why: "log files written, found and read" },
    { modules: ["control"], why: "what a command asks of the agent that runs" },
    { modules: ["."], why: "backups, checks, and the service manager" },
    { modules: ["maintenance"], why: "what the cloud asks of the hub itself is answered by all of them" },
  ],
  "agent/src/state": [
    { modules: ["database"], why: "the database file: its tables, checksums and damage" },
    { modules: ["rows"], why: "one table each: devices, values, journal, outbox, and what there is once" },
    { modules: ["home"], why: "what the API at home needs: names, tokens, its log" },
    { modules: ["kept"], why: "what drivers keep, encrypted, and which devices people have admitted" },
    { modules: ["series"], why: "what properties were: recorded, kept for ten days, read" },
    { modules: ["."], why: "the state as a whole, its history, and what is forgotten" },
  ],
  "shared/src/kernel": [
    { modules: ["errors"], why: "every error by its name" },
    { modules: ["time"], why: "clocks, real and virtual, and what is written of time" },
    { modules: ["ids"], why: "IDs and random numbers" },
    { modules: ["collections"], why: "maps, queues and buckets with a bound" },
    { modules: ["concurrency"], why: "waiting, ordering, ending and trying again" },
  ],
  "shared/src/rest": [
    { modules: ["."], why: "what all answers have: metadata, problems, tokens" },
    { modules: ["references"], why: "how a reference is written, and what is answered to one that names nothing" },
    { modules: ["request"], why: "what a request says: body, query and headers" },
    { modules: ["limits"], why: "how often a caller may ask" },
    { modules: ["events"], why: "events as they are streamed" },
    { modules: ["properties"], why: "properties read and written through the API" },
    { modules: ["history"], why: "what properties were, in pages and lines, over whatever keeps it" },
    { modules: ["drivers"], why: "what is asked of a hub's drivers through the API" },
  ],
  "portal/src/kit": [
    { modules: ["lazy"], why: "what is loaded when somebody wants it, such as the words of a hint" },
    { modules: ["text"], why: "times, names, quantities and values in words" },
    { modules: ["display"], why: "what shows something: icons, ids, tables, states, failures" },
    { modules: ["forms"], why: "what asks for something: fields, dialogs, buttons" },
    { modules: ["metadata"], why: "metadata edited, and two changes of it brought together" },
  ],
  "portal/src/charts": [
    { modules: ["plan"], why: "what is drawn of an answer, and which time: pure" },
    { modules: ["canvas"], why: "drawing a plan, and what mouse and fingers mean" },
    { modules: ["series"], why: "the history of properties, fetched and continued by what is told live" },
    { modules: ["controls"], why: "the buttons of a chart" },
    { modules: ["."], why: "the chart, its legend and its table" },
  ],
  "console/src/commands": [
    { modules: ["objects"], why: "the verbs that all objects have, and their tables" },
    { modules: ["events"], why: "what happens, as it happens or as a webhook brings it" },
    { modules: ["access"], why: "log-ins, profiles, and hubs let in" },
    { modules: ["values"], why: "properties read and set" },
    { modules: ["owned"], why: "what an account owns in this module" },
    { modules: ["tools"], why: "requests by hand, completion, and what the service tells of itself" },
    { modules: ["."], why: "the table of commands" },
  ],
};
