/** One process of the world: its clock and its doors can be stopped (SIGSTOP), continued, or closed for ever (SIGKILL). */
import type { Clock, Timer, VirtualClock } from "@porchlight/shared/kernel";

export class WorldProcess implements Clock {
  readonly #base: VirtualClock;
  readonly #onKill = new Set<() => void>();
  #held: (() => void)[] | undefined;
  #stopped = false;
  #dead = false;

  constructor(base: VirtualClock) {
    this.#base = base;
  }

  get dead(): boolean {
    return this.#dead;
  }

  now(): number {
    return this.#base.now();
  }

  monotonic(): number {
    return this.#base.monotonic();
  }

  timer(name: string, ms: number, fire: () => void): Timer {
    let cancelled = false;
    const timer = this.#base.timer(name, ms, () =>
      this.enter(() => {
        if (!cancelled) fire();
      }),
    );
    return {
      cancel() {
        cancelled = true;
        timer.cancel();
      },
    };
  }

  /** Everything that reaches the process comes through here: at once, when it is continued, or never. */
  enter(work: () => void): void {
    if (this.#dead) return;
    if (this.#held) this.#held.push(work);
    else work();
  }

  /** SIGSTOP: time passes and nothing happens. */
  stop(): void {
    this.#stopped = true;
    this.#held ??= [];
  }

  /** SIGCONT: all that was held happens now, in its order, each with a turn of the loop of its own, as in a real process. */
  continue(): void {
    if (!this.#stopped) return;
    this.#stopped = false;
    void this.#catchUp();
  }

  async #catchUp(): Promise<void> {
    while (!this.#stopped && !this.#dead) {
      const work = this.#held?.shift();
      if (!work) break;
      work();
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (!this.#stopped) this.#held = undefined;
  }

  /** SIGKILL: nothing happens in it any more; its sockets break. */
  kill(): void {
    this.#dead = true;
    for (const listener of this.#onKill) listener();
    this.#onKill.clear();
  }

  /** Gives back how to stop listening. */
  onKill(listener: () => void): () => void {
    this.#onKill.add(listener);
    return () => void this.#onKill.delete(listener);
  }
}
