/** A whole home of real processes: cloud, agent and simulator, joined by real sockets and real pseudo-terminals. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readStatus } from "@porchlight/agent/ops/control-socket.ts";
import { systemClock } from "@porchlight/shared/kernel";
import Sqlite from "better-sqlite3";
import { type Answer, Api } from "./api.ts";
import { eventually } from "./eventually.ts";
import { FaultProxy } from "./fault-proxy.ts";
import { Judge } from "./judge.ts";
import { Program } from "./program.ts";
import { SimulatorProgram } from "./simulator.ts";

/** Whose home it is. */
export const OWNER = { email: "owner@home.example", password: "a-long-and-quiet-password" };

/** Leases and waits in fractions of a second; the published lengths are proved on the virtual clock. */
const FAST = {
  PORCHLIGHT_RATE_LIMIT: "off",
  PORCHLIGHT_LEASE_MS: "1500",
  PORCHLIGHT_HEARTBEAT_MS: "400",
  PORCHLIGHT_BACKOFF_FIRST_MS: "100",
  PORCHLIGHT_BACKOFF_CAP_MS: "1000",
};

export interface HomeOptions {
  /** `postgres://…`; SQLite in the home's folder when left out. */
  readonly database?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The agent's alone. */
  readonly agentEnv?: Readonly<Record<string, string>>;
  /** The agent's data folder; one in the home's folder when left out. */
  readonly agentData?: string;
  /** A command that becomes the agent (see {@link Program}). */
  readonly agentWithin?: readonly string[];
  /** Where the agent finds the cloud, when that is not the cloud's own URL. @param port of the cloud */
  readonly cloudFor?: (port: number) => string;
  /** Seed of an internet between hub and cloud that can be broken; without, the hub is beside its cloud. */
  readonly internet?: number;
  /** Serial lines besides the simulator's, each to a single device. */
  readonly serial?: readonly string[];
  /** Devices of the network, on loopback; none when left out. */
  readonly network?: HomeNetwork;
}

export interface HomeNetwork {
  /** YAML of their nodes, each with a name, for the simulator. */
  readonly nodes: string;
  /** edgeIds of those to which the hub speaks: nodes that are devices themselves. */
  readonly admit: readonly string[];
  /** Their keys, `EDGEID=KEY`. */
  readonly keys: readonly string[];
}

export interface DeviceSummary {
  readonly id: string;
  readonly edgeId: string;
  /** The hub that it is reached through. */
  readonly clientId?: string;
  readonly connection: { readonly state: string; readonly lastSeenAt: string };
}

export interface Item {
  readonly deviceId: string;
  readonly service: string;
  readonly index: string;
  readonly property: string;
  readonly value: unknown;
  readonly modifiedAt: string;
  readonly observedAt: string;
}

export interface Problem {
  readonly title: string;
  readonly status: number;
  readonly outcome?: string;
  readonly detail: string;
}

/** What an agent looks for devices on. */
type Sees = "all lines" | "no network" | "no serial lines";

export class Home implements AsyncDisposable {
  readonly folder: string;
  readonly simulator: SimulatorProgram;
  readonly #options: HomeOptions;
  #port = 0;
  #token = "";
  #judge: Judge | undefined;
  #cloud: Program | undefined;
  #agent: Program | undefined;
  #internet: FaultProxy | undefined;
  readonly #others: Program[] = [];
  api = new Api("http://unset");
  environmentId = "";
  clientId = "";
  #ids = new Map<string, string>();

  private constructor(folder: string, simulator: SimulatorProgram, options: HomeOptions) {
    this.folder = folder;
    this.simulator = simulator;
    this.#options = options;
  }

