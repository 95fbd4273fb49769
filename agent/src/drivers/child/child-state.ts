/** A child's last reported state and its log lines: bounded, because the driver may be third-party code. */
import type { FoundDevice, SetupKind, UnpairedDevice } from "@porchlight/driver-kit";
import { type Clock, type Log, TokenBucket } from "@porchlight/shared/kernel";
import type { FromChildOf } from "./messages.ts";

/** Largest status, characters of JSON. */
const MOST_STATUS = 64 * 1024;
/** Largest fields of one log line, characters of JSON. */
const MOST_FIELDS = 4096;
/** Log lines that are accepted at once, and per second. */
const LOG_RATE = { burst: 100, perSecond: 10 };

export class ChildState {
  found: readonly FoundDevice[] = [];
  unpaired: readonly UnpairedDevice[] = [];
  problem: string | undefined;
  setups: readonly SetupKind[] = [];
  /** An object that JSON can represent. */
  status: object = {};

  take({ found, unpaired, problem, setups, status }: FromChildOf<"state">): void {
    this.found = found;
    this.unpaired = unpaired;
    this.problem = problem;
    this.setups = setups;
    const isShown = typeof status === "object" && status !== null && JSON.stringify(status).length <= MOST_STATUS;
    this.status = isShown ? status : {};
  }
}

/** The agent's log under the driver's name, at a bounded rate. */
export class ChildLog {
  readonly #log: Log;
  readonly #driver: string;
  readonly #bucket: TokenBucket;
  readonly #clock: Clock;
  #dropped = 0;

  constructor(driver: string, log: Log, clock: Clock) {
    this.#log = log;
    this.#driver = driver;
    this.#clock = clock;
    this.#bucket = new TokenBucket(LOG_RATE, clock.monotonic());
  }

  /** Lines dropped by the rate limit. */
  get dropped(): number {
    return this.#dropped;
  }

  write(level: keyof Log, fields: Readonly<Record<string, unknown>>, text: string): void {
    if (!this.#bucket.take(this.#clock.monotonic())) {
      this.#dropped += 1;
      return;
    }
    const isShort = JSON.stringify(fields).length <= MOST_FIELDS;
    this.#log[level]({ ...(isShort ? fields : { fields: "too long" }), driver: this.#driver }, text);
  }
}
