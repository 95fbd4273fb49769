/**
 * Sends the hub's history: batches in order, a few unacknowledged at a time; records are deleted only when the cloud has stored them.
 *
 * Invariants: after any failure, records are sent again from the last acknowledged number; nothing is sent while the pump is shut, so that
 * no record overtakes the description of its device.
 */
import { Backoff, type Clock, type Log, type Random, type Timer } from "@porchlight/shared/kernel";
import { frames, JsonText, type Peer, PeerGone, PeerRefused, PeerTimeout } from "@porchlight/shared/tunnel";
import type { State } from "../state/index.ts";

export interface PumpDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly peer: Pick<Peer, "ask" | "isDown">;
  readonly state: Pick<State, "pendingTexts" | "acknowledge">;
  /** The last number that the cloud has stored. */
  readonly acknowledged: number;
  /** How long new records wait for more, ms: most of their values have been sent already, as answers to commands. */
  readonly lingerMs: number;
  /** The cloud does not answer, or answers incorrectly: the tunnel cannot be used any more. */
  readonly failed: (why: "overloaded" | "malformed") => void;
}

const BATCH_RECORDS = 200;
const BATCH_BYTES = 128 * 1024;
const MOST_UNANSWERED = 4;
const ANSWER_MS = 30_000;
/** Backoff after a batch that the cloud refused. */
const REFUSED = { firstMs: 1000, capMs: 60_000, stableMs: 60_000 };

export class OutboxPump implements Disposable {
  readonly #deps: PumpDeps;
  readonly #refusals: Backoff;
  #acknowledged: number;
  #sent: number;
  #unanswered = 0;
  #open = false;
  #ended = false;
  #linger: Timer | undefined;
  /** Runs during the pause after a refusal of the cloud. */
  #pause: Timer | undefined;
  /** Numbers the attempts: answers to batches of an earlier attempt are ignored. */
  #attempt = 0;

  constructor(deps: PumpDeps) {
    this.#deps = deps;
    this.#refusals = new Backoff(REFUSED, deps.random);
    this.#acknowledged = deps.acknowledged;
    this.#sent = deps.acknowledged;
  }

  /** Lets records out, the waiting ones at once. */
  open(): void {
    this.#open = true;
    this.#fill();
  }

  /** Holds further records back. */
  shut(): void {
    this.#open = false;
  }

  /** Schedules a batch: there are new records. */
  wake(): void {
    if (!this.#open || this.#linger || this.#ended) return;
    this.#linger = this.#deps.clock.timer("outbox linger", this.#deps.lingerMs, () => {
      this.#linger = undefined;
      this.#fill();
    });
  }

  [Symbol.dispose](): void {
    this.#ended = true;
    this.#linger?.cancel();
    this.#pause?.cancel();
  }

  #fill(): void {
    while (this.#open && !this.#ended && !this.#pause && this.#unanswered < MOST_UNANSWERED) {
      const { texts, last } = this.#deps.state.pendingTexts(this.#sent, BATCH_RECORDS, BATCH_BYTES);
      if (texts.length === 0) return;
      this.#sent = last;
      void this.#send(new JsonText(`{"records":[${texts.join()}]}`), last);
    }
  }

  async #send(records: JsonText, last: number): Promise<void> {
    const attempt = this.#attempt;
    this.#unanswered += 1;
    try {
      const answer = await this.#deps.peer.ask("records", records, { timeoutMs: ANSWER_MS });
      if (attempt === this.#attempt) this.#answered(answer, last);
    } catch (failure) {
      if (attempt === this.#attempt) this.#stumbled(failure);
    } finally {
      if (attempt === this.#attempt) {
        this.#unanswered -= 1;
        this.#fill();
      }
    }
  }

  #answered(answer: unknown, last: number): void {
    const { log, state, failed } = this.#deps;
    const { data } = frames.recordsAnswer.safeParse(answer);
    if (!data) {
      failed("malformed");
      return;
    }
    if (data.acknowledged > this.#acknowledged) {
      this.#acknowledged = data.acknowledged;
      state.acknowledge(data.acknowledged).catch((failure: unknown) => {
        // They are sent again after the next start, and the cloud skips those that it has.
        log.warn({ failure: String(failure) }, "acknowledged records could not be deleted");
      });
    }
    if (data.acknowledged < last) this.#again("the cloud stored only a part");
    else this.#refusals.reset();
  }

  #stumbled(failure: unknown): void {
    if (failure instanceof PeerTimeout) {
      this.#deps.failed("overloaded");
      return;
    }
    if (failure instanceof PeerRefused) this.#again(failure.message);
    else if (failure instanceof PeerGone && !this.#deps.peer.isDown) this.#again("too many answers wait to be sent");
    // Otherwise the tunnel is down: the next connection starts from the last acknowledged number.
  }

  /** Sends again from the last acknowledged number, after a pause. */
  #again(why: string): void {
    const waitMs = this.#refusals.next(0);
    this.#deps.log.warn(
      { acknowledged: this.#acknowledged, waitMs, why },
      "the cloud did not accept records; they are sent again",
    );
    this.#attempt += 1;
    this.#unanswered = 0;
    this.#sent = this.#acknowledged;
    this.#pause?.cancel();
    this.#pause = this.#deps.clock.timer("outbox pause", waitMs, () => {
      this.#pause = undefined;
      this.#fill();
    });
  }
}
