/**
 * Refusals that come too often at one address are answered late, so that a client which repeats at once is held up by its own waiting.
 * A refusal costs little, but thousands a second cost as much as what was refused.
 */
import { type Clock, type Random, Tally, type Timer } from "@porchlight/shared/kernel";
import { TokenBuckets } from "@porchlight/shared/rest";

export interface LateRefusalsDeps {
  readonly clock: Clock;
  readonly random: Random;
}

/** How a refusal ends: it is answered, or its connection is. */
export interface LateRefusal {
  answer(): void;
  cut(): void;
}

/** Answered at once, of one address. */
const PROMPT = { perSecond: 20, burst: 20 };
/** A late one waits from this to twice as long, ms. */
const LATE_MS = 1_000;
/** Held at once, of all addresses and of one: each keeps a connection and a few kilobytes. */
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

  /** Connections that were ended without an answer. */
  get cut(): number {
    return this.#cut;
  }

  /** Answers at once, late, or not at all. @param network of the address that is refused */
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

  /** Answers what is held, when the service ends. */
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
