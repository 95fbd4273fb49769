/** Sends webhooks: a lane for each that is this node's and enabled, woken when its log grows, when it changes, and from time to time. */
import { every, type IdMaker, type Random, Rounds, sleep, type Timer } from "@porchlight/shared/kernel";
import type { Keyring } from "../access/index.ts";
import { type EventWakes, LogReader } from "../events/index.ts";
import type { Transaction } from "../store/index.ts";
import type { Networks } from "./address-rules.ts";
import { AttemptCounts } from "./attempt-counts.ts";
import { ALL_CLAIMED, type Claimant, type Claims } from "./claims.ts";
import { Connections } from "./connections.ts";
import { Courier } from "./courier.ts";
import { EventFeed } from "./event-feed.ts";
import { Lane, type LaneDeps } from "./lane.ts";
import { AttemptRecorder, type RecorderDeps } from "./recorder.ts";
import { dnsResolve, type Resolve } from "./resolver.ts";
import { findActiveWebhooks, type WebhookKey } from "./service-queries.ts";
import { Slots } from "./slots.ts";
import { sweepDeliveries } from "./sweep.ts";
import type { Sender } from "./webhooks.ts";

export interface DispatcherDeps extends Omit<RecorderDeps, "claims"> {
  readonly random: Random;
  readonly ids: IdMaker;
  readonly keyring: Keyring;
  readonly wakes: EventWakes;
  /** Which webhooks are sent from here; all of them when left out. */
  readonly claims?: Claims | undefined;
  /** Where webhooks may be sent to besides public addresses. */
  readonly networks: Networks;
  /** Names to addresses; by DNS when left out. */
  readonly resolve?: Resolve | undefined;
}

/** How often every lane looks without being told, ms: for what another program has written, and to keep positions. */
const LOOK_EVERY = 30_000;
/** How often what is too old is taken away, ms. */
const SWEEP_EVERY = 3_600_000;
/** What is under way when the service stops has this long to end, ms. */
const DRAIN_LIMIT = 5_000;
/** Webhooks that are looked for at once. */
const PAGE = 200;
/** Lanes that look before others get a turn. */
const AT_A_TIME = 20;

interface Tenant {
  readonly lanes: Map<string, Lane>;
  readonly unsubscribe: () => void;
}

export class Dispatcher implements Sender, Claimant, AsyncDisposable {
  readonly #deps: DispatcherDeps;
  readonly #claims: Claims;
  readonly #connections = new Connections();
  readonly #counts = new AttemptCounts();
  readonly #recorder: AttemptRecorder;
  readonly #ofLanes: LaneDeps;
  /** Nothing more begins. */
  readonly #draining = new AbortController();
  /** By ecosystem, and in it by ID. */
  readonly #tenants = new Map<string, Tenant>();
  readonly #timers: readonly Timer[];
  readonly #looking = new Rounds(() => this.#lookAtAll());
  /** What went while it was at work may have been missed: it looks once more. */
  readonly #sweeping = new Rounds(() => this.#sweepAll());

  private constructor(deps: DispatcherDeps) {
    const { clock, networks, resolve = dnsResolve(), claims = ALL_CLAIMED } = deps;
    this.#deps = deps;
    this.#claims = claims;
    this.#recorder = new AttemptRecorder({ ...deps, claims });
    this.#ofLanes = {
      ...deps,
      claims,
      courier: new Courier({ clock, networks, resolve, connections: this.#connections }),
      slots: new Slots(),
      feed: new EventFeed(new LogReader(deps.store)),
      recorder: this.#recorder,
      counts: this.#counts,
      begins: this.#draining.signal,
    };
    this.#timers = [
      every(clock, "webhooks", LOOK_EVERY, () => this.gained()),
      every(clock, "old deliveries", SWEEP_EVERY, () => this.sweep()),
    ];
  }

  /** Goes on with what an earlier process had begun. */
  static start(deps: DispatcherDeps): Dispatcher {
    const dispatcher = new Dispatcher(deps);
    dispatcher.#claims.begin(dispatcher);
    dispatcher.gained();
    return dispatcher;
  }

  /** Attempts since the start, by what became of them. */
  get attempts(): ReadonlyMap<string, number> {
    return this.#counts.all;
  }

  /** Events that the webhook furthest behind has not been tried with. */
  get lag(): number {
    return this.#all().reduce((most, lane) => Math.max(most, lane.lag), 0);
  }

  async changed(tx: Transaction, ecosystemId: string, webhookId: string): Promise<void> {
    await this.#claims.call(tx, ecosystemId, webhookId);
    tx.afterCommit(() => this.wake(ecosystemId, webhookId));
  }

