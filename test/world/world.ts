/**
 * A cloud, a hub and its simulated devices in one process on a virtual clock, with seeded faults on every link and in every
 * process. The stores are real SQLite files, and what dies here dies without a last word.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readDefinitions, type SimulatedDevice, SimulatedNode } from "@porchlight/firmware-sim";
import {
  type Log,
  type Random,
  readServerTiming,
  seededRandom,
  silentLog,
  sleep,
  VirtualClock,
} from "@porchlight/shared/kernel";
import { parseSelector } from "@porchlight/shared/model";
import { ROOT } from "../parts/program.ts";
import { CloudOfWorld, type WorldAnswer } from "./cloud.ts";
import type { CommandRecord, DeviceChange } from "./history.ts";
import { type HubDeps, HubOfWorld } from "./hub.ts";
import { Lan } from "./lan.ts";
import { SerialLine } from "./line.ts";
import { Network } from "./network.ts";
import { type Recorded, readRecorded } from "./recorded.ts";
import { readCloud, readJournal, readJournaled, type Stored } from "./stores.ts";

export const HUB = "02-50-4C-00-00-01";
export const NEIGHBOUR = "02-50-4C-00-00-02";
const LOGIN = { email: "owner@home.example", password: "a-long-and-quiet-password" };

export interface WorldOptions {
  readonly seed: number;
  /** Bounds of the network's one-way delay, ms. */
  readonly delayMs?: readonly [number, number];
  /** Whether the home has a network with a device on it, which every hub looks for. */
  readonly lan?: boolean;
  /** Whether the hub serves the API at home. */
  readonly home?: boolean;
  /** Further drivers of the hub. */
  readonly moreDrivers?: HubDeps["moreDrivers"];
  readonly log?: Log;
}

/** Of a write at home. */
export interface HomeGiven {
  readonly headers?: Readonly<Record<string, string>>;
  readonly taken?: () => void;
}

export class World implements AsyncDisposable {
  readonly clock = new VirtualClock();
  readonly random: Random;
  readonly folder = mkdtempSync(join(tmpdir(), "porchlight-world-"));
  readonly cloud: CloudOfWorld;
  readonly nodes: readonly SimulatedNode[];
  readonly lines: readonly [SerialLine, ...SerialLine[]];
  readonly lan: Lan | undefined;
  readonly #networkNodes: readonly SimulatedNode[];
  readonly #options: WorldOptions;
  #hub: HubOfWorld | undefined;
  environmentId = "";
  ecosystemId = "";
  clientId = "";
  clientToken = "";
  #token = "";
  readonly #ids = new Map<string, string>();
  readonly #neighbours: HubOfWorld[] = [];
  readonly #onAnswer = new Set<() => void>();
  /** Devices as they were when they left their bridge. */
  readonly #left: SimulatedDevice[] = [];

