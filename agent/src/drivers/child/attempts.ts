/**
 * The reads and writes that a child has not answered.
 *
 * Invariant: the permission to touch a device is recorded before the child receives it. So if the child dies afterwards, the outcome is
 * unknown, and if it dies before, the device is unchanged.
 */
import { type Attempt, type DriverResult, notApplied, unknownOutcome } from "@porchlight/driver-kit";
import type { PropertyAddress, Value } from "@porchlight/shared/model";
import { MOST_IN_FLIGHT } from "./line-channel.ts";
import type { ToChild } from "./messages.ts";

interface Pending {
  readonly attempt: Attempt;
  isTouched: boolean;
  readonly settle: (result: DriverResult) => void;
}

const TOO_MANY = notApplied("The device's driver has too many requests to do.");

export class ChildAttempts {
  readonly #send: (message: ToChild) => void;
  readonly #monotonic: () => number;
  readonly #pending = new Map<number, Pending>();
  #id = 0;
  #ended: string | undefined;

  constructor(send: (message: ToChild) => void, monotonic: () => number) {
    this.#send = send;
    this.#monotonic = monotonic;
  }

  /** Makes the child read, or write if there is a value. Never rejects. */
  async ask(device: string, address: PropertyAddress, attempt: Attempt, value?: Value): Promise<DriverResult> {
    if (this.#ended !== undefined) return notApplied(this.#ended);
    if (this.#pending.size >= MOST_IN_FLIGHT) return TOO_MANY;
    const id = this.#nextId();
    const { promise, resolve } = Promise.withResolvers<DriverResult>();
    const abort = () => this.#send({ type: "abort", id });
    const settle = (result: DriverResult) => {
      attempt.signal?.removeEventListener("abort", abort);
      this.#pending.delete(id);
      resolve(result);
    };
    this.#pending.set(id, { attempt, isTouched: false, settle });
    const msLeft = Math.max(0, attempt.deadline - this.#monotonic());
    const { service, index, property } = address;
    const asked = { id, device, service, index, property, msLeft };
    this.#send(value === undefined ? { type: "read", ...asked } : { type: "write", ...asked, value });
    if (attempt.signal?.aborted) abort();
    else attempt.signal?.addEventListener("abort", abort, { once: true });
    return promise;
  }

  /** Whether the child may touch the device of that attempt now. */
  mayTouch(id: number): boolean {
    const pending = this.#pending.get(id);
    if (!pending) return false;
    try {
      pending.attempt.touch(() => {
        pending.isTouched = true;
      });
      return true;
    } catch {
      // Without permission the child has not touched the device.
      return false;
    }
  }

  /** Takes the child's answer. A second answer, or one without a question, has no effect. */
  answered(id: number, result: DriverResult): void {
    this.#pending.get(id)?.settle(result);
  }

  /** Settles all open attempts; later ones are not sent. */
  end(why: string): void {
    this.#ended = why;
    for (const { isTouched, settle } of [...this.#pending.values()])
      settle(isTouched ? unknownOutcome(why) : notApplied(why));
  }

  #nextId(): number {
    do this.#id = this.#id >= 0xffffffff ? 1 : this.#id + 1;
    while (this.#pending.has(this.#id));
    return this.#id;
  }
}
