/** Nodes that send webhooks from one PostgreSQL: each with a store, a clock and a lease of its own, and dying as a test says. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { IdMaker, seededRandom, settle, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { type Keyring, openKeyring } from "../access/index.ts";
import { EventNotifier, LogWatch } from "../events/index.ts";
import { type FreshLocation, freshLocation } from "../store/fresh-store.fixture.ts";
import { type DeliveryRow, Store, type WebhookRow } from "../store/index.ts";
import { readNetworks } from "./callback-url.ts";
import { Dispatcher } from "./delivery/dispatcher.ts";
import { SharedClaims } from "./shared-claims.ts";
import { secretPurpose, secretsText } from "./signature.ts";
import { insertWebhook } from "./webhook-store.ts";

const ECO = "eco_1";

/** One that sends. */
export class SendingNode {
  readonly name: string;
  readonly store: Store;
  readonly clock: VirtualClock;
  readonly claims: SharedClaims;
  readonly dispatcher: Dispatcher;
  /** As its own clock would tell it. */
  isAlive = true;
  readonly #ends: (() => Promise<void>)[];

  constructor(name: string, store: Store, clock: VirtualClock, keyring: Keyring, seed: number) {
    this.name = name;
    this.store = store;
    this.clock = clock;
    const base = { store, clock, log: silentLog, random: seededRandom(seed) };
    this.claims = new SharedClaims({ ...base, isAlive: () => this.isAlive });
    const notifier = EventNotifier.start(store);
    const watch = LogWatch.start({ ...base, notifier });
    this.dispatcher = Dispatcher.start({
      ...{ ...base, keyring, notifier, claims: this.claims, ids: new IdMaker(clock, base.random) },
      ...{ outbox: { notify: async () => false }, serviceUrl: () => "" },
      networks: readNetworks(["127.0.0.0/8"]),
    });
    this.#ends = [
      () => this.dispatcher[Symbol.asyncDispose](),
      () => watch[Symbol.asyncDispose](),
      () => this.store[Symbol.asyncDispose](),
    ];
  }

  /** A second of its time. */
  async second(): Promise<void> {
    await this.clock.advance(1_000);
  }

  /** Whether an attempt waits for its receiver. */
  get isSending(): boolean {
    return this.clock.pending().includes("webhook delivery");
  }

  /** Whether attempts that have ended could not be stored, and wait for a second of its time to be stored again. */
  get hasFailedToStore(): boolean {
    return this.clock.pending().includes("webhook recorder");
  }

  /** At once, in the middle of its work. */
  async kill(): Promise<void> {
    this.isAlive = false;
    await this.store.kill().catch(() => undefined);
    await this.end();
  }

  async end(): Promise<void> {
    for (const end of this.#ends.splice(0)) await end().catch(() => undefined);
  }
}

export class SendingNodes implements AsyncDisposable {
  readonly living: SendingNode[] = [];
  readonly #fresh: FreshLocation;
  readonly #folder: string;
  readonly #keyring: Keyring;
  readonly #watcher: Store;
  #count = 0;

  private constructor(fresh: FreshLocation, folder: string, keyring: Keyring, watcher: Store) {
    this.#fresh = fresh;
    this.#folder = folder;
    this.#keyring = keyring;
    this.#watcher = watcher;
  }

  static async start(): Promise<SendingNodes> {
    const fresh = await freshLocation(true);
    const folder = mkdtempSync(join(tmpdir(), "porchlight-nodes-"));
    const random = seededRandom(1);
    const clock = new VirtualClock();
    const watcher = await Store.open({ ...fresh.opening, clock, ids: new IdMaker(clock, random) });
    await watcher.writeService((tx) =>
      tx.change(tx.build.insertInto("ecosystems").values({ id: ECO, account_id: "acc_1", gone_at: null })),
    );
    return new SendingNodes(fresh, folder, openKeyring(join(folder, "secret.key"), random), watcher);
  }

  async join(): Promise<SendingNode> {
    this.#count += 1;
    const name = `node_${this.#count}`;
    const clock = new VirtualClock();
    const ids = new IdMaker(clock, seededRandom(100 + this.#count));
    const store = await Store.open({ ...this.#fresh.opening, clock, ids });
    await this.relet(store, name);
    const node = new SendingNode(name, store, clock, this.#keyring, this.#count);
    this.living.push(node);
    return node;
  }

  /** A lease of that name for the store. */
  async relet(store: Store, name: string): Promise<void> {
    const row = { id: name, lease: 1, lease_until: 0, started_at: 0 };
    await this.#watcher.writeService((tx) => tx.change(tx.build.insertInto("nodes").values(row)));
    store.fenceBy({ nodeId: name, lease: 1 });
  }

  /** As the others do it that have seen it make no move for a lease. */
  async forget(node: SendingNode): Promise<void> {
    this.living.splice(this.living.indexOf(node), 1);
    await this.#watcher.writeService((tx) => tx.change(tx.build.deleteFrom("nodes").where("id", "=", node.name)));
  }

  async webhook(id: string, url: string): Promise<void> {
    const secrets = this.#keyring.seal(secretPurpose(id), secretsText([{ secret: `whsec_${"A".repeat(32)}` }]));
    const object = { ecosystem_id: ECO, id, kind: "whk", environment_id: null, alias: null, meta: "{}", version: 1 };
    await this.#watcher.write(ECO, async (tx) => {
      await tx.change(tx.build.insertInto("objects").values({ ...object, created_at: 0, gone_at: null }));
      await insertWebhook(tx, {
        ...{ ecosystem_id: ECO, id, environment_id: null, url, description: null, disabled: 0, events: '["*"]' },
        ...{ secrets, failing_since: null, created_at: 0 },
      });
    });
    for (const node of this.living) node.dispatcher.gained();
  }

  /** Of a thing, on no node of these. */
  async happen(about: string): Promise<void> {
    await this.#watcher.write(ECO, async (tx) => tx.append({ type: "zone.updated", data: { id: about } }));
  }

  deliveries(): Promise<DeliveryRow[]> {
    const { build } = this.#watcher.service;
    return this.#watcher.service.query(build.selectFrom("deliveries").selectAll().orderBy("sequence"));
  }

  webhooks(): Promise<WebhookRow[]> {
    const { build } = this.#watcher.service;
    return this.#watcher.service.query(build.selectFrom("webhooks").selectAll());
  }

  /** Who has how many shares, by the database. */
  async shares(): Promise<Record<string, number>> {
    const { build } = this.#watcher.service;
    const rows = await this.#watcher.service.query(build.selectFrom("webhook_shares").select("node_id"));
    const counts: Record<string, number> = {};
    for (const { node_id } of rows) counts[node_id] = (counts[node_id] ?? 0) + 1;
    return counts;
  }

  /** A second of all that live, after the attempts under way: a receiver answers in real time, and its limit is one of virtual time. */
  async second(): Promise<void> {
    for (const node of this.living) {
      while (node.isSending) await settle();
      await node.second();
    }
  }

  /** Seconds of all that live, until it is so. */
  async until(isSo: () => Promise<boolean>): Promise<void> {
    while (!(await isSo())) await this.second();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const node of this.living) await node.end();
    await this.#watcher[Symbol.asyncDispose]();
    await this.#fresh[Symbol.asyncDispose]();
    rmSync(this.#folder, { recursive: true });
  }
}
