/** Who may import whom, as data. `docs/architecture.md` says the same in sentences; each row says why it is so. */

export interface PackageRow {
  readonly package: string;
  /** Packages, or modules of `shared`, that it may import. */
  readonly may: readonly string[];
  /** Where only `import type` is allowed. */
  readonly typesOnly?: readonly string[];
  readonly why: string;
}

const BOTH_ENDS = [
  ...["shared/events", "shared/kernel", "shared/model", "shared/api", "shared/history"],
  ...["shared/rest", "shared/tunnel"],
];

/** Between packages. A package without a row may import no other. */
export const PACKAGES: readonly PackageRow[] = [
  { package: "shared", may: [], why: "everybody stands on it, so it stands on nobody" },
  {
    package: "agent",
    may: [...BOTH_ENDS, "shared/names", "shared/wire", "shared/settings"],
    why: "a hub runs without the cloud's code, and speaks to devices only in bytes",
  },
  {
    package: "cloud",
    may: [...BOTH_ENDS, "shared/names", "shared/presentation", "shared/settings"],
    why: "the cloud never sees the bytes of a device: what a hub speaks below the tunnel may change without it",
  },
  {
    package: "sdk",
    may: ["shared/events", "shared/kernel", "shared/model", "shared/api"],
    why: "it is published, and knows the public API only",
  },
  {
    package: "console",
    may: [
      "shared/names",
      "shared/presentation",
      "shared/kernel",
      "shared/model",
      "shared/api",
      "shared/settings",
      "sdk",
    ],
    why: "it does what anybody can do with the public API",
  },
  {
    package: "portal",
    may: ["shared/events", "shared/names", "shared/presentation", "shared/kernel", "shared/model", "shared/api", "sdk"],
    typesOnly: ["shared/kernel", "shared/model", "shared/api"],
    why: "it uses the public API only, and no schema library may reach the browser",
  },
  {
    package: "firmware-sim",
    may: ["shared/kernel", "shared/model", "shared/wire", "shared/settings"],
    why: "a simulator that shared code with the agent would agree with the agent's mistakes",
  },
  {
    package: "driver-matter",
    may: ["agent", "shared/kernel", "shared/model"],
    why: "a driver of our own, in a bundle of its own: it uses the kit of the hub's drivers, and nothing of what the hub does with them",
  },
  {
    package: "matter-bridge",
    may: ["shared/names", "shared/kernel", "shared/model", "shared/api", "shared/settings", "sdk"],
    why: "it is a program in the home like any other: it knows the hub's API and nothing of the hub's inside",
  },
  {
    package: "examples/porchlight-driver-example",
    may: ["agent"],
    typesOnly: ["agent"],
    why: "a package of somebody else is handed what it needs of the hub while it runs",
  },
];

export interface RankRow {
  /** Folders, or files without their ending, directly under `src`; none of a row imports another of the row. */
  readonly modules: readonly string[];
  readonly why: string;
}

