/**
 * What the hub knows of where its devices are: there, gone, or not met yet. Its own file because drivers tell it and commands
 * wait for it, and because "not met yet" is neither of the other two.
 *
 * Invariants: a device that was known before is not met yet from the hub's start, and from when its line was opened anew, until
 * it arrives or its time is over; a line that opens again and again without it gives it no second time.
 */
import { Gate, type Patience } from "@porchlight/driver-kit";
import type { Clock } from "@porchlight/shared/kernel";

export type Where = "there" | "gone" | "unmet";

/** A device that was known before and may come: until when, on the monotonic clock, ms. */
interface Awaited {
  until: number;
  /** Its line has been opened since it was last there. */
  opened: boolean;
  /** Who waits for it. */
  readonly waiting: Gate;
}

export class DeviceAvailability {
  readonly #clock: Clock;
  readonly #absentMs: number;
  /** Devices that are live on some link. */
  readonly #there = new Set<string>();
  readonly #awaited = new Map<string, Awaited>();

  /**
   * @param known edgeIds of the devices that the hub has had
   * @param absentMs how long after the start, or after the opening of its line, a device may take to be met, ms
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
   * Settles when it may be known whether the device is there, or the attempt has no time or no asker left; look again then.
   * Those who wait for one device go on in the order in which they came.
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

  /** False when it was not there. */
  left(edgeId: string): boolean {
    return this.#there.delete(edgeId);
  }

  /** The line on which these devices were last is open: those that are still on it are there before long. */
  opened(edgeIds: readonly string[]): void {
    for (const edgeId of edgeIds) {
      const awaited = this.#awaited.get(edgeId);
      if (!this.#there.has(edgeId) && !awaited?.opened) this.#expect(edgeId, true);
    }
  }

  /** Nothing is known of any device any more, and none is waited for. */
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
