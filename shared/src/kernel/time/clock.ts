/** Time as a parameter. Everything that waits or stamps takes a Clock, so that whole systems run on a virtual one. */

/** A pending call made with {@link Clock.timer}. */
export interface Timer {
  /** Forgets the call. Safe to repeat, also after it has fired. */
  cancel(): void;
}

export interface Clock {
  /** Wall-clock time in milliseconds since 1970 UTC. It may jump: for stamps only, never for durations. */
  now(): number;
  /** Milliseconds on a clock that only moves forward and has an arbitrary start. */
  monotonic(): number;
  /** Calls `fire` once, `ms` milliseconds from now. The name is what a person sees in a list of pending timers. */
  timer(name: string, ms: number, fire: () => void): Timer;
}

/** The longest delay that a timer of the platform takes, ms (24.8 days); a longer one would fire at once. */
const LONGEST_DELAY = 2 ** 31 - 1;

/** The machine's own clock. */
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

/** What must be added to {@link systemClock}'s monotonic time to count from the start of the machine, ms: the same for every process. */
export function monotonicZero(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000 - performance.now();
}

/** Processor time that this thread has used so far, ms. A fifth of a microsecond to ask. */
export function threadProcessorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The moment that a date of HTTP names, ms since 1970; undefined when it names none. */
export function parseHttpDate(text: string | undefined): number | undefined {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

/** A moment in the form that libraries take. @param ms since 1970 UTC */
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

// A wall clock that is not moved when the machine's is set: for a library that measures how long things last by it, or dates certificates by it.
// It begins with the machine's time, or with the earliest that can be if the machine's has not been set, and runs on the monotonic clock.

/** A clock that says less is not set, ms: nothing of this is older. 2026-01-01. */
const EARLIEST_MS = 1_767_225_600_000;

export function undisturbedClock(clock: Clock): Clock {
  const undisturbed = new SteeredClock(clock);
  const now = clock.monotonic();
  if (undisturbed.now() < EARLIEST_MS) undisturbed.steer(EARLIEST_MS, now, now);
  return undisturbed;
}

// A clock whose wall time is set right from outside, such as by a database that several processes share: between two
// settings it runs on the monotonic clock, so that a jump of the machine's own wall clock moves nothing.

/** A reading that took longer says too little, ms. */
const MOST_DOUBT_MS = 250;

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
   * It was `time` (wall clock, ms) somewhere between `asked` and `answered` (monotonic, ms). What lies within the doubt of
   * that is left as it is, and a reading that took too long is not used.
   */
  steer(time: number, asked: number, answered: number): void {
    const doubt = (answered - asked) / 2;
    if (doubt > MOST_DOUBT_MS) return;
    const offset = time - (asked + answered) / 2;
    if (Math.abs(offset - this.#offset) > doubt) this.#offset = offset;
  }
}
