/**
 * One webhook's deliveries: reads the log behind its cursors and what must be tried again, and sends as much at once as the
 * endpoint deserves. It knows nothing of other webhooks, and shares with them only slots, the reading of the log, and the recorder.
 *
 * Invariants: what is read and wanted stays open until it is recorded, and a position never passes what is open; so whatever
 * dies, each event is tried at least once. No more than a window is open, so an endpoint that takes nothing costs no memory.
 */
import { type Clock, type IdMaker, type Log, type Random, Rounds, TaskSet } from "@porchlight/shared/kernel";
import type { Keyring } from "../../access/index.ts";
import type { LoggedEvent } from "../../events/index.ts";
import type { Store } from "../../store/index.ts";
import type { EventFeed } from "../log/event-feed.ts";
import { isWanted, mayEnd } from "../log/wanted.ts";
import type { Claims } from "../ownership/claims.ts";
import { findLivingWebhook } from "../rows/webhook-store.ts";
import { isSuccess } from "../transport/schedule.ts";
import type { WebhookSender } from "../transport/webhook-sender.ts";
import type { AttemptCounts } from "./attempt-counts.ts";
import { Cursors } from "./cursors.ts";
import { type Endpoint, endpointOf, signedMessage } from "./endpoint.ts";
import type { AttemptRecorder, Recorded } from "./recorder.ts";
import type { Attempt, CursorPosition } from "./recording.ts";
import { Repeats } from "./repeats.ts";
import type { Slots } from "./slots.ts";
import { eventTask, type Task, TaskQueue } from "./task-queue.ts";

export interface EndpointWorkerDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: IdMaker;
  readonly log: Log;
  readonly keyring: Keyring;
  readonly sender: WebhookSender;
  readonly slots: Slots;
  readonly feed: EventFeed;
  readonly recorder: AttemptRecorder;
  readonly counts: AttemptCounts;
  readonly claims: Pick<Claims, "holds" | "holder">;
  /** Aborted when nothing more may begin. */
  readonly begins: AbortSignal;
}

/** Tasks that are open at once. The log is read on when half of them are done. */
const WINDOW = 256;
/** Deliveries under way to one endpoint; one only until it has taken one, and while it fails. */
const AT_ONCE = 8;
/** Longer than this an endpoint is slow, ms. */
const SLOW = 1_000;

export class EndpointWorker implements Recorded {
  readonly ecosystemId: string;
  readonly webhookId: string;
  /** The name under which this node held the webhook when the worker began. */
  readonly holder: string;
  readonly #deps: EndpointWorkerDeps;
  readonly #queue = new TaskQueue();
  readonly #cursors: Cursors;
  readonly #repeats: Repeats;
  #endpoint: Endpoint | undefined;
  /** Tasks that are queued, under way or not yet stored. */
  #open = 0;
  #asked = 0;
  readonly #delivering = new TaskSet();
  #pace: "untried" | "quick" | "slow" | "failing" = "untried";
  /** The log goes up to here, as far as it was told. */
  #newest = 0;
  /** The store may know more of the webhook than it does: other than that the log has grown. */
  #isStale = true;
  readonly #loading = new Rounds(() => this.#load());
  /** Aborted when what is under way is to end. */
  readonly #stop = new AbortController();
  #closed = false;
  /** Told when something was stored, or never will be. */
  #onStored: (() => void) | undefined;

  constructor(deps: EndpointWorkerDeps, ecosystemId: string, webhookId: string) {
    this.#deps = deps;
    this.ecosystemId = ecosystemId;
    this.webhookId = webhookId;
    this.holder = deps.claims.holder;
    this.#cursors = new Cursors(ecosystemId, webhookId);
    this.#repeats = new Repeats(deps, ecosystemId, webhookId, () => void this.wake());
  }

  /** Something may have changed. Settles when it has looked. */
  wake(): Promise<void> {
    this.#isStale = true;
    return this.#loading.ask();
  }

