/** Sends webhooks: a lane for each that is enabled, woken when its ecosystem's log grows, when it changes, and from time to time. */
import { every, type IdMaker, type Random, Rounds, sleep, type Timer } from "@porchlight/shared/kernel";
import type { Keyring } from "../access/index.ts";
import { type EventWakes, LogReader } from "../events/index.ts";
import type { Networks } from "./address-rules.ts";
import { AttemptCounts } from "./attempt-counts.ts";
import { Connections } from "./connections.ts";
import { Courier } from "./courier.ts";
import { EventFeed } from "./event-feed.ts";
import { Lane, type LaneDeps } from "./lane.ts";
import { AttemptRecorder, type RecorderDeps } from "./recorder.ts";
import { dnsResolve, type Resolve } from "./resolver.ts";
import { findActiveWebhooks } from "./service-queries.ts";
import { Slots } from "./slots.ts";
import { sweepDeliveries } from "./sweep.ts";
import type { Sender } from "./webhooks.ts";

export interface DispatcherDeps extends RecorderDeps {
  readonly random: Random;
  readonly ids: IdMaker;
  readonly keyring: Keyring;
  readonly wakes: EventWakes;
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
/** Lanes that look before others get a turn. */
const AT_A_TIME = 20;

export class Dispatcher implements Sender, AsyncDisposable {
  readonly #deps: DispatcherDeps;
  readonly #connections = new Connections();
  readonly #counts = new AttemptCounts();
  readonly #recorder: AttemptRecorder;
  readonly #ofLanes: LaneDeps;
  /** Nothing more begins. */
  readonly #draining = new AbortController();
  /** What is under way ends. */
  readonly #stop = new AbortController();
  /** By ecosystem and ID. */
  readonly #lanes = new Map<string, Map<string, Lane>>();
  readonly #unsubscribe: () => void;
  readonly #timers: readonly Timer[];
  #looking: Promise<void> | undefined;
  /** What went while it was at work may have been missed: it looks once more. */
  readonly #sweeping = new Rounds(() => this.#sweepAll());

  private constructor(deps: DispatcherDeps) {
    const { clock, wakes, networks, resolve = dnsResolve() } = deps;
    this.#deps = deps;
    this.#recorder = new AttemptRecorder(deps);
    this.#ofLanes = {
      ...deps,
      courier: new Courier({ clock, networks, resolve, connections: this.#connections }),
      slots: new Slots(),
      feed: new EventFeed(new LogReader(deps.store)),
      recorder: this.#recorder,
      counts: this.#counts,
      begins: this.#draining.signal,
      signal: this.#stop.signal,
    };
    this.#unsubscribe = wakes.subscribeAll((eco, sequence) => this.#grown(eco, sequence));
    this.#timers = [
      every(clock, "webhooks", LOOK_EVERY, () => this.#look()),
      every(clock, "old deliveries", SWEEP_EVERY, () => this.sweep()),
    ];
  }

  /** Goes on with what an earlier process had begun. */
  static start(deps: DispatcherDeps): Dispatcher {
    const dispatcher = new Dispatcher(deps);
    dispatcher.#look();
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

  wake(ecosystemId: string, webhookId: string): void {
    if (!this.#draining.signal.aborted) void this.#lane(ecosystemId, webhookId).wake();
  }

  /** An ecosystem has changed, or has gone. */
  wakeAll(ecosystemId: string): void {
    if (this.#draining.signal.aborted) return;
    for (const lane of this.#lanes.get(ecosystemId)?.values() ?? []) void lane.wake();
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
    const limit = sleep(clock, "webhook drain", DRAIN_LIMIT, this.#stop.signal).catch(() => undefined);
    await Promise.race([quiet, limit]);
    this.#stop.abort(new Error("the service stops"));
    await quiet;
    await this.#recorder.idle();
  }

  /** What is under way is broken off; the next process tries it again. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#unsubscribe();
    this.#stop.abort(new Error("the service stops"));
    this.#recorder.end();
    await this.drain();
    for (const lane of this.#all()) lane.end();
    await Promise.all([this.#looking, this.#sweeping.running]);
    await this.#connections[Symbol.asyncDispose]();
  }

  #grown(ecosystemId: string, sequence: number): void {
    if (this.#draining.signal.aborted) return;
    for (const lane of this.#lanes.get(ecosystemId)?.values() ?? []) lane.grown(sequence);
  }

  #all(): Lane[] {
    return [...this.#lanes.values()].flatMap((lanes) => [...lanes.values()]);
  }

  #lane(ecosystemId: string, webhookId: string): Lane {
    const lanes = this.#lanes.get(ecosystemId) ?? new Map<string, Lane>();
    this.#lanes.set(ecosystemId, lanes);
    const known = lanes.get(webhookId);
    if (known) return known;
    const lane = new Lane(this.#ofLanes, ecosystemId, webhookId);
    lanes.set(webhookId, lane);
    return lane;
  }

  #look(): void {
    const { log } = this.#deps;
    this.#looking ??= this.#lookAtAll()
      .catch((error: unknown) => log.warn({ error }, "webhooks could not be looked for; it is tried again"))
      .finally(() => {
        this.#looking = undefined;
      });
  }

  /** A few at a time, so that many webhooks hold nobody up. */
  async #lookAtAll(): Promise<void> {
    const { store } = this.#deps;
    for (const lane of this.#all()) {
      lane.keepPosition();
      if (lane.isOver) this.#drop(lane);
    }
    let after = { ecosystem_id: "", id: "" };
    while (!this.#draining.signal.aborted) {
      const some = await findActiveWebhooks(store, after, AT_A_TIME);
      await Promise.all(some.map(({ ecosystem_id, id }) => this.#lane(ecosystem_id, id).wake()));
      const last = some.at(-1);
      if (!last) return;
      after = last;
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
    const lanes = this.#lanes.get(lane.ecosystemId);
    lanes?.delete(lane.webhookId);
    if (lanes?.size === 0) this.#lanes.delete(lane.ecosystemId);
  }
}
