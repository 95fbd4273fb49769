/**
 * Delays refusals that come too often from one address, so that a client which retries at once slows itself down. A refusal is
 * cheap, but thousands a second cost as much as the work that was refused.
 */
import { type Clock, type Random, Tally, type Timer } from "@porchlight/shared/kernel";
import { TokenBuckets } from "@porchlight/shared/rest";

export interface LateRefusalsDeps {
  readonly clock: Clock;
  readonly random: Random;
}

/** The two ways in which a refusal ends: it is answered, or its connection is closed. */
export interface LateRefusal {
  answer(): void;
  cut(): void;
}

/** Refusals of one address that are answered at once. */
const PROMPT = { perSecond: 20, burst: 20 };
/** A delayed refusal waits from this to twice as long, ms. */
const LATE_MS = 1_000;
/** Most refusals that are delayed, of all addresses and of one: each keeps a connection and a few kilobytes. */
const MOST_HELD = { ofAll: 2_000, ofAddress: 200 } as const;

export class LateRefusals {
  readonly #deps: LateRefusalsDeps;
  readonly #prompt = new TokenBuckets(PROMPT);
  readonly #held = new Map<LateRefusal, Timer>();
  readonly #heldOf = new Tally<string>();
  #cut = 0;

  constructor(deps: LateRefusalsDeps) {
    this.#deps = deps;
  }

  /** Connections that were closed without an answer. */
  get cut(): number {
    return this.#cut;
  }

  /** Answers the refusal at once or late, or closes its connection. @param network of the refused address */
  refuse(network: string, refusal: LateRefusal): void {
    const { clock, random } = this.#deps;
    const heldOf = this.#heldOf.of(network);
    if (this.#prompt.take(network, clock.monotonic()).admitted) refusal.answer();
    else if (heldOf >= MOST_HELD.ofAddress || this.#held.size >= MOST_HELD.ofAll) {
      this.#cut += 1;
      refusal.cut();
    } else {
      this.#heldOf.add(network);
      const waitMs = LATE_MS * (1 + random.fraction());
      this.#held.set(
        refusal,
        clock.timer("late refusal", waitMs, () => this.#answer(network, refusal)),
      );
    }
  }

  /** Answers all delayed refusals, when the service ends. */
  release(): void {
    for (const [refusal, timer] of this.#held) {
      timer.cancel();
      refusal.answer();
    }
    this.#held.clear();
    this.#heldOf.clear();
  }

  #answer(network: string, refusal: LateRefusal): void {
    this.#held.delete(refusal);
    this.#heldOf.add(network, -1);
    refusal.answer();
  }
}
