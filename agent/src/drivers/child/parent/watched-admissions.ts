/** Tells a child which of the devices that it has asked about people have admitted, at once and at each change. */
import type { Admissions } from "@porchlight/driver-kit";
import type { ToChild } from "../ipc/messages.ts";

const MOST_WATCHED = 1000;

export class WatchedAdmissions {
  readonly #send: (message: ToChild) => void;
  readonly #admissions: Admissions | undefined;
  readonly #told = new Map<string, boolean>();
  readonly #stop: (() => void) | undefined;

  constructor(send: (message: ToChild) => void, admissions: Admissions | undefined) {
    this.#send = send;
    this.#admissions = admissions;
    this.#stop = admissions?.listen(() => {
      for (const [edgeId, told] of this.#told) if (this.#isAdmitted(edgeId) !== told) this.#tell(edgeId);
    });
  }

  /** False when it asks about more than it may. */
  watch(edgeId: string): boolean {
    if (!this.#told.has(edgeId) && this.#told.size >= MOST_WATCHED) return false;
    this.#tell(edgeId);
    return true;
  }

  end(): void {
    this.#stop?.();
  }

  #isAdmitted(edgeId: string): boolean {
    return this.#admissions?.isAdmitted(edgeId) ?? false;
  }

  #tell(edgeId: string): void {
    const admitted = this.#isAdmitted(edgeId);
    this.#told.set(edgeId, admitted);
    this.#send({ type: "admission", edgeId, admitted });
  }
}