  wake(ecosystemId: string, webhookId: string): void {
    if (this.#sends(webhookId)) void this.#lane(ecosystemId, webhookId).wake();
  }

  /** An ecosystem has changed, or has gone. */
  wakeAll(ecosystemId: string): void {
    if (this.#draining.signal.aborted) return;
    for (const lane of this.#tenants.get(ecosystemId)?.lanes.values() ?? []) void lane.wake();
  }

  gained(): void {
    void this.#looking.ask();
  }

  async quiet(isOf: (webhookId: string) => boolean): Promise<void> {
    const lanes = this.#all().filter(({ webhookId }) => isOf(webhookId));
    await Promise.all(lanes.map((lane) => lane.close()));
    for (const lane of lanes) this.#drop(lane);
  }

  lost(isOf: (webhookId: string) => boolean): void {
    for (const lane of this.#all()) if (isOf(lane.webhookId)) this.#drop(lane);
  }

  sweep(): void {
    void this.#sweeping.ask();
  }

  /** Begins nothing more, and settles when what was under way has ended and is stored. */
  async drain(): Promise<void> {
    const { clock } = this.#deps;
    this.#draining.abort(new Error("the service stops"));
    for (const timer of this.#timers) timer.cancel();
    const quiet = Promise.all(this.#all().map((lane) => lane.quiet()));
    const isQuiet = new AbortController();
    const limit = sleep(clock, "webhook drain", DRAIN_LIMIT, isQuiet.signal).catch(() => undefined);
    await Promise.race([quiet, limit]);
    isQuiet.abort();
    for (const lane of this.#all()) lane.end();
    await quiet;
    await this.#recorder.idle();
    await this.#claims.leave();
  }

  /** What is under way is broken off; the next process tries it again. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#draining.abort(new Error("the service stops"));
    for (const lane of this.#all()) lane.end();
    this.#recorder.end();
    await this.drain();
    for (const { unsubscribe } of this.#tenants.values()) unsubscribe();
    await Promise.all([this.#looking.end(), this.#sweeping.running]);
    await this.#claims[Symbol.asyncDispose]();
    await this.#connections[Symbol.asyncDispose]();
  }

  /** Whether a delivery of the webhook may begin here. */
  #sends(webhookId: string): boolean {
    return !this.#draining.signal.aborted && this.#claims.holds(webhookId);
  }

  #grown(lanes: ReadonlyMap<string, Lane>, sequence: number): void {
    if (this.#draining.signal.aborted) return;
    for (const lane of lanes.values()) lane.grown(sequence);
  }

  #all(): Lane[] {
    return [...this.#tenants.values()].flatMap(({ lanes }) => [...lanes.values()]);
  }

  #lane(ecosystemId: string, webhookId: string): Lane {
    const { lanes } = this.#tenants.get(ecosystemId) ?? this.#follow(ecosystemId);
    const known = lanes.get(webhookId);
    if (known) return known;
    const lane = new Lane(this.#ofLanes, ecosystemId, webhookId);
    lanes.set(webhookId, lane);
    return lane;
  }

  #follow(ecosystemId: string): Tenant {
    const lanes = new Map<string, Lane>();
    const unsubscribe = this.#deps.wakes.subscribe(ecosystemId, (sequence) => this.#grown(lanes, sequence));
    const tenant = { lanes, unsubscribe };
    this.#tenants.set(ecosystemId, tenant);
    return tenant;
  }

  async #lookAtAll(): Promise<void> {
    const { store, log } = this.#deps;
    for (const lane of this.#all()) {
      lane.keepPosition();
      if (lane.isOver) this.#drop(lane);
    }
    try {
      let after = { ecosystem_id: "", id: "" };
      while (!this.#draining.signal.aborted) {
        const some = await findActiveWebhooks(store, after, PAGE);
        await this.#wakeAll(some.filter(({ id }) => this.#claims.holds(id)));
        const last = some.at(-1);
        if (!last) return;
        after = last;
      }
    } catch (error) {
      log.warn({ error }, "webhooks could not be looked for; it is tried again");
    }
  }

  /** A few at a time, so that many webhooks hold nobody up. */
  async #wakeAll(webhooks: readonly WebhookKey[]): Promise<void> {
    for (let at = 0; at < webhooks.length; at += AT_A_TIME) {
      const some = webhooks.slice(at, at + AT_A_TIME).filter(({ id }) => this.#sends(id));
      await Promise.all(some.map(({ ecosystem_id, id }) => this.#lane(ecosystem_id, id).wake()));
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async #sweepAll(): Promise<void> {
    const { store, clock, log } = this.#deps;
    const goesOn = () => !this.#draining.signal.aborted;
    if (!goesOn()) return;
    await sweepDeliveries(store, clock.now(), goesOn).catch((error: unknown) =>
      log.warn({ error }, "old deliveries could not be taken away; it is tried again"),
    );
  }

  #drop(lane: Lane): void {
    lane.end();
    const tenant = this.#tenants.get(lane.ecosystemId);
    // Another may have taken its place.
    if (tenant?.lanes.get(lane.webhookId) !== lane) return;
    tenant.lanes.delete(lane.webhookId);
    if (tenant.lanes.size > 0) return;
    tenant.unsubscribe();
    this.#tenants.delete(lane.ecosystemId);
  }
}
