/**
 * Decides when descriptions become devices: they come in bursts, and building devices costs more than receiving a description. Before a
 * command, all received descriptions are processed at once: a topic may belong to another device now.
 */
import type { Work } from "@porchlight/driver-kit";
import type { Clock, Timer } from "@porchlight/shared/kernel";
import type { Message } from "./device/mqtt-device.ts";
import { type Pace, TopicPace } from "./topic-pace.ts";

export interface GatheringDeps {
  readonly clock: Clock;
  /** Takes a description, and returns whether the descriptions of devices may have changed. */
  readonly take: (message: Message) => Work<boolean>;
  /** Undefined when all earlier messages are taken; otherwise settles when they are taken or dropped. */
  readonly taken: () => Promise<void> | undefined;
  /** Starts to build devices from all descriptions. */
  readonly look: () => void;
  /** Undefined when the devices are built; otherwise settles when they are built, or the connection has ended. */
  readonly looked: () => Promise<void> | undefined;
  /** See `TopicPace`. */
  readonly replaced: () => void;
  /** See `MessageTurns.taking`. */
  readonly turns: (take: (message: Message) => Work) => (message: Message) => void;
}

const PACE: Pace = { intervalMs: 1000, burst: 10 };
/** Delay after the first description of a burst, ms. */
const SHORTEST_MS = 50;
/**
 * Maximum delay between two builds while descriptions keep coming, ms: a publisher that never rests costs the hub a build every few
 * seconds.
 */
const LONGEST_MS = 3200;

export class Gathering {
  readonly #deps: GatheringDeps;
  readonly #pace: TopicPace<Message>;
  #waitMs = SHORTEST_MS;
  #timer: Timer | undefined;
  /** Time of the last build, monotonic ms. */
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(deps: GatheringDeps) {
    this.#deps = deps;
    const { clock, replaced, turns } = deps;
    this.#pace = new TopicPace({ ...PACE, clock, replaced, take: turns((message) => this.#note(message)) });
  }

  /** A message describes devices. */
  take(message: Message): void {
    this.#pace.take(message);
  }

  /**
   * Builds devices at once if a description has come. Undefined when all received descriptions are built; otherwise settles when they
   * are.
   */
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
