/** Where the time of one thing went, stretch by stretch: measured on both ends of the tunnel, so it is told apart from neither. */
import type { Clock } from "./clock.ts";

export class TimingBreakdown {
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #ms: Record<string, number> = {};
  #since: number;

  /** Begins the first stretch. */
  constructor(clock: Pick<Clock, "monotonic">) {
    this.#clock = clock;
    this.#since = clock.monotonic();
  }

  /** What went by since the last step was `name`; stretches of one name are added up. */
  step(name: string): void {
    const now = this.#clock.monotonic();
    this.add(name, now - this.#since);
    this.#since = now;
  }

  /** What was measured by somebody else. @param ms how long it took */
  add(name: string, ms: number): void {
    this.#ms[name] = (this.#ms[name] ?? 0) + ms;
  }

  /** Milliseconds by name, in the order in which the names came. */
  get ms(): Readonly<Record<string, number>> {
    return { ...this.#ms };
  }
}
