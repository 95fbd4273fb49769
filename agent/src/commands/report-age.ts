/**
 * Whether what a device reports has just happened. Devices keep reports while their hub is away or has no room (device protocol P7, P11), and
 * say of none how old it is; a press of yesterday must not switch anything today.
 */
import type { ReportSource } from "@porchlight/driver-kit";
import { BoundedMap, type Clock } from "@porchlight/shared/kernel";

/** Within this time of its coming a device sends what it has kept, ms: at least four events, four a second (P4, P8). */
const COMING_MS = 5000;
/** What the hub had no room for is old when it is stored after more than this, ms. */
const OLD_MS = 5000;
/** Reports without room that are remembered. */
const MOST_HELD = 1000;

export class ReportAge {
  readonly #clock: Clock;
  /** When a device came onto its link, on the monotonic clock, ms. */
  readonly #arrived = new Map<string, number>();
  /** When a report that the hub had no room for first came. */
  readonly #held = new BoundedMap<string, number>(MOST_HELD);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  arrived(edgeId: string): void {
    this.#arrived.set(edgeId, this.#clock.monotonic());
  }

  left(edgeId: string): void {
    this.#arrived.delete(edgeId);
  }

  /** There was no room for it: it comes again. */
  held(source: ReportSource): void {
    const key = keyOf(source);
    if (this.#held.get(key) === undefined) this.#held.set(key, this.#clock.monotonic());
  }

  /**
   * Whether a report that is stored now has just happened; to be asked once for each.
   * @param isKept the device keeps its reports until they are acknowledged
   */
  isFresh(device: string, source: ReportSource, isKept: boolean): boolean {
    const now = this.#clock.monotonic();
    const since = this.#held.get(keyOf(source)) ?? now;
    this.#held.delete(keyOf(source));
    if (now - since > OLD_MS) return false;
    const arrived = this.#arrived.get(device);
    return !isKept || (arrived !== undefined && now - arrived > COMING_MS);
  }
}

function keyOf({ node, boot, seq }: ReportSource): string {
  return `${node} ${boot} ${seq}`;
}
