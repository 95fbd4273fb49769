/**
 * One webhook's deliveries: reads the log behind its cursors and what must be tried again, and sends as much at once as the
 * endpoint deserves. It knows nothing of other webhooks, and shares with them only slots, the reading of the log, and the recorder.
 *
 * Invariants: what is read and wanted stays open until it is recorded, and a position never passes what is open; so whatever
 * dies, each event is tried at least once. No more than a window is open, so an endpoint that takes nothing costs no memory.
 */
import {
  type Clock,
  type IdMaker,
  type Log,
  type Random,
  Rounds,
  TaskSet,
  type Timer,
} from "@porchlight/shared/kernel";
import type { Keyring } from "../../access/index.ts";
import type { LoggedEvent } from "../../events/index.ts";
import type { Sql, Store, WebhookRow } from "../../store/index.ts";
import { Cursor } from "../log/cursor.ts";
import type { EventFeed } from "../log/event-feed.ts";
import { isWanted, mayEnd, type Wanted } from "../log/replay.ts";
import type { Claims } from "../ownership/shared-claims.ts";
import { dueDeliveries, nextDue, recordedSequences } from "../rows/delivery-store.ts";
import { readSecrets, type SigningKey, secretPurpose, signatureOf, signingKeys } from "../rows/signature.ts";
import { patternsOf, requestHeaders } from "../rows/webhook-resource.ts";
import { cursorsOf, findLivingWebhook } from "../rows/webhook-store.ts";
import { isSuccess } from "../transport/schedule.ts";
import type { Message, WebhookSender } from "../transport/webhook-sender.ts";
import type { AttemptCounts } from "./attempt-counts.ts";
import type { AttemptRecorder, Recorded } from "./recorder.ts";
import type { Attempt, CursorPosition } from "./recording.ts";
import type { Slots } from "./slots.ts";
import { eventTask, repeatTask, type Task, TaskQueue } from "./task-queue.ts";

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

/** Where a webhook is sent, and with what it is signed: opened and parsed once from its row, and used for each delivery. */
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

/** What is sent of a task, signed. @param now wall clock, ms */
function signedMessage({ keys }: Endpoint, { eventId, body }: Task, now: number): Message {
  const timestamp = Math.floor(now / 1000);
  const signature = signatureOf(keys, { id: eventId, timestamp, body }, now);
  return { headers: { ...requestHeaders(eventId, timestamp), "webhook-signature": signature }, body };
}

/** How far one webhook has come in the log, and in the parts of it that it is sent again: all its cursors, as its worker reads and records. */
class Cursors {
  readonly #ecosystemId: string;
  readonly #webhookId: string;
  readonly #byId = new Map<string, Cursor>();

  constructor(ecosystemId: string, webhookId: string) {
    this.#ecosystemId = ecosystemId;
    this.#webhookId = webhookId;
  }

  /** Those of the store: new replays, and a log that must be followed from somewhere else. */
  async find(sql: Sql): Promise<void> {
    for (const row of await cursorsOf(sql, this.#ecosystemId, this.#webhookId)) {
      const known = this.#byId.get(row.id);
      if (known) known.skipTo(row.position);
      else {
        const recorded = await recordedSequences(sql, this.#ecosystemId, this.#webhookId, row.id, row.position);
        this.#byId.set(row.id, new Cursor(row, recorded));
      }
    }
  }

  [Symbol.iterator](): IterableIterator<Cursor> {
    return this.#byId.values();
  }

  get(id: string): Cursor | undefined {
    return this.#byId.get(id);
  }

  /** Whether the store does not know how far it has come. */
  get isAhead(): boolean {
    return [...this].some((cursor) => cursor.isAhead);
  }

  /** Events of the log that it has not passed or recorded. @param newest how far the log goes */
  lag(newest: number): number {
    const ofLog = [...this].filter(({ until }) => until === undefined);
    return Math.max(0, ...ofLog.map((cursor) => newest - cursor.positionWith(new Set())));
  }

  /** How far they may be said to have come, once these are stored. */
  positionsWith(attempts: readonly Attempt[]): readonly CursorPosition[] {
    return [...this].map((cursor) => {
      const position = cursor.positionWith(sequencesOf(attempts, cursor.id));
      return { id: cursor.id, position, isOver: cursor.isOver(position) };
    });
  }

  stored(attempts: readonly Attempt[], positions: readonly CursorPosition[]): void {
    for (const { id, position, isOver } of positions) {
      this.#byId.get(id)?.stored(sequencesOf(attempts, id), position);
      if (isOver) this.#byId.delete(id);
    }
  }
}

function sequencesOf(attempts: readonly Attempt[], cursor: string): ReadonlySet<number> {
  return new Set(attempts.flatMap(({ task }) => (task.cursor === cursor && !task.row ? [task.sequence] : [])));
}

/** What one webhook must be tried with again: found in the store when it is due, and open at most once at a time. */
interface RepeatsDeps {
  readonly store: Store;
  readonly clock: Clock;
}

class Repeats {
  readonly #deps: RepeatsDeps;
  readonly #ecosystemId: string;
  readonly #webhookId: string;
  readonly #onDue: () => void;
  /** Deliveries with a row that are queued, under way or not yet stored. */
  readonly #open = new Set<string>();
  #hasMore = false;
  #timer: Timer | undefined;

  /** @param onDue told when another has become due */
  constructor(deps: RepeatsDeps, ecosystemId: string, webhookId: string, onDue: () => void) {
    this.#deps = deps;
    this.#ecosystemId = ecosystemId;
    this.#webhookId = webhookId;
    this.#onDue = onDue;
  }

  /** Whether there is more to be tried now than there was room for. */
  get hasMore(): boolean {
    return this.#hasMore;
  }

  /** Whether something must be tried later. */
  get areComing(): boolean {
    return this.#timer !== undefined;
  }

  /** What is due and not open yet, open from now on. @param room how many at most @throws "Service Unavailable" */
  async look(room: number): Promise<Task[]> {
    const { store, clock } = this.#deps;
    const { sql } = store.of(this.#ecosystemId);
    const now = clock.now();
    // What is recorded while the store looks may still be found as it was before.
    const open = new Set(this.#open);
    const limit = room + open.size;
    const due = await dueDeliveries(sql, this.#ecosystemId, this.#webhookId, now, limit);
    this.#hasMore = due.length === limit;
    const found = due.filter(({ id }) => !open.has(id)).slice(0, room);
    for (const { id } of found) this.#open.add(id);
    const next = await nextDue(sql, this.#ecosystemId, this.#webhookId, now);
    this.end();
    this.#timer = next === undefined ? undefined : clock.timer("webhook retry", next - clock.now(), this.#onDue);
    return found.map(repeatTask);
  }

  /** It is stored, or has not begun. */
  done({ row }: Task): void {
    if (row) this.#open.delete(row.id);
  }

  end(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }
}
