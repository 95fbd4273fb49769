/** What people have admitted, as a driver in a child sees it: the agent is asked about each device once, and tells of changes. */
import type { Admissions } from "@porchlight/driver-kit";
import type { ToChildOf } from "../ipc/messages.ts";

/** Devices that are asked about. */
const MOST_WATCHED = 1000;

export class AdmissionsInChild implements Admissions {
  readonly #watch: (edgeId: string) => void;
  readonly #known = new Map<string, boolean>();
  readonly #listeners = new Set<() => void>();

  /** @param watch asks the agent about a device */
  constructor(watch: (edgeId: string) => void) {
    this.#watch = watch;
  }

  /** False until the agent has answered; then those that listen are called. */
  isAdmitted(edgeId: string): boolean {
    const known = this.#known.get(edgeId);
    if (known === undefined && this.#known.size < MOST_WATCHED) {
      this.#known.set(edgeId, false);
      this.#watch(edgeId);
    }
    return known ?? false;
  }

  listen(changed: () => void): () => void {
    this.#listeners.add(changed);
    return () => void this.#listeners.delete(changed);
  }

  told({ edgeId, admitted }: ToChildOf<"admission">): void {
    if (this.#known.get(edgeId) === admitted) return;
    this.#known.set(edgeId, admitted);
    for (const changed of [...this.#listeners]) changed();
  }
}
