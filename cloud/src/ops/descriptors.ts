/**
 * Checks whether the process has a free file descriptor. Without one the kernel closes new connections and the process
 * gets no error, so that nothing else explains why callers and hubs cannot connect.
 */
import { closeSync, openSync } from "node:fs";
import { type Clock, every, type Log, type Timer } from "@porchlight/shared/kernel";

export interface DescriptorsDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** Opens and closes a descriptor. @throws Error with code EMFILE or ENFILE when there is none */
  readonly take?: () => void;
}

const LOOK_MS = 5_000;
const NONE_LEFT = new Set<unknown>(["EMFILE", "ENFILE"]);
const WARNING =
  "No file descriptor is left: new connections are closed without an answer. Raise the limit of open files (LimitNOFILE, ulimit -n).";

export class Descriptors implements Disposable {
  readonly #log: Log;
  readonly #take: () => void;
  readonly #timer: Timer;
  #isShort = false;
  #shortages = 0;

  private constructor({ clock, log, take = takeOne }: DescriptorsDeps) {
    this.#log = log;
    this.#take = take;
    this.#timer = every(clock, "file descriptors", LOOK_MS, () => this.#look());
  }

  static start(deps: DescriptorsDeps): Descriptors {
    return new Descriptors(deps);
  }

  /** A warning for operators while none is free. */
  get warning(): string | undefined {
    return this.#isShort ? WARNING : undefined;
  }

  /** Checks since the start that found none. */
  get shortages(): number {
    return this.#shortages;
  }

  [Symbol.dispose](): void {
    this.#timer.cancel();
  }

  #look(): void {
    const wasShort = this.#isShort;
    this.#isShort = !this.#hasOne();
    if (this.#isShort) this.#shortages += 1;
    if (this.#isShort && !wasShort) this.#log.error({}, WARNING);
    if (wasShort && !this.#isShort) this.#log.warn({}, "file descriptors are left again");
  }

  #hasOne(): boolean {
    try {
      this.#take();
      return true;
    } catch (error) {
      // Any other failure concerns the path, and comes after taking a descriptor.
      return !(error instanceof Error && "code" in error && NONE_LEFT.has(error.code));
    }
  }
}

function takeOne(): void {
  closeSync(openSync("/", "r"));
}
