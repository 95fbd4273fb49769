/**
 * Stores ended attempts, many in one job: those that end during a commit go into the next. Attempts that the store
 * refuses are kept, and their webhooks wait; an attempt whose answer cannot be stored is stored without it.
 */

import { type Clock, Rounds, sleep } from "@porchlight/shared/kernel";
import type { JobKind, Store } from "../../store/index.ts";
import { isSuccess, type Outcome } from "../schedule.ts";
import {
  type Attempt,
  type CursorPosition,
  type RecordedAttempt,
  type RecordingDeps,
  recordings,
} from "./recording.ts";

/** Counts attempts since the start by a few results: for the metrics of the whole service. */
export class AttemptCounts {
  readonly #counts = new Map<string, number>();

  /** By result: `succeeded`, `answered_3xx` and so on, `no_answer`. */
  get all(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  add(outcome: Outcome): void {
    const result = resultOf(outcome);
    this.#counts.set(result, (this.#counts.get(result) ?? 0) + 1);
  }
}

function resultOf(outcome: Outcome): string {
  if (outcome.kind === "failed") return "no_answer";
  return isSuccess(outcome) ? "succeeded" : `answered_${Math.floor(outcome.status / 100)}xx`;
}

/** The source of attempts for one webhook, which is notified when they are stored. */
export interface Recorded {
  readonly ecosystemId: string;
  readonly webhookId: string;
  /** The name under which the webhook was claimed. */
  readonly holder: string;
  /** The positions of its cursors that are true once these attempts are stored. */
  positionsWith(attempts: readonly Attempt[]): readonly CursorPosition[];
  stored(attempts: readonly Attempt[], positions: readonly CursorPosition[]): void;
}

export interface AttemptRecorderDeps extends RecordingDeps {
  readonly store: Store;
  readonly clock: Clock;
}

/** Retry delay after a failed write, ms. */
const RETRY = 1_000;

export class AttemptRecorder {
  readonly #deps: AttemptRecorderDeps;
  readonly #kind: JobKind<readonly RecordedAttempt[], void>;
  readonly #stop = new AbortController();
  readonly #storing = new Rounds(() => this.#storeWaiting());
  #waiting = new Map<Recorded, Attempt[]>();

  constructor(deps: AttemptRecorderDeps) {
    this.#deps = deps;
    this.#kind = recordings(deps);
  }

  /** @param attempt undefined: only the position is stored */
  add(of: Recorded, attempt?: Attempt): void {
    const waiting = this.#waiting.get(of);
    const added = attempt ? [attempt] : [];
    if (waiting) waiting.push(...added);
    else this.#waiting.set(of, added);
    void this.#storing.ask();
  }

  /** Resolves when nothing is left to store, or the recorder has ended. */
  async idle(): Promise<void> {
    while (this.#storing.running !== undefined) await this.#storing.running;
  }

  /** Stops retries of failed writes. */
  end(): void {
    this.#stop.abort(new Error("the service stops"));
  }

  async #storeWaiting(): Promise<void> {
    const batch = this.#waiting;
    this.#waiting = new Map();
    const byEcosystem = Map.groupBy(batch, ([of]) => of.ecosystemId);
    const stored = await Promise.all([...byEcosystem].map(([eco, part]) => this.#store(eco, part)));
    if (this.#stop.signal.aborted || !stored.includes(false)) return;
    await sleep(this.#deps.clock, "webhook recorder", RETRY, this.#stop.signal).catch(() => undefined);
    void this.#storing.ask();
  }

  async #store(eco: string, part: readonly (readonly [Recorded, Attempt[]])[]): Promise<boolean> {
    const { store, log } = this.#deps;
    const left = new Set(part.flatMap(([of, attempts]) => endedOf(of, attempts)));
    const write = async (some: readonly Ended[]) => {
      await this.#write(eco, some);
      for (const each of some) left.delete(each);
    };
    try {
      await store.setAside.each([...left], {
        ...{ loop: "webhook_attempts", log, about },
        work: write,
        aside: async (ended) => {
          const bare = { ...ended, attempt: ended.attempt && withoutAnswer(ended.attempt) };
          await store.setAside.each([bare], {
            ...{ loop: "webhook_attempts", log, about },
            work: (some) => this.#write(eco, some),
            aside: async () => passOver(ended),
          });
          left.delete(ended);
        },
      });
    } catch (error) {
      log.warn({ error }, "the results of deliveries could not be stored; will retry");
      for (const [of, ended] of Map.groupBy(left, ({ of }) => of))
        this.#waiting.set(of, [...attemptsIn(ended), ...(this.#waiting.get(of) ?? [])]);
      return false;
    }
    return true;
  }

  async #write(eco: string, some: readonly Ended[]): Promise<void> {
    const records = [...Map.groupBy(some, ({ of }) => of)].map(([of, ended]) => {
      const attempts = attemptsIn(ended);
      return { of, attempts, positions: of.positionsWith(attempts) };
    });
    const made = records.map(({ of, attempts, positions }) => {
      return { ecosystemId: eco, webhookId: of.webhookId, holder: of.holder, attempts, positions };
    });
    await this.#deps.store.writeOf(this.#kind, eco, made);
    for (const { of, attempts, positions } of records) of.stored(attempts, positions);
  }
}

/** An attempt of a webhook; without one, only the webhook's position. */
interface Ended {
  readonly of: Recorded;
  readonly attempt: Attempt | undefined;
}

function endedOf(of: Recorded, attempts: readonly Attempt[]): Ended[] {
  return attempts.length === 0 ? [{ of, attempt: undefined }] : attempts.map((attempt) => ({ of, attempt }));
}

function attemptsIn(ended: readonly Ended[]): Attempt[] {
  return ended.flatMap(({ attempt }) => attempt ?? []);
}

function about({ of, attempt }: Ended) {
  return { webhook: of.webhookId, event: attempt?.task.eventId };
}

/** Removes the receiver's part; the attempt and its result stay. */
function withoutAnswer(attempt: Attempt): Attempt {
  const { outcome, durationMs } = attempt.sent;
  const plain = outcome.kind === "answered" ? outcome : { ...outcome, error: "the error could not be stored" };
  return { ...attempt, sent: { outcome: plain, durationMs, response: undefined } };
}

/**
 * Skips an attempt that cannot be stored: a first attempt counts as made; a retry stays open in memory, so that this
 * process does not repeat it at once.
 */
function passOver({ of, attempt }: Ended): void {
  if (attempt && !attempt.task.row) of.stored([attempt], of.positionsWith([attempt]));
}