  private constructor(options: WorldOptions) {
    this.#options = options;
    this.random = seededRandom(options.seed);
    const { clock, random, folder } = this;
    this.cloud = new CloudOfWorld({ clock, random, log: this.log, folder });
    const start = (example: string) =>
      definitionsOf(example).map((definition) => SimulatedNode.start({ clock, random, definition }));
    this.nodes = start("home.yaml");
    this.#networkNodes = options.lan ? start("network.yaml") : [];
    this.lan = options.lan ? new Lan(clock, this.#networkNodes) : undefined;
    const [first, ...others] = this.nodes.map((node) => new SerialLine(clock, random, node));
    if (!first) throw new Error("the example home has no node");
    this.lines = [first, ...others];
  }

  get servesAtHome(): boolean {
    return this.#options.home ?? false;
  }

  get log(): Log {
    return this.#options.log ?? silentLog;
  }

  /** Starts everything, and waits until every device is online. */
  static async start(options: WorldOptions): Promise<World> {
    const world = new World(options);
    await world.cloud.start();
    await world.#settleIn();
    await world.hub.start();
    await world.calm();
    return world;
  }

  get hub(): HubOfWorld {
    if (!this.#hub) throw new Error("the world has no hub yet");
    return this.#hub;
  }

  /** A hub with the same identity and a copy of nothing: the lines are shared, or it has none. */
  anotherHub(folder: string, plugs: "shared lines" | "no lines" = "shared lines"): HubOfWorld {
    const { clock, random, log, cloud, clientToken } = this;
    const network = this.#network();
    const nodes = plugs === "no lines" ? [] : this.nodes;
    const lines = new Map(nodes.map((node, index) => [`serial ${node.edgeId}`, this.lines[index] ?? this.lines[0]]));
    const { lan } = this;
    const { home, moreDrivers } = this.#options;
    const own = { folder, edgeId: HUB, token: clientToken, lines, home, moreDrivers };
    return new HubOfWorld({ clock, random, log, cloud, network, lan, ...own });
  }

  /** A second hub of the same home, with an identity of its own, on the same network; not started yet. Gives its client too. */
  async neighbour(edgeId = NEIGHBOUR): Promise<{ readonly hub: HubOfWorld; readonly clientId: string }> {
    const { clock, random, log, cloud, environmentId, lan } = this;
    const { id: clientId } =
      (await this.cloud.call("POST", "/api/clients", this.#token, { environmentId }))?.body ?? {};
    const { token } = (await this.cloud.call("POST", `/api/clients/${clientId}/tokens`, this.#token))?.body ?? {};
    const own = { folder: join(this.folder, `neighbour ${edgeId}`), edgeId, token, lines: new Map() };
    const hub = new HubOfWorld({ clock, random, log, cloud, network: this.#network(), lan, ...own });
    this.#neighbours.push(hub);
    return { hub, clientId };
  }

  device(edgeId: string): SimulatedDevice {
    return this.#node(edgeId).device(edgeId);
  }

  /** A device that may be away from its bridge. */
  maybe(edgeId: string): SimulatedDevice | undefined {
    return this.nodes.flatMap((node) => node.devices).find((device) => device.edgeId === edgeId);
  }

  /** Everything that was written to a device, whether or not it has been away. */
  writesOf(edgeId: string): SimulatedDevice["writes"] {
    const before = this.#left.filter((device) => device.edgeId === edgeId).flatMap((device) => device.writes);
    return [...before, ...(this.maybe(edgeId)?.writes ?? [])];
  }

  /** A device leaves its bridge. Gives how it comes back, with the values that it had. */
  leaveBridge(edgeId: string): () => void {
    const node = this.#node(edgeId);
    const device = node.device(edgeId);
    const [definition] = definitionsOf("home.yaml").flatMap(({ devices }) =>
      devices.filter((each) => each.edgeId === edgeId),
    );
    if (!definition) throw new Error(`the example home has no device ${edgeId}`);
    node.remove(edgeId);
    this.#left.push(device);
    return () => {
      const values = [...device.values].map(([key, value]) => {
        const { service = "", index = "0", property = "" } = parseSelector(key) ?? {};
        return [{ service, index, property }, value] as const;
      });
      node.add({ ...definition, values });
    };
  }

  /** Reports of a device's node that the hub has not acknowledged yet. */
  unreported(edgeId: string): number {
    return this.#node(edgeId).untold;
  }

  deviceId(edgeId: string): string {
    return this.#ids.get(edgeId) ?? "unknown";
  }

  sleep(ms: number): Promise<void> {
    return sleep(this.clock, "actor", ms);
  }

  /** A caller has just been answered. */
  answered(): void {
    for (const listener of this.#onAnswer) listener();
    this.#onAnswer.clear();
  }

  /** Settles in the very moment in which a caller is answered, or after so long. */
  nextAnswer(limitMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.#onAnswer.add(resolve);
      this.clock.timer("next answer", limitMs, resolve);
    });
  }

  get(url: string): Promise<WorldAnswer | undefined> {
    return this.cloud.call("GET", url, this.#token);
  }

  post(url: string, body: object, headers: Record<string, string> = {}): Promise<WorldAnswer | undefined> {
    return this.cloud.call("POST", url, this.#token, body, headers);
  }

  /** A PUT of something else than a property. */
  putTo(url: string, body?: object): Promise<WorldAnswer | undefined> {
    return this.cloud.call("PUT", url, this.#token, body);
  }

  delete(url: string): Promise<WorldAnswer | undefined> {
    return this.cloud.call("DELETE", url, this.#token);
  }

  /** Sets a property; undefined without an answer. @param wait seconds */
  async put(edgeId: string, property: string, value: unknown, wait = 10, given: Record<string, string> = {}) {
    const url = `/api/devices/${this.deviceId(edgeId)}/services/${property}`;
    const answer = await this.cloud.call("PUT", url, this.#token, { value }, { prefer: `wait=${wait}`, ...given });
    if (!answer) return undefined;
    const { status, headers, body } = answer;
    return {
      status,
      outcome: body.outcome,
      value: body.value,
      title: body.title,
      timing: readServerTiming(String(headers["server-timing"])),
      commandId: headers["x-command-id"] as string,
    };
  }

  /** Sets a property at home; undefined without an answer. @param wait seconds */
  putAtHome(edgeId: string, selector: string, value: unknown, wait = 10, given: HomeGiven = {}) {
    const headers = { prefer: `wait=${wait}`, ...given.headers };
    return this.hub.atHome({ deviceId: this.deviceId(edgeId), selector, value, headers, taken: given.taken });
  }

  /** Gives a command without waiting for its end; undefined without an answer. @param ttl seconds */
  async defer(edgeId: string, property: string, value: unknown, ttl: number) {
    const url = `/api/devices/${this.deviceId(edgeId)}/services/${property}`;
    const body = { value, ttlSeconds: ttl };
    const answer = await this.cloud.call("PUT", url, this.#token, body, { prefer: "respond-async" });
    return answer?.status === 202 ? (answer.body as { readonly id: string; readonly state: string }) : undefined;
  }

  /** A command as the API shows it. */
  async command(id: string | undefined) {
    const answer = await this.get(`/api/commands/${id}`);
    return answer?.body;
  }

  async cached(edgeId: string, property: string): Promise<unknown> {
    const answer = await this.get(`/api/devices/${this.deviceId(edgeId)}/services/${property}`);
    return answer?.body.items[0]?.value;
  }

  async hubState(): Promise<string> {
    const answer = await this.get(`/api/clients/${this.clientId}`);
    return answer?.body.connection.state ?? "the cloud is dead";
  }

  /** Ends every fault and lets time pass until all processes are back and have reported everything. */
  async calm(limitMs = 300_000): Promise<void> {
    for (const line of this.lines) {
      line.noise = { drop: 0, corrupt: 0, duplicate: 0 };
      line.goOn();
      line.plug();
    }
    for (const { disk } of [this.cloud, this.hub]) disk.refuse(0);
    const end = this.clock.monotonic() + limitMs;
    while (!(await this.#isCalm())) {
      if (this.clock.monotonic() > end)
        throw new Error(`no calm within ${limitMs} ms: ${JSON.stringify(this.hub.agent.status())}`);
      await this.clock.advance(500);
    }
  }

  /** What the devices have, of everything that can be read. */
  deviceValues(): DeviceChange[] {
    return this.nodes.flatMap((node) =>
      node.devices.flatMap((device) =>
        [...device.values].map(([address, value]) => ({ device: device.edgeId, property: address, value })),
      ),
    );
  }

  /** What the cloud's store has, read past the application. */
  stored(): Stored {
    return readCloud(this.cloud.database, this.ecosystemId, this.#ids);
  }

  /** The recorded history, once the log is recorded to its end, or a minute has passed. */
  async recorded(): Promise<Recorded> {
    for (let waited = 0; ; waited += 1_000) {
      const recorded = readRecorded(this.cloud.database);
      if (waited > 60_000 || recorded.position === this.stored().events.at(-1)?.sequence) return recorded;
      await this.clock.advance(1_000);
    }
  }

  /** How commands ended by the hub's journal, those that were given at home too. */
  journaled(): CommandRecord[] {
    return readJournaled(join(this.folder, "agent", "agent.db"));
  }

  /** How a command ended by the journal of the hub, which is dead; null while it has not. */
  journal(commandId: string): unknown {
    return readJournal(join(this.folder, "agent", "agent.db"), commandId);
  }

  /** Keeps a copy of the data of the hub or of the cloud, which is dead, in a folder of that name. */
  keep(whose: "agent" | "cloud", name: string): void {
    cpSync(join(this.folder, whose), join(this.folder, name, whose), { recursive: true });
  }

  /** Puts such a copy in the place of the data. */
  restore(whose: "agent" | "cloud", name: string): void {
    rmSync(join(this.folder, whose), { recursive: true });
    cpSync(join(this.folder, name, whose), join(this.folder, whose), { recursive: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const hub of [this.hub, ...this.#neighbours]) hub.kill();
    await this.cloud.kill();
    for (const node of [...this.nodes, ...this.#networkNodes]) await node[Symbol.asyncDispose]();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #node(edgeId: string): SimulatedNode {
    const found = [...this.nodes, ...this.#networkNodes].find((node) =>
      node.devices.some((device) => device.edgeId === edgeId),
    );
    if (!found) throw new Error(`there is no device ${edgeId}`);
    return found;
  }

  #network(): Network {
    const { clock, random } = this;
    return new Network({ clock, random, delayMs: this.#options.delayMs ?? [5, 60] });
  }

  async #settleIn(): Promise<void> {
    const post = async (url: string, body?: object) => {
      const answer = await this.cloud.call("POST", url, this.#token, body);
      if (answer?.status !== 201) throw new Error(`${url}: ${JSON.stringify(answer)}`);
      return answer.body;
    };
    const account = await post("/api/accounts", LOGIN);
    this.#token = (await post("/api/accounts/login", { ...LOGIN, keepMeLoggedIn: true })).token;
    this.environmentId = account.environmentId;
    this.ecosystemId = account.ecosystemId;
    this.clientId = (await post("/api/clients", { environmentId: this.environmentId })).id;
    this.clientToken = (await post(`/api/clients/${this.clientId}/tokens`)).token;
    this.#hub = this.anotherHub(this.folder);
  }

  async #isCalm(): Promise<boolean> {
    const answer = await this.get("/api/devices");
    const devices: { id: string; edgeId: string; connection: { state: string } }[] = answer?.body.items ?? [];
    for (const { id, edgeId } of devices) this.#ids.set(edgeId, id);
    const own = [...this.nodes, ...this.#networkNodes].flatMap((node) => node.devices);
    const expected = own.length;
    // What further drivers have is its test's concern.
    const online = devices.filter(
      ({ edgeId, connection }) => connection.state === "online" && own.some((device) => device.edgeId === edgeId),
    ).length;
    const isReported = this.nodes.every((node) => node.untold === 0);
    return online === expected && isReported && this.hub.running && this.hub.agent.status().queue.records === 0;
  }
}

function definitionsOf(example: string) {
  const read = readDefinitions(readFileSync(join(ROOT, "firmware-sim/examples", example), "utf8"));
  return read.kind === "ok" ? read.nodes : [];
}
