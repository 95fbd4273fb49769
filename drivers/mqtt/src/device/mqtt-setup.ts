/**
 * Setups that a dialect offers to people for the programs behind a broker: what they need of the driver, and the topics that running setups
 * listen to.
 */
import type { SetupKind, SetupTalk } from "@porchlight/driver-kit";
import type { Clock } from "@porchlight/shared/kernel";
import type { Message, Publication } from "./mqtt-device.ts";

/** A setup's view of the broker. */
export interface SetupBroker {
  readonly clock: Clock;
  /** @throws Error when there is no connection */
  publish(publication: Publication): Promise<void>;
  /**
   * Receives the messages of exact topics, until it is disposed of. Settles when they are subscribed to.
   * @throws Error when there is no connection
   */
  listen(topics: readonly string[], take: (message: Message) => void): Promise<Disposable>;
}

export interface MqttSetup extends SetupKind {
  /** @throws SetupFailed, the talk's signal's reason */
  run(talk: SetupTalk, broker: SetupBroker): Promise<void>;
}

type Take = (message: Message) => void;

interface SetupTopicsDeps {
  /** @throws Error when there is no connection, or the broker refuses */
  readonly subscribe: (topics: readonly string[]) => Promise<void>;
  readonly unsubscribe: (topics: readonly string[]) => void;
}

export class SetupTopics {
  readonly #deps: SetupTopicsDeps;
  readonly #takers = new Map<string, Set<Take>>();

  constructor(deps: SetupTopicsDeps) {
    this.#deps = deps;
  }

  get topics(): string[] {
    return [...this.#takers.keys()];
  }

  /** @throws the errors of `subscribe` */
  async listen(topics: readonly string[], take: Take): Promise<Disposable> {
    for (const topic of topics) {
      const takers = this.#takers.get(topic) ?? new Set();
      this.#takers.set(topic, takers.add(take));
    }
    const stop = () => this.#deps.unsubscribe(this.#remove(topics, take));
    try {
      await this.#deps.subscribe(topics);
    } catch (failure) {
      stop();
      throw failure;
    }
    return { [Symbol.dispose]: stop };
  }

  take(message: Message): void {
    for (const take of this.#takers.get(message.topic) ?? []) take(message);
  }

  /** Returns the topics that no setup listens to any more. */
  #remove(topics: readonly string[], take: Take): string[] {
    return topics.filter((topic) => {
      const takers = this.#takers.get(topic);
      takers?.delete(take);
      if (takers?.size !== 0) return false;
      return this.#takers.delete(topic);
    });
  }
}
