/** Sends webhooks: a worker for each enabled webhook of this node, woken when its log grows, when it changes, and at intervals. */
import { every, type IdMaker, nextTurn, type Random, Rounds, sleep, type Timer } from "@porchlight/shared/kernel";
import type { Keyring } from "../../access/index.ts";
import { type EventNotifier, LogReader } from "../../events/index.ts";
import type { Transaction } from "../../store/index.ts";
import type { Networks } from "../callback-url.ts";
import { EventFeed } from "../event-feed.ts";
import { findActiveWebhooks, type WebhookKey } from "../service-queries.ts";
import { ALL_CLAIMED, type Claimant, type Claims } from "../shared-claims.ts";
import { Connections, dnsResolve, type Resolve, WebhookSender } from "../webhook-sender.ts";
import type { Sender } from "../webhooks.ts";
import { EndpointWorker, type EndpointWorkerDeps } from "./endpoint-worker.ts";
import { AttemptCounts, AttemptRecorder, type AttemptRecorderDeps } from "./recorder.ts";
import { Slots } from "./slots.ts";
import { sweepDeliveries } from "./sweep.ts";

export interface DispatcherDeps extends Omit<AttemptRecorderDeps, "claims"> {
  readonly random: Random;
  readonly ids: IdMaker;
  readonly keyring: Keyring;
  readonly notifier: EventNotifier;
  /** The webhooks that this node sends; undefined: all. */
  readonly claims?: Claims | undefined;
  /** Networks that webhooks may be sent to besides public addresses. */
  readonly networks: Networks;
  /** Resolves names to addresses; defaults to DNS. */
  readonly resolve?: Resolve | undefined;
}

/** Interval at which every worker looks without a notification, ms: for changes by another program, and to store positions. */
const LOOK_EVERY = 30_000;
/** Interval at which expired deliveries are deleted, ms. */
const SWEEP_EVERY = 3_600_000;
/** Time for deliveries in flight to finish when the service stops, ms. */
const DRAIN_LIMIT = 5_000;
/** Webhooks read at once. */
const PAGE = 200;
/** Workers that look per turn of the event loop. */
const AT_A_TIME = 20;

interface Tenant {
  readonly workers: Map<string, EndpointWorker>;
  readonly unsubscribe: () => void;
}

export class Dispatcher implements Sender, Claimant, AsyncDisposable {
  readonly #deps: DispatcherDeps;
  readonly #claims: Claims;
  readonly #connections = new Connections();
  readonly #counts = new AttemptCounts();
  readonly #recorder: AttemptRecorder;
  readonly #workerDeps: EndpointWorkerDeps;
  /** Aborted when no more deliveries may start. */
  readonly #draining = new AbortController();
  /** By ecosystem, then by webhook ID. */
  readonly #tenants = new Map<string, Tenant>();
  readonly #timers: readonly Timer[];
  readonly #looking = new Rounds(() => this.#lookAtAll());
  /** Runs again if it is asked while it is running. */
  readonly #sweeping = new Rounds(() => this.#sweepAll());