/** Inside a package: modules import only from rows above their own. */
export const RANKS: Readonly<Record<string, readonly RankRow[]>> = {
  shared: [
    { modules: ["kernel"], why: "clock, random, ids and errors are needed by all and need nothing" },
    { modules: ["events"], why: "which events there are is known to every end, and needs nothing" },
    { modules: ["names"], why: "what things are called is the same on a page and in an e-mail, and needs nothing" },
    {
      modules: ["presentation"],
      why: "times, limits and suggestions are the same on a page, in a terminal and in an e-mail",
    },
    { modules: ["model"], why: "what a device is does not depend on how it is told" },
    { modules: ["api", "tunnel", "wire", "settings"], why: "four borders: each changes at its own pace" },
    { modules: ["history"], why: "what a property was is added up alike in the cloud and on a hub" },
    { modules: ["rest"], why: "what whoever serves the API does with its schemas: the cloud, and a hub at home" },
  ],
  agent: [
    {
      modules: ["config", "state", "links", "mqtt-broker"],
      why: "settings, the hub's memory, bytes and messages know nothing of what is done with them",
    },
    { modules: ["drivers"], why: "a driver turns bytes into values, whoever asks" },
    { modules: ["commands"], why: "at most once, in time, in order: the same whoever commands" },
    {
      modules: ["uplink", "local-api", "publish", "pairing", "ops", "scenes"],
      why: "ways in from outside, and from the clock: each can be taken away alone",
    },
    { modules: ["membership"], why: "whether the hub is paired decides whether it connects or asks to be paired" },
    { modules: ["agent-deps"], why: "what an agent is made of from outside names the modules that it is handed to" },
    { modules: ["agent"], why: "the composition root: the only place that knows all modules" },
    { modules: ["main"], why: "it parses, starts and handles signals, and nothing imports it" },
  ],
  cloud: [
    {
      modules: ["config", "store", "bus"],
      why: "settings, the store and the bus between nodes serve every feature alike",
    },
    { modules: ["nodes"], why: "what nodes tell and ask each other stands on store and bus, and knows no feature" },
    { modules: ["events"], why: "every change appends to the log, so the log knows no feature" },
    { modules: ["access"], why: "who may touch what is asked by every feature and asks none" },
    { modules: ["tunnels"], why: "a tunnel carries frames and leases, not use-cases" },
    { modules: ["devices"], why: "devices are reached through tunnels; a tunnel reports to an interface of its own" },
    { modules: ["history"], why: "what devices were is recorded from the log of what they did" },
    { modules: ["places"], why: "what deletes a place deletes the devices in it, with their history" },
    {
      modules: ["scenes"],
      why: "a scene sets devices of a place; neither knows of scenes, and a hub is told through an interface of devices",
    },
    {
      modules: ["pairing", "webhooks", "streams", "accounts", "mail", "ops", "why"],
      why: "features at the edge: each can be taken away alone",
    },
    { modules: ["sinks"], why: "values are sent to receivers that are judged and called as those of webhooks are" },
    { modules: ["alerts"], why: "it looks at what the features before it have stored, and mails it" },
    { modules: ["exports"], why: "it reads what every feature before it keeps of an account" },
    { modules: ["http"], why: "routes parse and call use-cases; no use-case knows of routes" },
    { modules: ["docs", "portal"], why: "pages for people are beside the API; the API does not know of them" },
    { modules: ["http-server"], why: "what holds for every request is put together apart from the features behind it" },
    {
      modules: ["several-nodes"],
      why: "who does what with the changes of other nodes is known by none of the modules",
    },
    { modules: ["composition"], why: "the composition root: the only place that knows all modules" },
    { modules: ["app"], why: "how the whole begins, drains and ends" },
    { modules: ["main"], why: "it parses, starts and handles signals, and nothing imports it" },
  ],
  sdk: [
    { modules: ["transport", "references"], why: "a request and a reference are the same whatever they are for" },
    { modules: ["resources", "events"], why: "what there is to call, over the one way to call it" },
    {
      modules: ["porchlight", "webhook-signature", "outcome-text"],
      why: "the client puts the resources together; what a webhook brings is an event like those of a stream",
    },
    { modules: ["index"], why: "what its users may import" },
  ],
  "matter-bridge": [
    { modules: ["config", "parts"], why: "settings, and what an endpoint is as data, know nothing of hub or library" },
    { modules: ["families"], why: "what a device is shown as is a table, whoever tells of the device" },
    { modules: ["shown"], why: "a device as it is shown, between the hub and Matter" },
    { modules: ["store", "pairing"], why: "what is kept, and what people are shown, whatever is bridged" },
    { modules: ["hub", "matter"], why: "the hub's side and Matter's do not know each other" },
    { modules: ["bridge"], why: "the composition root: the only place that knows both sides" },
    { modules: ["main"], why: "it parses, starts and handles signals, and nothing imports it" },
  ],
  console: [
    { modules: ["settings", "render"], why: "a file and a form know nothing of what is asked or shown" },
    { modules: ["session"], why: "what every command stands on: the client, questions, failures, words" },
    {
      modules: ["live", "history", "forward", "doctor", "completion"],
      why: "a screen that changes in place, charts of characters, a sender of events, what is looked at, the shells' languages: each is more than its command",
    },
    { modules: ["commands"], why: "what can be done, one file each; none parses a command line or a process" },
    { modules: ["main"], why: "it parses, starts and handles signals, and nothing imports it" },
  ],
  portal: [
    { modules: ["theme", "kit"], why: "looks and parts are the same whatever they show" },
    { modules: ["session", "data"], why: "a log-in and what is fetched know no page" },
    { modules: ["live"], why: "events change what was fetched, whichever page shows it" },
    { modules: ["devices"], why: "what a device is and how it is set, whichever page shows it" },
    { modules: ["charts"], why: "what properties were, drawn, whichever page shows it" },
    { modules: ["pages"], why: "each is one thing to look at; none knows where it stands" },
    { modules: ["app"], why: "the frame and the addresses: the only place that knows all pages" },
    { modules: ["main"], why: "it puts everything together in a browser, and nothing imports it" },
  ],
  "firmware-sim": [
    {
      modules: ["links", "faults", "time"],
      why: "bytes, their damage and the pace of time know nothing of what they carry",
    },
    { modules: ["devices"], why: "how a device behaves does not depend on the line that it hangs on" },
    { modules: ["node"], why: "what stands on a line and fronts devices" },
    { modules: ["conform"], why: "it asks somebody else's device or hub, and shares nothing but lines with ours" },
    { modules: ["capture"], why: "what has passed on a line in words: it knows the rules, and nobody's device" },
    { modules: ["fuzz"], why: "what nobody should say, and what came of it: a finding is a capture" },
    { modules: ["simulator"], why: "the composition root: nodes on their ports" },
    { modules: ["view"], why: "what a person sees of a running simulator, and which key means what" },
    { modules: ["open-port"], why: "a port is what a file wants and a link gives" },
    { modules: ["control"], why: "the commands that a person or a test gives to a running simulator" },
    { modules: ["testing"], why: "a board for the unit tests of others: everything above as calls of JavaScript" },
    { modules: ["scenario"], why: "what a file makes of those commands, one after another" },
    { modules: ["shell"], why: "a hub for one board: its commands use the words of a scenario" },
    { modules: ["soak"], why: "those commands for hours, and the limits of a team" },
    { modules: ["index"], why: "what tests of other packages may use" },
    { modules: ["main"], why: "it parses, starts and handles signals, and nothing imports it" },
  ],
  "driver-matter": [
    { modules: ["network"], why: "what the driver needs of Matter is said without any library" },
    {
      modules: ["store", "mapping", "troubles"],
      why: "what is kept, what is described, and what is wrong know no device",
    },
    { modules: ["device"], why: "a node and its devices are the same, however they were paired" },
    { modules: ["pairing"], why: "what a person does with nodes" },
    { modules: ["matter-js"], why: "one library does what the network is to do: another could" },
    { modules: ["matter-driver"], why: "all nodes and all setups, over any network" },
    { modules: ["index"], why: "the package: settings in, driver out" },
  ],
  "examples/porchlight-driver-example": [
    { modules: ["tcp"], why: "lines on a socket are the same whatever they say" },
    { modules: ["board-session"], why: "one connection knows nothing of the next" },
    { modules: ["board-parts"], why: "what a board consists of is the same on every connection" },
    { modules: ["relay-board"], why: "one board knows nothing of the others" },
    { modules: ["relay-driver"], why: "all boards, wherever they are" },
    { modules: ["index"], why: "the package: settings in, driver out" },
  ],
};

