/** History over a store without the rest of the cloud: devices as rows, what happens to them as events, and nodes that record. */

import { formatTime } from "@porchlight/shared/api";
import { IdMaker, type Log, seededRandom, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { describe, type PropertyDescription } from "@porchlight/shared/model";
import { propertyItem } from "@porchlight/shared/rest";
import { insertEcosystem } from "../places/index.ts";
import { type FreshLocation, freshLocation } from "../store/fresh-store.fixture.ts";
import { Store, type Transaction } from "../store/index.ts";
import { History, type HistoryDeps } from "./history.ts";

export const ECO = "eco_1";
const ENV = "env_1";
export const DEV = "dev_1";
export const HUB = "cli_1";
export const SECOND = 1_000;
export const MINUTE = 60_000;
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

const LIMITS: HistoryDeps["limits"] = { rawDays: 10, statisticsDays: 730, mostRawDays: 90, mostStatisticsDays: 3_660 };
const READ = ["read", "notify"] as const;
const PROPERTIES: readonly PropertyDescription[] = [
  { property: "celsius", type: "number", unit: "°C", access: READ },
  { property: "on", type: "boolean", access: READ },
  { property: "event", type: "string", access: ["notify"] },
];
/** Of each device. */
const DESCRIPTION = [
  { service: "Sensor", index: "0", properties: PROPERTIES },
  {
    service: "Electricity",
    index: "0",
    properties: [{ property: "energy", type: "number", unit: "kWh", access: READ }],
  },
] as const;

export class HistoryWorld implements AsyncDisposable {
  readonly clock: VirtualClock;
  readonly fresh: FreshLocation;
  readonly nodes: { readonly store: Store; readonly history: History; chosen: boolean }[] = [];

  /** What was logged at the level of errors. */
  readonly errors: string[] = [];
  readonly #dying: Promise<void>[] = [];

  private constructor(fresh: FreshLocation, clock: VirtualClock) {
    this.fresh = fresh;
    this.clock = clock;
  }

  /** An ecosystem with one device on one hub, and a node. */
  static async start(limits: Partial<HistoryDeps["limits"]> = {}): Promise<HistoryWorld> {
    const world = new HistoryWorld(await freshLocation(), new VirtualClock());
    const { store } = await world.node(limits);
    await store.write(ECO, async (tx) => {
      await insertEcosystem(tx, "acc_1", ECO, 0);
    });
    await world.device(DEV);
    return world;
  }

  /** Another process on the same data. */
  async node(limits: Partial<HistoryDeps["limits"]> = {}) {
    const { clock, nodes } = this;
    const ids = new IdMaker(clock, seededRandom(10 + nodes.length));
    const store = await Store.open({ location: this.fresh.location, clock, ids });
    const standing = { chosen: true };
    const isChosen = () => standing.chosen;
    const log: Log = { ...silentLog, error: (_fields, message) => void this.errors.push(message) };
    const history = History.start({ store, clock, log, isChosen, limits: { ...LIMITS, ...limits } });
    const node = Object.assign(standing, { store, history });
    nodes.push(node);
    return node;
  }

  /** The last node is killed: its database takes nothing more of it. Another takes its place. */
  async replaceLast(): Promise<void> {
    const last = this.nodes.pop();
    // What it had asked may wait for seconds for an answer that does not come; the test goes on.
    if (last) this.#dying.push(last.store.kill().then(() => last.history[Symbol.asyncDispose]()));
    await this.node();
  }

  get first() {
    const [node] = this.nodes;
    if (!node) throw new Error("no node");
    return node;
  }

  get store(): Store {
    return this.first.store;
  }

  get history(): History {
    return this.first.history;
  }

  device(id: string, clientId: string | null = HUB): Promise<void> {
    const common = { ecosystem_id: ECO, id, environment_id: ENV };
    const about = { type: "physical", edge_id: id, client_id: clientId, arrival: 1, digest: "", about: "{}" };
    const description = JSON.stringify(DESCRIPTION);
    const row = { ...common, ...about, description, online: 1, online_since: 0, last_seen_at: null };
    return this.write(async (tx) => void (await tx.change(tx.build.insertInto("devices").values(row))));
  }

  /** The value that is stored now, as its last event says. */
  async stored(value: unknown, at: number, property = "celsius", deviceId = DEV): Promise<void> {
    const key = { ecosystem_id: ECO, device_id: deviceId, service: "Sensor", idx: "0", property };
    const row = {
      ...key,
      environment_id: ENV,
      value: JSON.stringify(value),
      number: 1,
      modified_at: at,
      observed_at: at,
    };
    await this.write(async (tx) => {
      await tx.change(
        tx.build.deleteFrom("property_values").where("device_id", "=", deviceId).where("property", "=", property),
      );
      await tx.change(tx.build.insertInto("property_values").values(row));
    });
  }

  /** A property changed. @param at now, unless it is reported later */
  changed(value: unknown, at = this.clock.now(), address = "Sensor:0.celsius", deviceId = DEV): Promise<void> {
    return this.write(async (tx) => tx.append(changeEvent(value, at, address, deviceId)));
  }

  /** A device or hub came or went. */
  presence(type: string, id: string, since = this.clock.now(), lastSeenAt?: number): Promise<void> {
    const seen = lastSeenAt === undefined ? {} : { lastSeenAt: formatTime(lastSeenAt) };
    const data = { id, connection: { state: "x", since: formatTime(since), ...seen } };
    return this.write(async (tx) => tx.append({ type, environmentId: ENV, data }));
  }

  write(job: (tx: Transaction) => Promise<void>): Promise<void> {
    return this.store.write(ECO, job);
  }

  /** Everything that was appended is recorded. */
  async recorded(): Promise<void> {
    await this.history.catchUp();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#dying);
    for (const { history, store } of this.nodes) {
      await history[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    }
    await this.fresh[Symbol.asyncDispose]();
  }
}

const properties = describe(DESCRIPTION).byKey;

/** What a device's report is in the log. */
export function changeEvent(value: unknown, at: number, address: string, deviceId: string) {
  const property = properties.get(address);
  if (!property) throw new Error(`no ${address}`);
  const place = { ecosystemId: ECO, environmentId: ENV, deviceId };
  const item = propertyItem(place, property, {
    value: JSON.stringify(value),
    number: 1,
    modifiedAt: at,
    observedAt: at,
  });
  return { type: "property.changed", environmentId: ENV, data: { item, cause: { kind: "device" } } };
}
