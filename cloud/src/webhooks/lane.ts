/**
 * One webhook's deliveries: reads the log behind its cursors and what is to be tried again, and sends as much at once as the
 * endpoint deserves. It knows nothing of other webhooks, and shares with them only slots, the reading of the log, and the recorder.
 *
 * Invariants: what is read and wanted stays open until it is recorded, and a position never passes what is open; so whatever
 * dies, each event is tried at least once. No more than a window is open, so an endpoint that takes nothing costs no memory.
 */
import { type Clock, type IdMaker, type Log, type Random, Rounds, type Timer } from "@porchlight/shared/kernel";
import type { Keyring } from "../access/index.ts";
import type { Store } from "../store/index.ts";
import type { AttemptCounts } from "./attempt-counts.ts";
import type { Courier } from "./courier.ts";
import { Cursors } from "./cursors.ts";
import { dueDeliveries, nextDue } from "./delivery-store.ts";
import { type Endpoint, endpointOf, signedMessage } from "./endpoint.ts";
import type { EventFeed } from "./event-feed.ts";
import type { AttemptRecorder, Recorded } from "./recorder.ts";
import type { Attempt, CursorPosition } from "./recording.ts";
import { isSuccess } from "./schedule.ts";
import type { Slots } from "./slots.ts";
import { eventTask, repeatTask, type Task } from "./task.ts";
import { TaskQueue } from "./task-queue.ts";
import { isWanted, mayEnd } from "./wanted.ts";
import { findLivingWebhook } from "./webhook-store.ts";

export interface LaneDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: IdMaker;
  readonly log: Log;
  readonly keyring: Keyring;
  readonly courier: Courier;
  readonly slots: Slots;
  readonly feed: EventFeed;
  readonly recorder: AttemptRecorder;
  readonly counts: AttemptCounts;
  /** Aborted when nothing more is to begin. */
  readonly begins: AbortSignal;
  /** Aborted when what is under way is to end. */
  readonly signal: AbortSignal;
}

/** Tasks that are open at once. The log is read on when half of them are done. */
const WINDOW = 256;
/** Deliveries under way to one endpoint; one only until it has taken one, and while it fails. */
const AT_ONCE = 8;
/** Longer than this an endpoint is slow, ms. */
const SLOW = 1_000;

export class Lane implements Recorded {
  readonly ecosystemId: string;
  readonly webhookId: string;
  readonly #deps: LaneDeps;
  readonly #queue = new TaskQueue();
  readonly #cursors: Cursors;
  /** Deliveries with a row that are queued, under way or not yet stored. */
  readonly #openRows = new Set<string>();
  #endpoint: Endpoint | undefined;
  /** Tasks that are queued, under way or not yet stored. */
  #open = 0;
  #asked = 0;
  readonly #flying = new Set<Promise<void>>();
  #pace: "untried" | "quick" | "slow" | "failing" = "untried";
  /** The log goes up to here, as far as it was told. */
  #newest = 0;
  /** The store may know more of the webhook than it does: other than that the log has grown. */
  #isStale = true;
  /** There is more to be tried again than there was room for. */
  #hasMoreDue = false;
  readonly #loading = new Rounds(() => this.#load());
  #timer: Timer | undefined;

  constructor(deps: LaneDeps, ecosystemId: string, webhookId: string) {
    this.#deps = deps;
    this.ecosystemId = ecosystemId;
    this.webhookId = webhookId;
    this.#cursors = new Cursors(ecosystemId, webhookId);
  }

  /** Something may have changed. Settles when it has looked. */
  wake(): Promise<void> {
    this.#isStale = true;
    return this.#loading.ask();
  }

  /** The log has grown, up to there: that alone costs no look at the webhook itself. */
  grown(sequence: number): void {
    this.#newest = Math.max(this.#newest, sequence);
    void this.#loading.ask();
  }

  /** Whether its webhook has gone, or is disabled with nothing left to do. */
  get isOver(): boolean {
    const isQuiet = this.#open === 0 && this.#loading.running === undefined && this.#timer === undefined;
    return isQuiet && this.#endpoint?.isDisabled !== false;
  }

  /** Events that it has not tried or passed over; of a disabled webhook none. */
  get lag(): number {
    return this.#endpoint && !this.#endpoint.isDisabled ? this.#cursors.lag(this.#newest) : 0;
  }

