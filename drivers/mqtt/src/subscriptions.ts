/** What the broker is asked to send, a part at a time: brokers bound how many filters one request may have. */
import { TaskSet } from "@porchlight/shared/kernel";
import type { BrokerConnection } from "./broker/index.ts";

export interface SubscriptionsDeps {
  /** Undefined while there is none. */
  readonly connection: () => BrokerConnection | undefined;
  /** The broker does not let the hub have a topic. */
  readonly refused: (failure: unknown) => void;
}

const AT_ONCE = 100;

export class Subscriptions {
  readonly #deps: SubscriptionsDeps;
  readonly #changing = new TaskSet();

  constructor(deps: SubscriptionsDeps) {
    this.#deps = deps;
  }

  /** Of a new connection: all that is needed. @throws what the connection throws */
  async begin(filters: readonly string[]): Promise<void> {
    const connection = this.#deps.connection();
    for (const part of inParts(filters)) await connection?.subscribe(part);
  }

  /** Without a connection nothing is done: all that is needed is subscribed to when there is one again. */
  change(added: readonly string[], removed: readonly string[]): void {
    const connection = this.#deps.connection();
    if (!connection) return;
    for (const part of inParts(removed)) void this.#changing.add(connection.unsubscribe(part)).catch(() => undefined);
    for (const part of inParts(added)) void this.#changing.add(connection.subscribe(part)).catch(this.#deps.refused);
  }

  /** Settles when nothing is under way. */
  idle(): Promise<void> {
    return this.#changing.idle();
  }
}

function* inParts(all: readonly string[]): Iterable<string[]> {
  for (let from = 0; from < all.length; from += AT_ONCE) yield all.slice(from, from + AT_ONCE);
}