export interface OutsideRow {
  /** A module of a package. */
  readonly of: string;
  /** Modules from npm that it may import; Node's own go under `node:`. */
  readonly may: readonly string[];
  readonly why: string;
}

/** Where less from outside may be imported than the manifest declares. */
export const OUTSIDE: readonly OutsideRow[] = [
  ...["parts", "families", "shown", "pairing", "hub"].map((module) => ({
    of: `matter-bridge/${module}`,
    may: [],
    why: "the Matter library changes with each of its versions: matter-bridge/matter alone knows it",
  })),
  {
    of: "driver-matter/network",
    may: [],
    why: "the Matter library changes with each of its versions: driver-matter/matter-js alone knows it",
  },
  {
    of: "driver-matter/store",
    may: [],
    why: "the Matter library changes with each of its versions: driver-matter/matter-js alone knows it",
  },
  {
    of: "driver-matter/mapping",
    may: [],
    why: "the Matter library changes with each of its versions: driver-matter/matter-js alone knows it",
  },
  {
    of: "driver-matter/device",
    may: [],
    why: "the Matter library changes with each of its versions: driver-matter/matter-js alone knows it",
  },
  {
    of: "driver-matter/pairing",
    may: [],
    why: "the Matter library changes with each of its versions: driver-matter/matter-js alone knows it",
  },
  {
    of: "driver-matter/troubles",
    may: ["node:os"],
    why: "the Matter library changes with each of its versions: driver-matter/matter-js alone knows it",
  },
  {
    of: "driver-matter/matter-driver",
    may: [],
    why: "the Matter library changes with each of its versions: driver-matter/matter-js alone knows it",
  },
  {
    of: "driver-matter/index",
    may: [],
    why: "the Matter library changes with each of its versions: driver-matter/matter-js alone knows it",
  },
  {
    of: "shared/kernel",
    may: [],
    why: "it runs in hubs, clouds and browsers, and effects come in through its interfaces",
  },
  { of: "shared/events", may: [], why: "the portal takes it by value, and no schema library may reach the browser" },
  { of: "shared/names", may: [], why: "the portal takes it by value, and no schema library may reach the browser" },
  {
    of: "shared/presentation",
    may: [],
    why: "the portal takes it by value, and no schema library may reach the browser",
  },
  { of: "shared/model", may: ["zod"], why: "it runs in browsers too" },
  { of: "shared/api", may: ["zod"], why: "it runs in browsers too" },
  { of: "shared/tunnel", may: ["zod"], why: "sockets are handed in" },
  { of: "shared/wire", may: ["zod", "node:buffer"], why: "the codec is the product, and bytes are handed in" },
];

export interface CrossTenantRow {
  readonly file: string;
  readonly why: string;
}

/** The only files that read through `store.service` or `store.gathered`, across tenants. A file named `service-queries.ts` needs no row. */
export const CROSS_TENANT: readonly CrossTenantRow[] = [
  {
    file: "cloud/src/access/credentials/authenticate.ts",
    why: "a token tells which tenant is calling, so it is looked up before one is known",
  },
  {
    file: "cloud/src/access/references/references.ts",
    why: "an account reaches all its ecosystems, and a reference says which one it means",
  },
  {
    file: "cloud/src/devices/queue/command-queue.ts",
    why: "hubs of all tenants come back at once, and each asks with its own ecosystem what waits for it",
  },
];
