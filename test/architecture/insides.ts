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
    { modules: ["kit"], why: "a driver's author sees the kit only, so it knows no protocol and no link" },
    { modules: ["child"], why: "any driver can run elsewhere, so what carries it knows none" },
    { modules: ["management"], why: "what a person does with drivers is the same for every kind" },
    { modules: ["network"], why: "what is announced on the network is heard once, for every driver that wants it" },
    { modules: ["porchlight"], why: "our own device protocol is the same on every line" },
    {
      modules: ["serial", "lan", "mqtt", "shelly", "hue", "zwave", "esphome", "packages"],
      why: "each kind of line can be taken away alone",
    },
    { modules: ["."], why: "it makes the drivers that the settings ask for, so it knows all of them" },
  ],
  "agent/src/drivers/kit": [
    { modules: ["contract"], why: "what a driver is, and how a call to it ends, depends on no helper" },
    { modules: ["values", "kept"], why: "conversions are pure, and what is kept knows no device" },
    {
      modules: ["host"],
      why: "the hub's side of a driver: which devices it has, and what happens when the driver fails",
    },
    { modules: ["devices"], why: "what drivers with many devices or connections share" },
    { modules: ["judge"], why: "the suite of tests for every driver sees the kit as an author does" },
    { modules: ["."], why: "what the authors of drivers import, in one place" },
  ],
  "agent/src/drivers/child": [
    {
      modules: ["ipc"],
      why: "what is said between the agent and a child, and what carries it, is the same at both ends",
    },
    { modules: ["parent", "inside"], why: "the two ends: neither knows how the other does its work" },
    { modules: ["process"], why: "a real process is one way to have a child" },
  ],
  "agent/src/drivers/porchlight": [
    { modules: ["line"], why: "bytes in, frames out, and the counts of what was lost between" },
    { modules: ["exchange"], why: "one request and its answer: windows, tries, timers, and what an answer means" },
    { modules: ["device"], why: "one device behind a node: described, read, written, and what it reports" },
    { modules: ["session"], why: "a joined node, and the places where it has joined" },
    { modules: ["."], why: "the driver of one line, of which the other parts know nothing" },
  ],
  "agent/src/drivers/shelly": [
    { modules: ["description"], why: "what a device is does not depend on how it is reached" },
    { modules: ["rpc"], why: "requests, answers and notices are the same for every device" },
    { modules: ["device"], why: "one device is read, written and heard over a channel that it does not open" },
    { modules: ["."], why: "the driver: which devices there are, and how each is reached" },
  ],
  "agent/src/drivers/mqtt": [
    { modules: ["device"], why: "one device behind a broker is read, written and heard alike in every dialect" },
    { modules: ["template"], why: "a language knows no device of any dialect" },
    { modules: ["zigbee2mqtt", "tasmota", "home-assistant"], why: "each dialect can be taken away alone" },
    { modules: ["."], why: "one broker: its devices in all dialects, and the driver that speaks to them" },
  ],
  "agent/src/drivers/hue": [
    { modules: ["resources"], why: "what a bridge has is kept true whatever is made of it" },
    { modules: ["devices"], why: "what a resource says in terms of our classes is pure" },
    { modules: ["bridge"], why: "one bridge: its stream, its requests, and the devices behind it" },
    { modules: ["pairing"], why: "how a person pairs a bridge does not depend on what carries it" },
    { modules: ["clip"], why: "HTTPS is one way to a bridge; tests have another" },
    { modules: ["."], why: "all bridges of a home" },
  ],
  "agent/src/drivers/zwave": [
    { modules: ["values"], why: "a node and its values are the same whatever is made of them" },
    { modules: ["classes"], why: "what a command class is in terms of our classes is pure" },
    { modules: ["description"], why: "a device is its classes together, on all endpoints" },
    { modules: ["server"], why: "commands, answers and events are the same for every node" },
    { modules: ["device"], why: "one node is read, written and heard over a connection that it does not open" },
    { modules: ["."], why: "the network: its server, and which devices it has" },
  ],
  "agent/src/drivers/esphome": [
    { modules: ["wire"], why: "frames, encryption and messages know nothing of what an entity is in a home" },
    { modules: ["description"], why: "what an entity is does not depend on how its device is reached" },
    { modules: ["device"], why: "one device is read, written and heard over a channel that it does not open" },
    { modules: ["."], why: "the driver: which devices there are, and how each is reached" },
  ],
  "agent/src/drivers/mqtt/home-assistant": [
    { modules: ["discovery"], why: "a message spelled out is the same whatever it describes" },
    { modules: ["entities"], why: "options, templates and values are those of every component" },
    { modules: ["components"], why: "what one kind of entity can do, each by itself" },
    { modules: ["devices"], why: "entities joined into devices" },
    { modules: ["."], why: "the dialect: what was described last, and the devices made of it" },
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
  "cloud/src/ops": [
    { modules: ["audit"], why: "the audit kept, verified and read" },
    { modules: ["activity"], why: "commands, requests and incidents, counted by time" },
    { modules: ["requests"], why: "what is counted and kept of every request" },
    { modules: ["versions"], why: "which versions of the API are asked for, and who is told of a coming one" },
    { modules: ["."], why: "health, metrics, quotas in use, outages" },
  ],
  "cloud/src/accounts": [
    { modules: ["passwords"], why: "passwords, codes and addresses, and how often they may be tried" },
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
