/** The topics that running setups listen to. */
import type { Message } from "./mqtt-device.ts";

type Take = (message: Message) => void;

export interface SetupTopicsDeps {
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
