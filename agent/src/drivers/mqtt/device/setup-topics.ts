/** The topics that running setups listen to. */
import type { Message } from "./mqtt-device.ts";

type Take = (message: Message) => void;

export class SetupTopics {
  readonly #takers = new Map<string, Set<Take>>();

  get topics(): string[] {
    return [...this.#takers.keys()];
  }

  add(topics: readonly string[], take: Take): void {
    for (const topic of topics) {
      const takers = this.#takers.get(topic) ?? new Set();
      this.#takers.set(topic, takers.add(take));
    }
  }

  /** Gives the topics to which nobody listens any more. */
  remove(topics: readonly string[], take: Take): string[] {
    return topics.filter((topic) => {
      const takers = this.#takers.get(topic);
      takers?.delete(take);
      if (takers?.size !== 0) return false;
      return this.#takers.delete(topic);
    });
  }

  take(message: Message): void {
    for (const take of this.#takers.get(message.topic) ?? []) take(message);
  }
}
