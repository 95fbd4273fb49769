/** Who may import whom, as data. `docs/architecture.md` states the same in sentences; each row states why it is so. */

export interface PackageRow {
  readonly package: string;
  /** Modules of `shared` that it may import. Which packages it may import is stated by its `package.json`, and what of them by their `exports`. */
  readonly shared: readonly string[];
  /** Where only `import type` is allowed: a module such as `shared/model`, or a package, which then needs no dependency. */
  readonly typesOnly?: readonly string[];
  readonly why: string;
}

const BOTH_ENDS = ["events", "kernel", "model", "api", "history", "rest", "tunnel"];

/** Rules for packages that manifests cannot express. */
export const PACKAGES: readonly PackageRow[] = [
  {
    package: "driver-kit",
    shared: ["kernel", "model", "wire", "settings"],
    why: "a driver speaks to devices and to its hub, and knows nothing of the messages between hub and cloud",
  },
  {
    package: "agent",
    shared: [...BOTH_ENDS, "names", "wire", "settings"],
    why: "a hub runs without the cloud's code, and speaks to devices only in bytes",
  },
  {
    package: "cloud",
    shared: [...BOTH_ENDS, "names", "presentation", "settings"],
    why: "the cloud never sees the bytes of a device: what a hub speaks below the tunnel may change without it",
  },
  {
    package: "sdk",
    shared: ["events", "kernel", "model", "api"],
    why: "it is published, and knows the public API only",
  },
  {
    package: "console",
    shared: ["names", "presentation", "kernel", "model", "api", "settings"],
    why: "it does only what the public API permits to each client",
  },
  {
    package: "portal",
    shared: ["events", "names", "presentation"],
    typesOnly: ["shared/kernel", "shared/model", "shared/api"],
    why: "it uses the public API only, and no schema library may reach the browser",
  },
  {
    package: "firmware-sim",
    shared: ["kernel", "model", "wire", "settings"],
    why: "a simulator that shared code with the agent would agree with the agent's mistakes",
  },
  ...["esphome", "hue", "mqtt", "porchlight", "shelly", "zwave"].map((name) => ({
    package: `drivers/${name}`,
    shared: ["kernel", "model", "wire", "settings"],
    why: "a driver uses the kit, and nothing of what the hub does with drivers",
  })),
  {
    package: "drivers/templates",
    shared: ["kernel"],
    why: "a language knows no device",
  },
  {
    package: "drivers/matter",
    shared: ["kernel", "model"],
    why: "a driver of our own, in a bundle of its own: it uses the kit of drivers, and nothing of what the hub does with them",
  },
  {
    package: "matter-bridge",
    shared: ["names", "kernel", "model", "api", "settings"],
    why: "it is a program in the home like any other: it knows the hub's API and nothing of the hub's inside",
  },
  {
    package: "examples/porchlight-driver-example",
    shared: [],
    typesOnly: ["driver-kit"],
    why: "a third-party package is handed what it needs of the hub while it runs",
  },
];

