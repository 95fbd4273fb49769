/**
 * When descriptions are looked at: they come in bursts, and making devices of all of them costs more than hearing one. Before a command, what
 * has come is looked at at once: a topic may be another device's since a moment.
 */
import type { Work } from "@porchlight/driver-kit";
import type { Clock, Timer } from "@porchlight/shared/kernel";
import type { Message } from "./device/mqtt-device.ts";
import { type Pace, TopicPace } from "./topic-pace.ts";

export interface GatheringDeps {
  readonly clock: Clock;
  /** Takes a description in, and gives whether devices may be described otherwise by it. */
  readonly take: (message: Message) => Work<boolean>;
  /** Undefined when all messages that came before are taken in, else settles when they are, or dropped. */
  readonly taken: () => Promise<void> | undefined;
  /** Begins to make devices of all descriptions. */
  readonly look: () => void;
  /** Undefined when they are made, else settles when they are, or the connection has ended. */
  readonly looked: () => Promise<void> | undefined;
  /** As that of `TopicPace`. */
  readonly replaced: () => void;
  /** As `MessageTurns.taking`. */
  readonly turns: (take: (message: Message) => Work) => (message: Message) => void;
}

const PACE: Pace = { intervalMs: 1000, burst: 10 };
/** After the first description of a burst, ms. */
const SHORTEST_MS = 50;
/** Between two looks while descriptions keep coming, ms: a publisher that never rests costs the hub a look every few seconds. */
const LONGEST_MS = 3200;

export class Gathering {
  readonly #deps: GatheringDeps;
  readonly #pace: TopicPace<Message>;
  #waitMs = SHORTEST_MS;
  #timer: Timer | undefined;
  /** When was last looked, monotonic ms. */
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(deps: GatheringDeps) {
    this.#deps = deps;
    const { clock, replaced, turns } = deps;
    this.#pace = new TopicPace({ ...PACE, clock, replaced, take: turns((message) => this.#note(message)) });
  }

  /** Something is described. */
  take(message: Message): void {
    this.#pace.take(message);
  }

  /** Looks at once if something was described. Undefined when devices are made of all that has come, else settles when they are. */
  lookNow(): Promise<void> | undefined {
    this.#pace.takeAll();
    const taken = this.#deps.taken();
    return taken === undefined ? this.#lookAtOnce() : taken.then(() => this.#lookAtOnce());
  }

  #lookAtOnce(): Promise<void> | undefined {
    if (this.#timer) {
      this.#timer.cancel();
      this.#look();
    }
    return this.#deps.looked();
  }

  clear(): void {
    this.#pace.clear();
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  *#note(message: Message): Work {
    if (!(yield* this.#deps.take(message)) || this.#timer) return;
    const { clock } = this.#deps;
    const isBurst = clock.monotonic() - this.#lookedAt < this.#waitMs;
    this.#waitMs = isBurst ? Math.min(this.#waitMs * 2, LONGEST_MS) : SHORTEST_MS;
    this.#timer = clock.timer("descriptions of devices", this.#waitMs, () => this.#look());
  }

  #look(): void {
    this.#timer = undefined;
    this.#lookedAt = this.#deps.clock.monotonic();
    this.#deps.look();
  }
}
