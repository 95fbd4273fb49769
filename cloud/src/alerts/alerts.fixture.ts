/** Alerts over a store without the rest of the cloud: homes as rows that a test changes, nodes that look, and the alerts and emails that result. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AlertSettingsUpdate } from "@porchlight/shared/api";
import { IdMaker, seededRandom, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { DEFAULT_META_PREFIX, EMPTY_META, type Keyring, openKeyring, replaceMeta } from "../access/index.ts";
import { Outbox } from "../mail/index.ts";
import { emailPurpose } from "../mail/outbox.ts";
import { insertEcosystem } from "../places/index.ts";
import { type FreshLocation, freshLocation } from "../store/fresh-store.fixture.ts";
import { type AlertRow, Store, type Transaction } from "../store/index.ts";
import { changedSettings, DEFAULT_SETTINGS } from "./alert-settings.ts";
import { AlertWatch } from "./alert-watch.ts";
import type { QuotaState } from "./incidents.ts";
import { storeSettings } from "./service-queries.ts";

const ACCOUNT = "acc_1";
export const ECO = "eco_1";
const ENV = "env_1";
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** A node of these tests, with what a test can set. */
export interface LookingNode {
  readonly watch: AlertWatch;
  readonly store: Store;
  /** As it sees itself. */
  standing: { isAlive: boolean; isFirst: boolean; startedAt: number };
}

export class AlertWorld implements AsyncDisposable {
  readonly clock: VirtualClock;
  readonly store: Store;
  /** What each ecosystem uses. */
  readonly quotas = new Map<string, QuotaState[]>();
  readonly nodes: LookingNode[] = [];
  readonly #fresh: FreshLocation;
  readonly #folder: string;
  readonly #keyring: Keyring;
  readonly #random = seededRandom(7);

  private constructor(fresh: FreshLocation, store: Store, clock: VirtualClock, folder: string) {
    this.#fresh = fresh;
    this.store = store;
    this.clock = clock;
    this.#folder = folder;
    this.#keyring = openKeyring(join(folder, "secret.key"), this.#random);
  }

  /** An account with a verified address, an ecosystem and an environment, and a node that looks. @param at wall clock, ms */
  static async start(at?: number, fresh?: FreshLocation): Promise<AlertWorld> {
    const location = fresh ?? (await freshLocation());
    const clock = new VirtualClock(at);
    const store = await openStore(location, clock, 1);
    const world = new AlertWorld(location, store, clock, mkdtempSync(join(tmpdir(), "porchlight-alerts-")));
    await world.account(ACCOUNT);
    await world.ecosystem(ECO);
    world.node(store);
    return world;
  }