  /** The log goes up to there: that alone costs no look at the webhook itself. */
  grown(sequence: number): void {
    if (sequence <= this.#newest && !this.#isStale) return;
    this.#newest = Math.max(this.#newest, sequence);
    void this.#loading.ask();
  }

  /** Whether its webhook has gone, or is disabled with nothing left to do. */
  get isOver(): boolean {
    const isQuiet = this.#open === 0 && this.#loading.running === undefined && !this.#repeats.areComing;
    return isQuiet && this.#endpoint?.isDisabled !== false;
  }

  /** Events that it has not tried or passed over; of a disabled webhook none. */
  get lag(): number {
    return this.#endpoint && !this.#endpoint.isDisabled ? this.#cursors.lag(this.#newest) : 0;
  }

  /** Settles when nothing is under way. */
  async quiet(): Promise<void> {
    await this.#loading.running;
    await this.#delivering.idle();
  }

  /** Stores how far it has come, when that is further than the store knows. */
  keepPosition(): void {
    if (this.#cursors.isAhead) this.#deps.recorder.add(this);
  }

  /** Begins nothing more. Settles when what was under way has ended and is stored, and with it how far it has come. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#loading.running;
    this.#repeats.end();
    // What was read and has not begun stays open at its cursor: the next worker reads it again.
    this.#open -= this.#queue.clear().length;
    await this.#delivering.idle();
    this.keepPosition();
    while (!this.#stop.signal.aborted && (this.#open > 0 || this.#cursors.isAhead))
      await new Promise<void>((resolve) => {
        this.#onStored = resolve;
      });
  }

  /** Breaks off what is under way. */
  end(): void {
    this.#closed = true;
    this.#repeats.end();
    this.#stop.abort(new Error("the webhook is sent no more from here"));
    this.#onStored?.();
  }

  positionsWith(attempts: readonly Attempt[]): readonly CursorPosition[] {
    return this.#cursors.positionsWith(attempts);
  }

  stored(attempts: readonly Attempt[], positions: readonly CursorPosition[]): void {
    this.#cursors.stored(attempts, positions);
    for (const { task } of attempts) this.#repeats.done(task);
    this.#open -= attempts.length;
    this.#onStored?.();
    // There is room again; what failed has a time at which it is tried again, or has disabled the webhook.
    if (attempts.every(({ sent }) => isSuccess(sent.outcome)) && !this.#repeats.hasMore) void this.#loading.ask();
    else void this.wake();
  }

  /** Whether anything may begin now. */
  get #begins(): boolean {
    return !this.#closed && !this.#deps.begins.aborted && this.#deps.claims.holds(this.webhookId);
  }

  async #load(): Promise<void> {
    const { log } = this.#deps;
    if (!this.#begins) return;
    try {
      await this.#look();
    } catch (error) {
      this.#isStale = true;
      if (this.#begins)
        log.warn({ error, webhook: this.webhookId }, "a webhook or its events could not be read; will retry");
    }
    this.#send();
  }

  async #look(): Promise<void> {
    const isFresh = this.#isStale;
    if (isFresh) await this.#learn();
    if (this.#endpoint && !this.#endpoint.isDisabled) await this.#follow(this.#endpoint, isFresh);
  }

  /** All that the store knows of the webhook. */
  async #learn(): Promise<void> {
    const { store, keyring, feed } = this.#deps;
    this.#isStale = false;
    const { sql } = store.of(this.ecosystemId);
    const row = await findLivingWebhook(sql, this.ecosystemId, this.webhookId);
    this.#endpoint = row && endpointOf(row, keyring);
    if (!this.#endpoint || this.#endpoint.isDisabled) this.#giveBack();
    if (!this.#endpoint) return;
    for (const task of await this.#repeats.look(WINDOW - this.#open)) this.#add(task);
    if (this.#endpoint.isDisabled) return;
    await this.#cursors.find(sql);
    this.#newest = Math.max(this.#newest, await feed.newest(this.ecosystemId));
  }

  /** What has not begun is none of its any more; a repeat that still must be tried is found again. */
  #giveBack(): void {
    for (const task of this.#queue.clear()) {
      this.#repeats.done(task);
      if (!task.row) this.#cursors.get(task.cursor ?? "")?.forget([task.sequence]);
      this.#open -= 1;
    }
  }

  /** Reads on behind each cursor, as far as there is room. @param isFresh whether the endpoint has just been looked at */
  async #follow(endpoint: Endpoint, isFresh: boolean): Promise<void> {
    if (this.#open > WINDOW / 2) return;
    for (const cursor of this.#cursors) {
      while (this.#open < WINDOW && !cursor.isRead && cursor.read < this.#newest) {
        const slice = await this.#deps.feed.read(this.ecosystemId, cursor.read, this.#newest);
        if (slice.kind === "lost") {
          this.#deps.log.warn(
            { webhook: this.webhookId, after: slice.after },
            "events that a webhook has not received are no longer stored; it continues with the oldest stored event",
          );
          cursor.skipTo(slice.after);
          continue;
        }
        if (slice.events.length === 0) break;
        for (const event of slice.events) {
          if (this.#open >= WINDOW || cursor.isRead) break;
          if (!isFresh && mayEnd(endpoint, event)) return void this.wake();
          // Before the cursor passes it: of an event that no task can be made of, nothing stays open.
          const task = isWanted(endpoint, event) ? this.#taskOf(cursor.id, event) : undefined;
          if (cursor.pass(event.sequence, task !== undefined) && task) this.#add(task);
        }
      }
    }
  }

  #taskOf(cursor: string, event: LoggedEvent): Task | undefined {
    const { store, log } = this.#deps;
    const about = ({ id }: LoggedEvent) => ({ webhook: this.webhookId, event: id });
    return store.setAside.one(event, { loop: "webhook_events", log, about }, () => eventTask(cursor, event));
  }

  #add(task: Task): void {
    this.#open += 1;
    this.#queue.add(task);
  }

  /** Asks for as many slots as there is something to send in. */
  #send(): void {
    const { slots } = this.#deps;
    const most = this.#pace === "failing" || this.#pace === "untried" ? 1 : AT_ONCE;
    while (this.#begins && this.#asked < Math.min(most - this.#delivering.size, this.#queue.ready(most))) {
      this.#asked += 1;
      slots.ask(this.ecosystemId, this.#pace !== "quick", (release) => {
        this.#asked -= 1;
        this.#begin(release);
      });
    }
  }

  /** In a slot that is its own until it is released. */
  #begin(release: () => void): void {
    const endpoint = this.#endpoint;
    const task = endpoint && this.#begins ? this.#queue.take() : undefined;
    if (!task || !endpoint) {
      release();
      return;
    }
    void this.#delivering.add(this.#deliver(task, endpoint)).finally(() => {
      this.#queue.done(task);
      release();
      this.#send();
    });
  }

  async #deliver(task: Task, endpoint: Endpoint): Promise<void> {
    const { clock, ids, random, sender, recorder, counts } = this.#deps;
    const { signal } = this.#stop;
    const beganAt = clock.now();
    const id = task.row?.id ?? ids.next("dlv");
    try {
      const sent = await sender.send(endpoint.url, signedMessage(endpoint, task, beganAt), signal);
      counts.add(sent.outcome);
      this.#pace = !isSuccess(sent.outcome) ? "failing" : sent.durationMs > SLOW ? "slow" : "quick";
      recorder.add(this, { task, sent, id, beganAt, endedAt: clock.now(), fraction: random.fraction() });
    } catch (error) {
      // It is not known whether it came: the next process tries it again.
      if (!signal.aborted) throw error;
    }
  }
}
