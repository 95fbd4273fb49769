/** Time as a parameter. Everything that waits or stamps takes a Clock, so that whole systems run on a virtual one. */

/** A pending call made with {@link Clock.timer}. */
export interface Timer {
  /** Cancels the call. Safe to repeat, also after it has fired. */
  cancel(): void;
}

export interface Clock {
  /** Wall-clock time in milliseconds since 1970 UTC. It may jump: for stamps only, never for durations. */
  now(): number;
  /** Milliseconds on a clock that only moves forward and has an arbitrary start. */
  monotonic(): number;
  /** Calls `fire` once, `ms` milliseconds from now. `name` identifies the timer in the list of pending timers. */
  timer(name: string, ms: number, fire: () => void): Timer;
}

/** The longest delay that the platform's timers accept, ms (24.8 days); a longer one would fire at once. */
const LONGEST_DELAY = 2 ** 31 - 1;

/** The clock of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  timer(_name, ms, fire) {
    let handle: ReturnType<typeof setTimeout>;
    const arm = (left: number) => {
      handle =
        left > LONGEST_DELAY ? setTimeout(() => arm(left - LONGEST_DELAY), LONGEST_DELAY) : setTimeout(fire, left);
    };
    arm(Math.max(0, ms));
    return { cancel: () => clearTimeout(handle) };
  },
};

/** Offset from {@link systemClock}'s monotonic time to time since the machine's boot, ms: the same for every process. */
export function monotonicZero(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000 - performance.now();
}

/** Processor time that this thread has used so far, ms. One call costs a fifth of a microsecond. */
export function threadProcessorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Parses an HTTP date to ms since 1970; undefined when it is invalid. */
export function parseHttpDate(text: string | undefined): number | undefined {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

/** The `Date` of a time, for libraries that require one. @param ms since 1970 UTC */
export function dateOf(ms: number): Date {
  return new Date(ms);
}

/**
 * Waits `ms` milliseconds.
 * @throws the signal's reason as soon as `signal` is aborted
 */
export function sleep(clock: Clock, name: string, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => {
      timer.cancel();
      reject(signal?.reason);
    };
    const timer = clock.timer(name, ms, () => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    });
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

/** Calls `fire` every `ms` milliseconds until cancelled; a slow call delays the next instead of piling up. */
export function every(clock: Clock, name: string, ms: number, fire: () => void): Timer {
  let cancelled = false;
  let timer: Timer;
  const arm = () => {
    timer = clock.timer(name, ms, () => {
      fire();
      if (!cancelled) arm();
    });
  };
  arm();
  return {
    cancel() {
      cancelled = true;
      timer.cancel();
    },
  };
}

/** The earliest plausible wall-clock time, ms (2026-01-01): a clock before it has not been set. */
const EARLIEST_MS = 1_767_225_600_000;

/**
 * A wall clock that ignores changes of the machine's clock: for a library that measures durations or dates certificates by wall time.
 * It starts at the machine's time, or at `EARLIEST_MS` when the machine's clock is not set yet, and then runs on the monotonic clock.
 */
export function undisturbedClock(clock: Clock): Clock {
  const undisturbed = new SteeredClock(clock);
  const now = clock.monotonic();
  if (undisturbed.now() < EARLIEST_MS) undisturbed.steer(EARLIEST_MS, now, now);
  return undisturbed;
}

/** The longest round trip of a reading that {@link steer} still uses, ms. */
const MOST_DOUBT_MS = 250;

/**
 * A clock whose wall time is set from outside, for example by a database that several processes share. Between two settings it runs on
 * the monotonic clock, so that a jump of the machine's own wall clock has no effect.
 */
export class SteeredClock implements Clock {
  readonly #inner: Clock;
  /** Wall time less monotonic time, ms. */
  #offset: number;

  constructor(inner: Clock) {
    this.#inner = inner;
    this.#offset = inner.now() - inner.monotonic();
  }

  now(): number {
    return Math.floor(this.#inner.monotonic() + this.#offset);
  }

  monotonic(): number {
    return this.#inner.monotonic();
  }

  timer(name: string, ms: number, fire: () => void): Timer {
    return this.#inner.timer(name, ms, fire);
  }

  /**
   * Sets the clock from a reading: the wall time was `time` (ms) at some moment between `asked` and `answered` (monotonic, ms). It
   * ignores a difference within that uncertainty, and a reading whose round trip was too long.
   */
  steer(time: number, asked: number, answered: number): void {
    const doubt = (answered - asked) / 2;
    if (doubt > MOST_DOUBT_MS) return;
    const offset = time - (asked + answered) / 2;
    if (Math.abs(offset - this.#offset) > doubt) this.#offset = offset;
  }
}