  /** Starts everything and waits until every device is online. */
  static async start(options: HomeOptions = {}): Promise<Home> {
    const folder = mkdtempSync(join(tmpdir(), "porchlight-home-"));
    const home = new Home(folder, await SimulatorProgram.start(join(folder, "lines"), options.network?.nodes), options);
    try {
      await home.startCloud();
      await home.#makeAccount();
      if (options.internet !== undefined) home.#internet = await FaultProxy.start(() => home.#port, options.internet);
      home.startAgent();
      await home.online();
      return home;
    } catch (error) {
      const logs = [home.#cloud, home.#agent].map((program) => program?.stderr).join("\n");
      await home[Symbol.asyncDispose]();
      throw new Error(`the home did not come up: ${error}\n${logs}`);
    }
  }

  get cloud(): Program {
    if (!this.#cloud) throw new Error("the cloud has not been started");
    return this.#cloud;
  }

  get agent(): Program {
    if (!this.#agent) throw new Error("the agent has not been started");
    return this.#agent;
  }

  /** What lies between the hub and its cloud. */
  get internet(): FaultProxy {
    if (!this.#internet) throw new Error("the hub of this home is beside its cloud");
    return this.#internet;
  }

  /** Starts the cloud on its data, the second time on the same port. */
  async startCloud(): Promise<void> {
    const database = this.#options.database ? ["--database", this.#options.database] : [];
    const args = ["serve", "--port", String(this.#port), "--data", join(this.folder, "cloud"), ...database];
    this.#cloud = new Program("cloud", "cloud/src/main.ts", args, { ...FAST, ...this.#options.env });
    const url = await this.#cloud.line((line) => /^listening on (http\S+)$/.exec(line)?.[1]);
    this.#port = Number(new URL(url).port);
    this.#judge ??= new Judge(url);
    this.api = new Api(url, this.#token, this.#judge);
  }

  /** The agent's data folder. */
  get agentData(): string {
    return this.#options.agentData ?? join(this.folder, "agent");
  }

  /** Starts the agent on its data folder. @param sees what devices it looks for */
  startAgent(sees: Sees = "all lines"): Program {
    this.#agent = this.#spawnAgent(this.agentData, sees);
    return this.#agent;
  }

  /** Starts the agent of a second hub, with an identity of its own, that sees the network and no serial line; gives its client's ID. */
  async startNeighbour(): Promise<string> {
    const { clientId, token } = await this.#makeClient("token of the neighbour");
    this.#others.push(this.#spawnAgent(this.neighbourData, "no serial lines", token));
    return clientId;
  }

  /** The data folder of the second hub. */
  get neighbourData(): string {
    return join(this.folder, "neighbour");
  }

  /** Copies the stopped agent's data, as a person does who clones a hub's card; gives how to start an agent on the copy. */
  cloneAgent(): () => Program {
    const copy = join(this.folder, `agent-copy-${this.#others.length}`);
    cpSync(this.agentData, copy, { recursive: true });
    return () => {
      const agent = this.#spawnAgent(copy);
      this.#others.push(agent);
      return agent;
    };
  }

  /** Waits until the hub is online with all its devices. */
  async online(): Promise<void> {
    await eventually("all devices are online", async () => {
      const { items } = await this.api.good<{ items: DeviceSummary[] }>("GET", "/api/devices");
      this.#ids = new Map(items.map((device) => [device.edgeId, device.id]));
      const online = items.filter((device) => device.connection.state === "online");
      const { network, serial = [] } = this.#options;
      return online.length >= this.simulator.devices.length + serial.length + (network?.admit.length ?? 0);
    });
  }

  /** Waits until nothing of what the hub has to report waits. */
  async allReported(): Promise<void> {
    await eventually("the hub has reported all", async () => {
      const asked = await readStatus(this.agentData, systemClock);
      return asked.kind === "running" && asked.status.queue.records === 0;
    });
  }

  /** The hub's connection as the API shows it. */
  async hub(): Promise<{ state: string; reason?: string }> {
    const client = await this.api.good<{ connection: { state: string } }>("GET", `/api/clients/${this.clientId}`);
    return client.connection;
  }

  /** A device's connection as the API shows it. */
  async connection(edgeId: string): Promise<string> {
    return (await this.device(edgeId)).connection.state;
  }

  /** A device as the API shows it. */
  device(edgeId: string): Promise<DeviceSummary> {
    return this.api.good<DeviceSummary>("GET", `/api/devices/${this.#ids.get(edgeId)}`);
  }

  /** The event log, oldest first, read past the API. SQLite only. */
  // biome-ignore lint/suspicious/noExplicitAny: the data of an event, read by tests that know its type
  events(): { type: string; data: any }[] {
    const db = new Sqlite(join(this.folder, "cloud", "cloud.db"), { readonly: true });
    const rows = db.prepare("select type, data from events order by sequence").all() as {
      type: string;
      data: string;
    }[];
    db.close();
    return rows.map(({ type, data }) => ({ type, data: JSON.parse(data) }));
  }

  /** How far the cloud has the hub's history, and the number of the newest value of a property, read past the API. SQLite only. */
  standing(service: string, property: string): { position: number; newest: number } {
    const db = new Sqlite(join(this.folder, "cloud", "cloud.db"), { readonly: true });
    const found = db
      .prepare<[string, string], { position: number; newest: number }>(
        `select position, number as newest from clients, property_values where service = ? and property = ?`,
      )
      .get(service, property);
    db.close();
    return found ?? { position: 0, newest: 0 };
  }

  /** Every event of a notify-only property in the event log, oldest first. */
  occurrences(service: string): unknown[] {
    const changes = this.events().filter(
      ({ type, data }) => type === "property.changed" && data.item.service === service,
    );
    return changes.map(({ data }) => data.item.value);
  }

  /** The path of a device's property in the API. */
  path(edgeId: string, selector: string): string {
    return `/api/devices/${this.#ids.get(edgeId)}/services/${selector}`;
  }

  /** Sets a property through the API. @param wait seconds that the caller is willing to wait */
  put(edgeId: string, selector: string, value: unknown, wait = 10): Promise<Answer<Item & Problem>> {
    return this.api.call("PUT", this.path(edgeId, selector), { value }, { prefer: `wait=${wait}` });
  }

  /** The property as the cloud's cache has it. */
  async cached(edgeId: string, selector: string): Promise<Item | undefined> {
    return (await this.api.good<{ items: Item[] }>("GET", this.path(edgeId, selector))).items[0];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const program of [...this.#others, this.#agent, this.#cloud]) await program?.[Symbol.asyncDispose]();
    await this.#internet?.[Symbol.asyncDispose]();
    await this.simulator[Symbol.asyncDispose]();
    rmSync(this.folder, { recursive: true, force: true });
    this.#judge?.close();
  }

  #spawnAgent(data: string, sees: Sees = "all lines", token = join(this.folder, "token")): Program {
    const { agentEnv, agentWithin, cloudFor } = this.#options;
    const url = this.#internet?.url ?? cloudFor?.(this.#port) ?? this.api.base;
    const cloud = ["--cloud", url, "--data", data, "--token-file", token];
    const { network, env, serial: others = [] } = this.#options;
    const lines = sees === "no serial lines" ? [] : [...this.simulator.lines, ...others];
    const serial = lines.flatMap((line) => ["--serial", line]);
    const lan = network && {
      PORCHLIGHT_LAN: "127.0.0.1",
      PORCHLIGHT_LAN_ADMIT: network.admit.join(),
      PORCHLIGHT_LAN_KEYS: network.keys.join(),
    };
    const looks = sees === "no network" ? {} : lan;
    const around = { ...FAST, ...looks, ...env, ...agentEnv };
    return new Program("agent", "agent/src/main.ts", ["run", ...cloud, ...serial], around, agentWithin);
  }

  async #makeAccount(): Promise<void> {
    const account = await this.api.good<{ environmentId: string }>("POST", "/api/accounts", OWNER);
    const login = await this.api.good<{ token: string }>("POST", "/api/accounts/login", OWNER);
    this.#token = login.token;
    this.api = this.api.as(login.token);
    this.environmentId = account.environmentId;
    this.clientId = (await this.#makeClient("token")).clientId;
  }

  /** A hub as its owner makes it in the API; its token goes to a file. */
  async #makeClient(name: string): Promise<{ readonly clientId: string; readonly token: string }> {
    const { environmentId } = this;
    const { id: clientId } = await this.api.good<{ id: string }>("POST", "/api/clients", { environmentId });
    const made = await this.api.good<{ token: string }>("POST", `/api/clients/${clientId}/tokens`);
    const token = join(this.folder, name);
    writeFileSync(token, made.token, { mode: 0o600 });
    return { clientId, token };
  }
}
