/** The passwords of devices that people have given by a setup, kept in the driver's store, which is sealed. */
import { isEdgeId } from "@porchlight/shared/model";
import { Secret } from "@porchlight/shared/settings";
import type { DriverStore } from "../kit/index.ts";

const PREFIX = "password ";

export class Passwords {
  readonly #store: DriverStore | undefined;
  readonly #passwords = new Map<string, Secret>();

  /** @param store undefined: nothing outlives the driver */
  constructor(store: DriverStore | undefined) {
    this.#store = store;
  }

  /** To be awaited before any is asked for. @throws what the store throws */
  async load(): Promise<void> {
    for (const [key, value] of (await this.#store?.all(PREFIX)) ?? []) {
      const edgeId = key.slice(PREFIX.length);
      if (isEdgeId(edgeId)) this.#passwords.set(edgeId, new Secret(Buffer.from(value).toString()));
    }
  }

  of(edgeId: string): Secret | undefined {
    return this.#passwords.get(edgeId);
  }

  /** Until it is kept it is used in this life of the driver only. @param password undefined: none is known */
  use(edgeId: string, password: Secret | undefined): void {
    if (password) this.#passwords.set(edgeId, password);
    else this.#passwords.delete(edgeId);
  }

  /** Settles when the one in use is kept. @throws what the store throws */
  async keep(edgeId: string): Promise<void> {
    const password = this.#passwords.get(edgeId);
    if (password) await this.#store?.set(`${PREFIX}${edgeId}`, Buffer.from(password.reveal()));
  }
}
