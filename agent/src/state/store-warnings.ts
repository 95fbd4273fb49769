/**
 * The store's warnings for operators: failures, and the losses of a full outbox. Logged at the first occurrence and then at most once a
 * minute.
 */
import type { Clock, Log } from "@porchlight/shared/kernel";

const QUIET_MS = 60_000;

export class StoreWarnings {
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #loggedAt = new Map<string, number>();
  #dropped = 0;
  #refusedEvents = 0;
  #refusedReports = 0;
  #gaps = 0;

  constructor(log: Log, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  /** Events that devices were asked to hold back. */
  get refusedEvents(): number {
    return this.#refusedEvents;
  }

  /** Reports that devices were asked to hold back because the disk was full. */
  get refusedReports(): number {
    return this.#refusedReports;
  }

  /** Values that were read and could not be stored. */
  get gaps(): number {
    return this.#gaps;
  }

  /** @param total values dropped since the start */
  dropped(total: number): void {
    if (total === this.#dropped) return;
    this.#dropped = total;
    if (this.#maySay("dropped"))
      this.#log.warn({ dropped: total }, "the outbox is full: values are dropped if a newer one is waiting");
  }

  refused(): void {
    this.#refusedEvents += 1;
    if (!this.#maySay("refused")) return;
    this.#log.warn({ refused: this.#refusedEvents }, "the outbox is full: devices must hold their events back");
  }

  heldBack(): void {
    this.#refusedReports += 1;
  }

  gap(): void {
    this.#gaps += 1;
  }

  /** The disk is full. */
  short(): void {
    this.#log.error(
      {},
      "the disk is full: the rest is reserved for commands, and devices must hold their reports back",
    );
  }

  roomAgain(): void {
    const { refusedReports, gaps } = this;
    this.#log.info({ refusedReports, gaps }, "the disk has free space again");
  }

  /** History could not record a change or a gap, or delete expired rows. */
  notRecorded(failure: unknown): void {
    if (this.#maySay("history record"))
      this.#log.error({ failure: String(failure) }, "a change could not be recorded as history: it is a gap");
  }

  failed(what: string, failure: unknown): void {
    if (this.#maySay(what))
      this.#log.error({ what, failure: String(failure) }, "the hub's database does not accept writes");
  }

  #maySay(what: string): boolean {
    const now = this.#clock.monotonic();
    const loggedAt = this.#loggedAt.get(what);
    if (loggedAt !== undefined && now - loggedAt < QUIET_MS) return false;
    this.#loggedAt.set(what, now);
    return true;
  }
}
