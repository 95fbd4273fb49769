/** Whether the service takes requests: what a load balancer asks before it sends any. */
import type { Log } from "@porchlight/shared/kernel";
import type { Store } from "../store/index.ts";
import { askStore } from "./service-queries.ts";

export class Health {
  readonly #store: Store;
  readonly #log: Log;
  #stopping = false;

  constructor(deps: { readonly store: Store; readonly log: Log }) {
    this.#store = deps.store;
    this.#log = deps.log;
  }

  /** From now on no new requests are wanted. */
  stopping(): void {
    this.#stopping = true;
  }

  get isStopping(): boolean {
    return this.#stopping;
  }

  /** Why not, in a sentence; undefined when all is well. */
  async problem(): Promise<string | undefined> {
    if (this.#stopping) return "The service is being stopped.";
    try {
      await askStore(this.#store);
      return undefined;
    } catch (error) {
      this.#log.error({ error }, "the store does not answer");
      return "The store does not answer.";
    }
  }
}
