/**
 * One webhook's deliveries: reads the log behind its cursors and the pending retries, and sends as many concurrently as
 * the endpoint's behaviour permits. It is independent of other webhooks, and shares with them only slots, the reading
 * of the log, and the recorder.
 *
 * Invariants: an event that was read and is wanted stays open until it is recorded, and a position never passes an open
 * event; so every event is tried at least once, even if the process dies. The number of open events is bounded, so an
 * endpoint that accepts nothing costs no memory.
 */
import { type Clock, type IdMaker, type Log, type Random, Rounds, TaskSet } from "@porchlight/shared/kernel";
import type { Keyring } from "../../access/index.ts";
import type { LoggedEvent } from "../../events/index.ts";
import type { Store, WebhookRow } from "../../store/index.ts";
import type { EventFeed } from "../event-feed.ts";
import { isWanted, mayEnd, type Wanted } from "../replay.ts";
import { isSuccess } from "../schedule.ts";
import type { Claims } from "../shared-claims.ts";
import { readSecrets, type SigningKey, secretPurpose, signatureOf, signingKeys } from "../signature.ts";
import { patternsOf, requestHeaders } from "../webhook-resource.ts";
import type { Message, WebhookSender } from "../webhook-sender.ts";
import { findLivingWebhook } from "../webhook-store.ts";
import { Cursors } from "./cursors.ts";
import type { AttemptCounts, AttemptRecorder, Recorded } from "./recorder.ts";
import type { Attempt, CursorPosition } from "./recording.ts";
import type { Slots } from "./slots.ts";
import { eventTask, Repeats, type Task, TaskQueue } from "./task-queue.ts";

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
  /** Aborted when no more deliveries may start. */
  readonly begins: AbortSignal;
}

/** Maximum open tasks. More of the log is read when half of them are done. */
const WINDOW = 256;
/** Concurrent deliveries to one endpoint; a single one before its first success, and while it fails. */
const AT_ONCE = 8;
/** A longer answer makes an endpoint slow, ms. */
const SLOW = 1_000;

export class EndpointWorker implements Recorded {
  readonly ecosystemId: string;
  readonly webhookId: string;
  /** The name under which this node held the webhook when the worker started. */
  readonly holder: string;
  readonly #deps: EndpointWorkerDeps;
  readonly #queue = new TaskQueue();
  readonly #cursors: Cursors;
  readonly #repeats: Repeats;
  #endpoint: Endpoint | undefined;
  /** Tasks that are queued, in flight or not yet stored. */
  #open = 0;
  #asked = 0;
  readonly #delivering = new TaskSet();
  #pace: "untried" | "quick" | "slow" | "failing" = "untried";
  /** End of the log, as far as this worker was notified. */
  #newest = 0;
  /** The webhook's rows may have changed; the growth of the log does not count. */
  #isStale = true;
  readonly #loading = new Rounds(() => this.#load());
  /** Aborted when deliveries in flight must end. */
  readonly #stop = new AbortController();
  #closed = false;
  /** Called when attempts were stored, or never will be. */
  #onStored: (() => void) | undefined;

  constructor(deps: EndpointWorkerDeps, ecosystemId: string, webhookId: string) {
    this.#deps = deps;
    this.ecosystemId = ecosystemId;
    this.webhookId = webhookId;
    this.holder = deps.claims.holder;
    this.#cursors = new Cursors(ecosystemId, webhookId);
    this.#repeats = new Repeats(deps, ecosystemId, webhookId, () => void this.wake());
  }

  /** Looks at the webhook again after a possible change. Resolves when it has. */
  wake(): Promise<void> {
    this.#isStale = true;
    return this.#loading.ask();
  }

  /** The log has grown up to that sequence: the webhook itself is not read again. */
  grown(sequence: number): void {
    if (sequence <= this.#newest && !this.#isStale) return;
    this.#newest = Math.max(this.#newest, sequence);
    void this.#loading.ask();
  }

  /** Whether its webhook is deleted, or is disabled with no task left. */
  get isOver(): boolean {
    const isQuiet = this.#open === 0 && this.#loading.running === undefined && !this.#repeats.areComing;
    return isQuiet && this.#endpoint?.isDisabled !== false;
  }

  /** Backlog, in events that it has neither tried nor skipped; 0 for a disabled webhook. */
  get lag(): number {
    return this.#endpoint && !this.#endpoint.isDisabled ? this.#cursors.lag(this.#newest) : 0;
  }

  /** Resolves when no delivery is in flight. */
  async quiet(): Promise<void> {
    await this.#loading.running;
    await this.#delivering.idle();
  }

  /** Stores its position if the stored one is behind. */
  keepPosition(): void {
    if (this.#cursors.isAhead) this.#deps.recorder.add(this);
  }

  /** Starts no more deliveries. Resolves when those in flight have ended and are stored, with its position. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#loading.running;
    this.#repeats.end();
    // Tasks that have not started stay open at their cursor: the next worker reads them again.
    this.#open -= this.#queue.clear().length;
    await this.#delivering.idle();
    this.keepPosition();
    while (!this.#stop.signal.aborted && (this.#open > 0 || this.#cursors.isAhead))
      await new Promise<void>((resolve) => {
        this.#onStored = resolve;
      });
  }

  /** Aborts deliveries in flight. */
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
    // There is room again. A failed task has a time for its retry, or has disabled the webhook.
    if (attempts.every(({ sent }) => isSuccess(sent.outcome)) && !this.#repeats.hasMore) void this.#loading.ask();
    else void this.wake();
  }

  /** Whether a delivery may start now. */
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

  /** Reads the webhook and its pending work from the store. */
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

  /** Drops tasks that have not started; a pending retry among them is found again. */
  #giveBack(): void {
    for (const task of this.#queue.clear()) {
      this.#repeats.done(task);
      if (!task.row) this.#cursors.get(task.cursor ?? "")?.forget([task.sequence]);
      this.#open -= 1;
    }
  }

  /** Reads on behind each cursor, as far as there is room. @param isFresh whether the endpoint has just been read */
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
          // Must come before the cursor passes the event: an event without a possible task does not stay open.
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

  /** Requests as many slots as there are tasks to send. */
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

  /** Starts a delivery in a slot, which it holds until the release. */
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
      // It is unknown whether the delivery arrived: the next process sends it again.
      if (!signal.aborted) throw error;
    }
  }
}

/** A webhook's URL and signing keys: opened and parsed once from its row, and used for each delivery. */
interface Endpoint extends Wanted {
  readonly url: string;
  readonly keys: readonly SigningKey[];
  readonly isDisabled: boolean;
}

/** @throws "Internal Error" when its secrets cannot be opened */
function endpointOf(row: WebhookRow, keyring: Keyring): Endpoint {
  const { url, environment_id: environmentId, disabled } = row;
  const keys = signingKeys(readSecrets(keyring.open(secretPurpose(row.id), row.secrets)));
  return { url, keys, isDisabled: disabled === 1, patterns: patternsOf(row), environmentId };
}

/** The signed message of a task. @param now wall clock, ms */
function signedMessage({ keys }: Endpoint, { eventId, body }: Task, now: number): Message {
  const timestamp = Math.floor(now / 1000);
  const signature = signatureOf(keys, { id: eventId, timestamp, body }, now);
  return { headers: { ...requestHeaders(eventId, timestamp), "webhook-signature": signature }, body };
}