  /** Another process on the same data. */
  async anotherNode(): Promise<LookingNode> {
    return this.node(await openStore(this.#fresh, this.clock, 10 + this.nodes.length));
  }

  node(store: Store): LookingNode {
    const standing = { isAlive: true, isFirst: true, startedAt: this.clock.now() };
    const watch = AlertWatch.start({
      store,
      clock: this.clock,
      log: silentLog,
      outbox: new Outbox({ keyring: this.#keyring }),
      serviceUrl: () => "https://porchlight.example",
      node: {
        isAlive: () => standing.isAlive,
        isFirst: () => standing.isFirst,
        oldestStart: () => standing.startedAt,
      },
      quotasOf: async (eco) => this.quotas.get(eco) ?? [],
    });
    const node = { watch, store, standing };
    this.nodes.push(node);
    return node;
  }

  /** Time goes by in looks of half a minute. */
  async pass(ms: number): Promise<void> {
    for (let gone = 0; gone < ms; gone += 30_000) {
      await this.clock.advance(30_000);
      await this.look();
    }
  }

  async look(): Promise<void> {
    await Promise.all(this.nodes.map(({ watch }) => watch.look()));
  }

  async account(id: string, verified = true): Promise<void> {
    const email = `${id}@example.com`;
    const row = { id, email, email_key: email, name: null, password_hash: "", created_at: 0 };
    const verified_at = verified ? 0 : null;
    await this.store.writeService((tx) => tx.change(tx.build.insertInto("accounts").values({ ...row, verified_at })));
  }

  async ecosystem(eco: string, account = ACCOUNT): Promise<void> {
    await this.store.write(eco, async (tx) => {
      await insertEcosystem(tx, account, eco, 0);
      await object(tx, eco, ENV, "env", null);
    });
  }

  settings(change: AlertSettingsUpdate, account = ACCOUNT): Promise<void> {
    const settings = changedSettings(DEFAULT_SETTINGS, change);
    return this.store.writeService((tx) => storeSettings(tx, account, settings));
  }

  /** A hub that has been online since now. */
  hub(id: string, eco = ECO): Promise<void> {
    const bound = { public_key: null, edge_id: null, epoch: 1, log_id: null, position: 0, inventory_digest: null };
    const agent = { agent_version: null, stores_scenes: null };
    const seen = { ...agent, online: 1, online_since: this.clock.now(), last_seen_at: null, reason: null };
    return this.store.write(eco, async (tx) => {
      await object(tx, eco, id, "cli", ENV);
      const row = { ecosystem_id: eco, id, environment_id: ENV, ...bound, ...seen };
      await tx.change(tx.build.insertInto("clients").values(row));
    });
  }

  /** It comes or goes now. */
  presence(id: string, online: boolean, eco = ECO): Promise<number> {
    const now = { online: online ? 1 : 0, online_since: this.clock.now() };
    return this.store.write(eco, (tx) =>
      tx.change(tx.build.updateTable("clients").set(now).where("ecosystem_id", "=", eco).where("id", "=", id)),
    );
  }

  /** Changes its name. Its alias stays. */
  rename(id: string, name: string, eco = ECO): Promise<number> {
    const meta = replaceMeta(EMPTY_META, { "$.name": name }, DEFAULT_META_PREFIX);
    return this.store.write(eco, (tx) =>
      tx.change(tx.build.updateTable("objects").set({ meta }).where("ecosystem_id", "=", eco).where("id", "=", id)),
    );
  }

  /** Deletes it. */
  gone(id: string, eco = ECO): Promise<number> {
    return this.store.write(eco, (tx) =>
      tx.change(
        tx.build
          .updateTable("objects")
          .set({ gone_at: tx.now(), alias: null })
          .where("ecosystem_id", "=", eco)
          .where("id", "=", id),
      ),
    );
  }

  device(id: string, eco = ECO): Promise<void> {
    const link = { type: "physical", edge_id: null, client_id: null, arrival: 0, digest: "", description: "[]" };
    const row = { ecosystem_id: eco, id, environment_id: ENV, ...link, about: "{}" };
    return this.store.write(eco, async (tx) => {
      await object(tx, eco, id, "dev", ENV);
      await tx.change(
        tx.build.insertInto("devices").values({ ...row, online: 1, online_since: 0, last_seen_at: null }),
      );
    });
  }

  /** A value of its battery is reported now. */
  battery(device_id: string, property: "percent" | "low", value: number | boolean, eco = ECO): Promise<number> {
    const key = { ecosystem_id: eco, device_id, service: "Battery", idx: "0", property, environment_id: ENV };
    const now = this.clock.now();
    const reading = { value: JSON.stringify(value), number: 1, modified_at: now, observed_at: now };
    return this.store.write(eco, (tx) =>
      tx.change(
        tx.build
          .insertInto("property_values")
          .values({ ...key, ...reading })
          .onConflict((conflict) =>
            conflict.columns(["ecosystem_id", "device_id", "service", "idx", "property"]).doUpdateSet(reading),
          ),
      ),
    );
  }

  /** Fails from now on, or not any more. */
  async webhook(id: string, state: { failing: boolean; disabled?: boolean }, eco = ECO): Promise<void> {
    const about = { environment_id: null, url: "https://receiver.example/hook?key=secret", description: null };
    const rest = { events: '["*"]', secrets: "", created_at: 0, disabled: state.disabled ? 1 : 0 };
    const failing_since = state.failing ? this.clock.now() : null;
    await this.store.write(eco, async (tx) => {
      const changed = await tx.change(
        tx.build
          .updateTable("webhooks")
          .set({ failing_since, disabled: rest.disabled })
          .where("ecosystem_id", "=", eco)
          .where("id", "=", id),
      );
      if (changed > 0) return;
      await object(tx, eco, id, "whk", null);
      await tx.change(
        tx.build.insertInto("webhooks").values({ ecosystem_id: eco, id, ...about, ...rest, failing_since }),
      );
    });
  }

  alerts(eco = ECO): Promise<AlertRow[]> {
    const { sql } = this.store.of(eco);
    return sql.query(this.store.of(eco).from("alerts").selectAll().orderBy("id"));
  }

  /** Types of events about alerts, with their subject. */
  async events(eco = ECO): Promise<string[]> {
    const { sql } = this.store.of(eco);
    const rows = await sql.query(this.store.of(eco).from("events").select(["type", "data"]).orderBy("sequence"));
    return rows.map(({ type, data }) => `${type} ${JSON.parse(data).subject.id}`);
  }

  /** What waits to be sent, oldest first. */
  async emails(): Promise<{ to: string; subject: string; text: string }[]> {
    const { service } = this.store;
    const rows = await service.query(service.build.selectFrom("letters").selectAll().orderBy("id"));
    return rows.map(({ id, sealed }) => {
      const [to, subject, text] = JSON.parse(this.#keyring.open(emailPurpose(id), sealed) ?? "[]");
      return { to, subject, text };
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { watch } of this.nodes) await watch[Symbol.asyncDispose]();
    for (const store of new Set(this.nodes.map((node) => node.store))) await store[Symbol.asyncDispose]();
    await this.#fresh[Symbol.asyncDispose]();
    rmSync(this.#folder, { recursive: true });
  }
}

async function openStore(fresh: FreshLocation, clock: VirtualClock, seed: number): Promise<Store> {
  const store = await Store.open({ ...fresh.opening, clock, ids: new IdMaker(clock, seededRandom(seed)) });
  const row = { id: `node_${seed}`, lease: 1, lease_until: clock.now(), started_at: clock.now() };
  await store.writeService((tx) => tx.change(tx.build.insertInto("nodes").values(row)));
  store.fenceBy({ nodeId: row.id, lease: row.lease });
  return store;
}

/** Its alias is its ID without the prefix, but for the environment. */
async function object(tx: Transaction, eco: string, id: string, kind: string, environment_id: string | null) {
  const row = {
    ecosystem_id: eco,
    id,
    kind,
    environment_id,
    alias: id === ENV ? "home" : id.slice(4),
    meta: "{}",
    version: 1,
  };
  await tx.change(tx.build.insertInto("objects").values({ ...row, created_at: 0, gone_at: null }));
}
