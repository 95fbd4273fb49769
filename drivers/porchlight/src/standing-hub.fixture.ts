/** A process that can stand still: its timers and the bytes that come wait, and go on late and in their order, timers that were due first. */
import type { Clock, Timer, VirtualClock } from "@porchlight/shared/kernel";
import type { ByteLink } from "@porchlight/shared/wire";

export class StandingProcess implements Clock {
  readonly #base: VirtualClock;
  #held: (() => void)[] | undefined;

  constructor(base: VirtualClock) {
    this.#base = base;
  }

  now(): number {
    return this.#base.now();
  }

  monotonic(): number {
    return this.#base.monotonic();
  }

  timer(name: string, ms: number, fire: () => void): Timer {
    let isCancelled = false;
    const ring = () => {
      if (!isCancelled) fire();
    };
    const timer = this.#base.timer(name, ms, () => this.#enter(ring));
    return {
      cancel: () => {
        isCancelled = true;
        timer.cancel();
      },
    };
  }

  /** A link of which the process reads nothing while it stands still. */
  link(link: ByteLink): ByteLink {
    return {
      listen: (onBytes, onClosed) => link.listen((bytes) => this.#enter(() => onBytes(bytes)), onClosed),
      write: (bytes) => link.write(bytes),
      close: () => link.close(),
    };
  }

  stop(): void {
    this.#held ??= [];
  }

  /** All that was held happens, without a turn of the event loop between. */
  goOn(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const work of held) work();
  }

  #enter(work: () => void): void {
    if (this.#held) this.#held.push(work);
    else work();
  }
}