export interface RankRow {
  /**
   * Folders, or files without their ending, directly under `src`, and "." for the files there that stand in no row; none of a row imports
   * another of the row.
   */
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
    { modules: ["model"], why: "a device's model does not depend on its transport" },
    { modules: ["api", "tunnel", "wire", "settings"], why: "four borders: each changes at its own pace" },
    { modules: ["history"], why: "what a property was is added up alike in the cloud and on a hub" },
    { modules: ["rest"], why: "each server of the API uses its schemas: the cloud, and a hub at home" },
  ],
  "driver-kit": [
    { modules: ["contract"], why: "what a driver is, and how a call to it ends, depends on no helper" },
    {
      modules: ["values", "kept", "links"],
      why: "conversions are pure, and neither bytes nor what is kept know a device",
    },
    {
      modules: ["turns", "settings"],
      why: "long work is cut alike, and settings are spelled alike for every purpose",
    },
    {
      modules: ["host"],
      why: "the hub's side of a driver: which devices it has, and what happens when the driver fails",
    },
    { modules: ["devices"], why: "what drivers with many devices or connections share" },
    { modules: ["network"], why: "announcements on the network are received once, for every driver that wants them" },
    { modules: ["judge"], why: "the suite of tests for every driver sees the kit as an author does" },
    {
      modules: ["driver-kit", "built-in-driver"],
      why: "what the hub hands to a driver, in a package and in its own program: things of all modules",
    },
    { modules: ["index", "package-api"], why: "what the authors of drivers import, in one place" },
  ],
  agent: [
    {
      modules: ["built-in-drivers"],
      why: "which drivers there are decides which settings there are, and what is started",
    },
    {
      modules: ["config", "state", "links"],
      why: "settings, the hub's memory and connections know nothing of what is done with them",
    },
    { modules: ["drivers"], why: "a driver turns bytes into values, for each caller" },
    { modules: ["commands"], why: "at most once, in time, in order: the same for each caller" },
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
    { modules: ["nodes"], why: "messages between nodes stand on store and bus, and knows no feature" },
    { modules: ["events"], why: "every change appends to the log, so the log knows no feature" },
    { modules: ["access"], why: "who may touch what is asked by every feature and asks none" },
    { modules: ["tunnels"], why: "a tunnel carries frames and leases, not use-cases" },
    { modules: ["devices"], why: "devices are reached through tunnels; a tunnel reports to an interface of its own" },
    { modules: ["history"], why: "what devices were is recorded from the log of what they did" },
    { modules: ["places"], why: "what deletes a place deletes the devices in it, with their history" },
    {
      modules: ["scenes"],
      why: "a scene sets devices of a place; neither knows of scenes, and a hub is notified through an interface of devices",
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
    { modules: ["."], why: "a request, a reference and an event are the same for every purpose" },
    { modules: ["resources"], why: "what there is to call, over the one way to call it" },
    { modules: ["porchlight"], why: "the client puts the resources together" },
    { modules: ["index"], why: "what its users may import" },
  ],
  "matter-bridge": [
    { modules: ["config", "parts"], why: "settings, and what an endpoint is as data, know nothing of hub or library" },
    { modules: ["families"], why: "what a device is shown as is a table, and a device as it is shown" },
    { modules: ["store", "pairing"], why: "storage and what people are shown, for every bridged device" },
    { modules: ["hub", "matter"], why: "the hub's side and Matter's do not know each other" },
    { modules: ["bridge"], why: "the composition root: the only place that knows both sides" },
    { modules: ["main"], why: "it parses, starts and handles signals, and nothing imports it" },
  ],
  console: [
    { modules: ["settings", "render"], why: "a file and a form know nothing of what is asked or shown" },
    { modules: ["session"], why: "what every command stands on: the client, questions, failures, words" },
    {
      modules: ["live", "completion"],
      why: "a screen that changes in place, and the languages of the shells: each is more than its command",
    },
    { modules: ["commands"], why: "what can be done, one file each; none parses a command line or a process" },
    { modules: ["main"], why: "it parses, starts and handles signals, and nothing imports it" },
  ],
  portal: [
    { modules: ["theme", "kit"], why: "looks and parts are the same for all content" },
    { modules: ["session", "data"], why: "a log-in and what is fetched know no page" },
    { modules: ["live"], why: "events change what was fetched, whichever page shows it" },
    { modules: ["devices"], why: "what a device is and how it is set, whichever page shows it" },
    { modules: ["charts"], why: "what properties were, drawn, whichever page shows it" },
    { modules: ["pages"], why: "each is one thing to look at; none knows where it stands" },
    { modules: ["app"], why: "the frame and the addresses: the only place that knows all pages" },
    { modules: ["main"], why: "it puts everything together in a browser, and nothing imports it" },
  ],
  "firmware-sim": [
    { modules: ["simulator"], why: "simulated devices, on their ports, and the commands that change them" },
    { modules: ["lab"], why: "tests of a third-party device or hub" },
    { modules: ["view"], why: "what a person sees of a running simulator, and which key means what" },
    { modules: ["testing"], why: "a board for the unit tests of others: everything above as calls of JavaScript" },
    { modules: ["index"], why: "what tests of other packages may use" },
    { modules: ["main"], why: "it parses, starts and handles signals, and nothing imports it" },
  ],
  "drivers/porchlight": [
    { modules: ["line"], why: "bytes in, frames out, and the counts of what was lost between" },
    { modules: ["exchange"], why: "one request and its answer: windows, tries, timers, and what an answer means" },
    { modules: ["device"], why: "one device behind a node: described, read, written, and what it reports" },
    { modules: ["."], why: "sessions of nodes, and the two kinds of line to a node: serial and the home network" },
    { modules: ["index"], why: "what the agent may import" },
  ],
  "drivers/mqtt": [
    { modules: ["broker"], why: "a connection to a broker is the same for what reads and for what publishes" },
    {
      modules: ["device"],
      why: "one device behind a broker is read, written and subscribed to alike in every dialect",
    },
    { modules: ["zigbee2mqtt", "tasmota", "home-assistant"], why: "each dialect can be taken away alone" },
    { modules: ["."], why: "one broker: its devices in all dialects, and the driver that speaks to them" },
  ],
  "drivers/templates": [{ modules: ["."], why: "a language knows no device of any dialect" }],
  "drivers/shelly": [
    { modules: ["description"], why: "what a device is does not depend on how it is reached" },
    { modules: ["."], why: "the driver: which devices there are, and how each is reached and asked" },
  ],
  "drivers/hue": [
    { modules: ["bridge"], why: "one bridge: its stream, its requests, the devices behind it" },
    { modules: ["."], why: "all bridges of a home" },
  ],
  "drivers/zwave": [
    { modules: ["values"], why: "a node and its values are the same for every use" },
    { modules: ["classes"], why: "what a command class is in terms of our classes is pure" },
    { modules: ["server"], why: "commands, answers and events are the same for every node" },
    { modules: ["."], why: "the network: its server, and which devices it has" },
  ],
  "drivers/esphome": [
    { modules: ["wire"], why: "frames, encryption and messages know nothing of what an entity is in a home" },
    { modules: ["description"], why: "what an entity is does not depend on how its device is reached" },
    { modules: ["."], why: "the driver: which devices there are, and how each is reached" },
  ],
  "drivers/matter": [
    { modules: ["matter-network"], why: "what the driver needs of Matter is described without any library" },
    {
      modules: ["kept-contexts", "mapping", "troubles"],
      why: "what is kept, what is described, and what is wrong know no device",
    },
    { modules: ["."], why: "nodes, their devices, and how people pair them, over any network" },
    { modules: ["matter-js"], why: "one library does what the network is to do: another could" },
    { modules: ["index"], why: "the package: settings in, driver out" },
  ],
  "examples/porchlight-driver-example": [
    { modules: ["tcp"], why: "lines on a socket are the same for all content" },
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
  ...["parts", "families", "pairing", "hub"].map((module) => ({
    of: `matter-bridge/${module}`,
    may: [],
    why: "the Matter library changes with each of its versions: matter-bridge/matter alone knows it",
  })),
  ...["matter-network", "kept-contexts", "mapping", "troubles", ".", "index"].map((module) => ({
    of: `drivers/matter/${module}`,
    may: module === "troubles" ? ["node:os"] : [],
    why: "the Matter library changes with each of its versions: drivers/matter/src/matter-js alone knows it",
  })),
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

export interface SmallFilesRow {
  readonly files: readonly string[];
  readonly why: string;
}

/** Files of fewer than 60 lines that one file of their folder uses, and that stand apart all the same. */
export const SMALL_FILES: readonly SmallFilesRow[] = [
  {
    files: [
      "cloud/src/mail/service-queries.ts",
      "cloud/src/sinks/service-queries.ts",
      "cloud/src/why/service-queries.ts",
    ],
    why: "what reads across tenants has a name by which it is found",
  },
  {
    files: [
      "drivers/matter/src/matter-js/quiet-library.ts",
      "matter-bridge/src/matter/library-settings.ts",
      "drivers/matter/src/troubles.ts",
      "drivers/matter/src/matter-js/library-time.ts",
      "matter-bridge/src/matter/library-time.ts",
    ],
    why: "the library is set before anything imports it, and what asks the machine needs no library",
  },
  {
    files: ["driver-kit/src/driver-kit.ts", "shared/src/tunnel/home-frames.ts"],
    why: "it only names what others may use of the package",
  },
  {
    files: ["drivers/porchlight/src/device/describe.ts", "drivers/porchlight/src/endpoints.ts"],
    why: "pure decisions that documents and planted mistakes name by their file",
  },
  {
    files: [
      "portal/src/live/changes.ts",
      "portal/src/pages/devices/new-device-plan.ts",
      "portal/src/pages/devices/code-lines.ts",
      "portal/src/pages/hubs/restart-state.ts",
      "portal/src/pages/places/history-loss.ts",
      "portal/src/pages/places/sink-draft.ts",
      "portal/src/pages/servers/latest-use.ts",
      "portal/src/pages/start/incident-words.ts",
      "portal/src/pages/quota-words.ts",
      "portal/src/pages/webhooks/settings-draft.ts",
    ],
    why: "decisions without React, so that their tests load no components",
  },
];

/** The only files that read through `store.service` or `store.gathered`, across tenants. A file named `service-queries.ts` needs no row. */
export const CROSS_TENANT: readonly CrossTenantRow[] = [
  {
    file: "cloud/src/access/authenticate.ts",
    why: "a token identifies the calling tenant, so it is looked up before one is known",
  },
  {
    file: "cloud/src/access/references/references.ts",
    why: "an account reaches all its ecosystems, and a reference states which one it means",
  },
  {
    file: "cloud/src/devices/commands/command-queue.ts",
    why: "hubs of all tenants come back at once, and each asks with its own ecosystem what waits for it",
  },
];
