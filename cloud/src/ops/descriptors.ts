/**
 * Whether the process has a file descriptor left. The system closes connections that it has none for without a word to the process, so that
 * nothing else would say why callers and hubs do not come through.
 */
import { closeSync, openSync } from "node:fs";
import { type Clock, every, type Log, type Timer } from "@porchlight/shared/kernel";

export interface DescriptorsDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** Takes a descriptor and gives it back. @throws Error with code EMFILE or ENFILE when there is none */
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

  /** For operators, while none is left. */
  get warning(): string | undefined {
    return this.#isShort ? WARNING : undefined;
  }

  /** How many looks have found none, since the start. */
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
      // Any other failure is for the place, and took a descriptor before.
      return !(error instanceof Error && "code" in error && NONE_LEFT.has(error.code));
    }
  }
}

function takeOne(): void {
  closeSync(openSync("/", "r"));
}