  private constructor(deps: DispatcherDeps) {
    const { clock, networks, resolve = dnsResolve(), claims = ALL_CLAIMED } = deps;
    this.#deps = deps;
    this.#claims = claims;
    this.#recorder = new AttemptRecorder({ ...deps, claims });
    this.#workerDeps = {
      ...deps,
      claims,
      sender: new WebhookSender({ clock, networks, resolve, connections: this.#connections }),
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

  /** Starts, and continues the deliveries of an earlier process. */
  static start(deps: DispatcherDeps): Dispatcher {
    const dispatcher = new Dispatcher(deps);
    dispatcher.#claims.begin(dispatcher);
    dispatcher.gained();
    return dispatcher;
  }

  /** Attempts since the start, by result. */
  get attempts(): ReadonlyMap<string, number> {
    return this.#counts.all;
  }

  /** Backlog of the slowest webhook, in events. */
  get lag(): number {
    return this.#all().reduce((most, worker) => Math.max(most, worker.lag), 0);
  }

  async changed(tx: Transaction, ecosystemId: string, webhookId: string): Promise<void> {
    await this.#claims.call(tx, ecosystemId, webhookId);
    tx.afterCommit(() => this.wake(ecosystemId, webhookId));
  }

  wake(ecosystemId: string, webhookId: string): void {
    if (this.#sends(webhookId)) void this.#worker(ecosystemId, webhookId).wake();
  }

  /** An ecosystem has changed or is deleted. */
  wakeAll(ecosystemId: string): void {
    if (this.#draining.signal.aborted) return;
    for (const worker of this.#tenants.get(ecosystemId)?.workers.values() ?? []) void worker.wake();
  }

  gained(): void {
    void this.#looking.ask();
  }

  async quiet(isOf: (webhookId: string) => boolean): Promise<void> {
    const workers = this.#all().filter(({ webhookId }) => isOf(webhookId));
    await Promise.all(workers.map((worker) => worker.close()));
    for (const worker of workers) this.#drop(worker);
  }

  lost(isOf: (webhookId: string) => boolean): void {
    for (const worker of this.#all()) if (isOf(worker.webhookId)) this.#drop(worker);
  }

  sweep(): void {
    void this.#sweeping.ask();
  }

  /** Starts no more deliveries, and resolves when those in flight have ended and are stored. */
  async drain(): Promise<void> {
    const { clock } = this.#deps;
    this.#draining.abort(new Error("the service stops"));
    for (const timer of this.#timers) timer.cancel();
    const quiet = Promise.all(this.#all().map((worker) => worker.quiet()));
    const isQuiet = new AbortController();
    const limit = sleep(clock, "webhook drain", DRAIN_LIMIT, isQuiet.signal).catch(() => undefined);
    await Promise.race([quiet, limit]);
    isQuiet.abort();
    for (const worker of this.#all()) worker.end();
    await quiet;
    await this.#recorder.idle();
    await this.#claims.leave();
  }

  /** Aborts deliveries in flight; the next process sends them again. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#draining.abort(new Error("the service stops"));
    for (const worker of this.#all()) worker.end();
    this.#recorder.end();
    await this.drain();
    for (const { unsubscribe } of this.#tenants.values()) unsubscribe();
    await Promise.all([this.#looking.end(), this.#sweeping.running]);
    await this.#claims[Symbol.asyncDispose]();
    await this.#connections[Symbol.asyncDispose]();
  }

  /** Whether this node may start a delivery of the webhook. */
  #sends(webhookId: string): boolean {
    return !this.#draining.signal.aborted && this.#claims.holds(webhookId);
  }

  #grown(workers: ReadonlyMap<string, EndpointWorker>, sequence: number): void {
    if (this.#draining.signal.aborted) return;
    for (const worker of workers.values()) worker.grown(sequence);
  }

  #all(): EndpointWorker[] {
    return [...this.#tenants.values()].flatMap(({ workers }) => [...workers.values()]);
  }

  #worker(ecosystemId: string, webhookId: string): EndpointWorker {
    const { workers } = this.#tenants.get(ecosystemId) ?? this.#follow(ecosystemId);
    const known = workers.get(webhookId);
    if (known) return known;
    const worker = new EndpointWorker(this.#workerDeps, ecosystemId, webhookId);
    workers.set(webhookId, worker);
    return worker;
  }

  #follow(ecosystemId: string): Tenant {
    const workers = new Map<string, EndpointWorker>();
    const unsubscribe = this.#deps.notifier.subscribe(ecosystemId, (sequence) => this.#grown(workers, sequence));
    const tenant = { workers, unsubscribe };
    this.#tenants.set(ecosystemId, tenant);
    return tenant;
  }

  async #lookAtAll(): Promise<void> {
    const { store, log } = this.#deps;
    for (const worker of this.#all()) {
      worker.keepPosition();
      if (worker.isOver) this.#drop(worker);
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
      log.warn({ error }, "webhooks could not be read; will retry");
    }
  }

  /** Wakes a few at a time, so that many webhooks do not delay other work. */
  async #wakeAll(webhooks: readonly WebhookKey[]): Promise<void> {
    for (let at = 0; at < webhooks.length; at += AT_A_TIME) {
      const some = webhooks.slice(at, at + AT_A_TIME).filter(({ id }) => this.#sends(id));
      await Promise.all(some.map(({ ecosystem_id, id }) => this.#worker(ecosystem_id, id).wake()));
      await nextTurn();
    }
  }

  async #sweepAll(): Promise<void> {
    const { store, clock, log } = this.#deps;
    const goesOn = () => !this.#draining.signal.aborted;
    if (!goesOn()) return;
    await sweepDeliveries(store, log, clock.now(), goesOn).catch((error: unknown) =>
      log.warn({ error }, "old deliveries could not be deleted; will retry"),
    );
  }

  #drop(worker: EndpointWorker): void {
    worker.end();
    const tenant = this.#tenants.get(worker.ecosystemId);
    // Another worker may have replaced it.
    if (tenant?.workers.get(worker.webhookId) !== worker) return;
    tenant.workers.delete(worker.webhookId);
    if (tenant.workers.size > 0) return;
    tenant.unsubscribe();
    this.#tenants.delete(worker.ecosystemId);
  }
}