  /** Settles when nothing is under way. */
  async quiet(): Promise<void> {
    await this.#loading.running;
    await Promise.all(this.#flying);
  }

  /** Stores how far it has come, when that is further than the store knows. */
  keepPosition(): void {
    if (this.#cursors.isAhead) this.#deps.recorder.add(this);
  }

  end(): void {
    this.#timer?.cancel();
  }

  positionsWith(attempts: readonly Attempt[]): readonly CursorPosition[] {
    return this.#cursors.positionsWith(attempts);
  }

  stored(attempts: readonly Attempt[], positions: readonly CursorPosition[]): void {
    this.#cursors.stored(attempts, positions);
    for (const { task } of attempts) if (task.row) this.#openRows.delete(task.row.id);
    this.#open -= attempts.length;
    // There is room again; what failed has a time at which it is tried again, or has disabled the webhook.
    if (attempts.every(({ sent }) => isSuccess(sent.outcome)) && !this.#hasMoreDue) void this.#loading.ask();
    else void this.wake();
  }

  async #load(): Promise<void> {
    const { begins, log } = this.#deps;
    if (begins.aborted) return;
    try {
      await this.#look();
    } catch (error) {
      this.#isStale = true;
      if (!begins.aborted)
        log.warn({ error, webhook: this.webhookId }, "a webhook could not be looked at; it is tried again");
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
    await this.#lookForRepeats();
    if (this.#endpoint.isDisabled) return;
    await this.#cursors.find(sql);
    this.#newest = Math.max(this.#newest, await feed.newest(this.ecosystemId));
  }

  /** What has not begun is none of its any more; a repeat that still is to be tried is found again. */
  #giveBack(): void {
    for (const task of this.#queue.clear()) {
      if (task.row) this.#openRows.delete(task.row.id);
      else this.#cursors.get(task.cursor ?? "")?.forget([task.sequence]);
      this.#open -= 1;
    }
  }

  async #lookForRepeats(): Promise<void> {
    const { store, clock } = this.#deps;
    const { sql } = store.of(this.ecosystemId);
    const now = clock.now();
    // What is recorded while the store looks may still be found as it was before.
    const open = new Set(this.#openRows);
    const limit = WINDOW - this.#open + open.size;
    const due = await dueDeliveries(sql, this.ecosystemId, this.webhookId, now, limit);
    this.#hasMoreDue = due.length === limit;
    for (const row of due) {
      if (open.has(row.id) || this.#open >= WINDOW) continue;
      this.#openRows.add(row.id);
      this.#add(repeatTask(row));
    }
    const next = await nextDue(sql, this.ecosystemId, this.webhookId, now);
    this.#timer?.cancel();
    this.#timer =
      next === undefined ? undefined : clock.timer("webhook retry", next - clock.now(), () => void this.wake());
  }

  /** Reads on behind each cursor, as far as there is room. @param isFresh whether the endpoint has just been looked at */
  async #follow(endpoint: Endpoint, isFresh: boolean): Promise<void> {
    if (this.#open > WINDOW / 2) return;
    for (const cursor of this.#cursors) {
      while (this.#open < WINDOW && !cursor.isRead && cursor.read < this.#newest) {
        const slice = await this.#deps.feed.read(this.ecosystemId, cursor.read);
        if (slice.kind === "lost") {
          this.#deps.log.warn(
            { webhook: this.webhookId, after: slice.after },
            "events are no longer kept; the webhook goes on behind them",
          );
          cursor.skipTo(slice.after);
          continue;
        }
        if (slice.events.length === 0) break;
        for (const event of slice.events) {
          if (this.#open >= WINDOW || cursor.isRead) break;
          if (!isFresh && mayEnd(endpoint, event)) return void this.wake();
          if (cursor.pass(event.sequence, isWanted(endpoint, event))) this.#add(eventTask(cursor.id, event));
        }
      }
    }
  }

  #add(task: Task): void {
    this.#open += 1;
    this.#queue.add(task);
  }

  /** Asks for as many slots as there is something to send in. */
  #send(): void {
    const { slots, begins } = this.#deps;
    const most = this.#pace === "failing" || this.#pace === "untried" ? 1 : AT_ONCE;
    while (!begins.aborted && this.#asked < Math.min(most - this.#flying.size, this.#queue.ready(most))) {
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
    const task = endpoint && !this.#deps.begins.aborted ? this.#queue.take() : undefined;
    if (!task || !endpoint) {
      release();
      return;
    }
    const flight = this.#deliver(task, endpoint).finally(() => {
      this.#flying.delete(flight);
      this.#queue.done(task);
      release();
      this.#send();
    });
    this.#flying.add(flight);
  }

  async #deliver(task: Task, endpoint: Endpoint): Promise<void> {
    const { clock, ids, random, courier, recorder, counts, signal } = this.#deps;
    const beganAt = clock.now();
    const id = task.row?.id ?? ids.next("dlv");
    try {
      const sent = await courier.send(endpoint.url, signedMessage(endpoint, task, beganAt), signal);
      counts.add(sent.outcome);
      this.#pace = !isSuccess(sent.outcome) ? "failing" : sent.durationMs > SLOW ? "slow" : "quick";
      recorder.add(this, { task, sent, id, beganAt, endedAt: clock.now(), fraction: random.fraction() });
    } catch (error) {
      // Nobody knows whether it came: it is tried again by whoever comes after this process.
      if (!signal.aborted) throw error;
    }
  }
}
