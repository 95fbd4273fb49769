/**
 * The availability of devices: live, gone, or unmet. Its own file because drivers report it and commands wait for it, and because "unmet"
 * is neither of the other two.
 *
 * Invariants: a device that was known before is unmet from the hub's start, and from the reopening of its line, until it arrives or its
 * time is over; a line that reopens repeatedly without the device does not extend this time.
 */
import { Gate, type Patience } from "@porchlight/driver-kit";
import type { Clock } from "@porchlight/shared/kernel";

export type Where = "there" | "gone" | "unmet";

/** A device that was known before and may still arrive: until when, on the monotonic clock, ms. */
interface Awaited {
  until: number;
  /** Its line has been opened since it was last live. */
  opened: boolean;
  /** The commands and reads that wait for it. */
  readonly waiting: Gate;
}

export class DeviceAvailability {
  readonly #clock: Clock;
  readonly #absentMs: number;
  /** Devices that are live on a link. */
  readonly #there = new Set<string>();
  readonly #awaited = new Map<string, Awaited>();

  /**
   * @param known edgeIds of the devices that the hub has had
   * @param absentMs how long after the start, or after the opening of its line, a device may take to arrive, ms
   */
  constructor(clock: Clock, known: readonly string[], absentMs: number) {
    this.#clock = clock;
    this.#absentMs = absentMs;
    for (const edgeId of known) this.#expect(edgeId, false);
  }

  of(edgeId: string): Where {
    if (this.#there.has(edgeId)) return "there";
    const awaited = this.#awaited.get(edgeId);
    return awaited && awaited.until > this.#clock.monotonic() ? "unmet" : "gone";
  }

  /**
   * Resolves when the availability of the device may be known, the deadline has passed, or the caller is gone; check again then.
   * Callers that wait for one device continue in the order in which they came.
   */
  async known(edgeId: string, attempt: Patience): Promise<void> {
    const awaited = this.#awaited.get(edgeId);
    const deadline = Math.min(attempt.deadline, awaited?.until ?? 0);
    await awaited?.waiting.wait({ ...attempt, deadline });
  }

  arrived(edgeId: string): void {
    this.#there.add(edgeId);
    const awaited = this.#awaited.get(edgeId);
    this.#awaited.delete(edgeId);
    awaited?.waiting.release();
  }

  /** False when the device was not live. */
  left(edgeId: string): boolean {
    return this.#there.delete(edgeId);
  }

  /** The line on which these devices were last live is open: the devices that are still connected arrive soon. */
  opened(edgeIds: readonly string[]): void {
    for (const edgeId of edgeIds) {
      const awaited = this.#awaited.get(edgeId);
      if (!this.#there.has(edgeId) && !awaited?.opened) this.#expect(edgeId, true);
    }
  }

  /** Forgets all devices, and releases all waiting callers. */
  end(): void {
    const awaited = [...this.#awaited.values()];
    this.#there.clear();
    this.#awaited.clear();
    for (const { waiting } of awaited) waiting.release();
  }

  #expect(edgeId: string, opened: boolean): void {
    const until = this.#clock.monotonic() + this.#absentMs;
    const awaited = this.#awaited.get(edgeId);
    if (awaited) Object.assign(awaited, { until, opened });
    else this.#awaited.set(edgeId, { until, opened, waiting: new Gate(this.#clock) });
  }
}
