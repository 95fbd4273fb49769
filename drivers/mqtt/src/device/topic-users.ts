/**
 * Records which device needs which topics, so that each topic is subscribed to as long as it is needed, and a message finds its devices
 * at once.
 */

export class TopicUsers<User> {
  readonly #users = new Map<string, Set<User>>();
  readonly #topics = new Map<User, ReadonlySet<string>>();

  /** Every topic that a user needs. */
  get topics(): string[] {
    return [...this.#users.keys()];
  }

  of(topic: string): ReadonlySet<User> {
    return this.#users.get(topic) ?? NONE;
  }

  /** Replaces the topics that the user needs. Returns the topics that no user needs any more. */
  set(user: User, topics: ReadonlySet<string>): string[] {
    const before = this.#topics.get(user) ?? NONE;
    for (const topic of topics) this.#users.set(topic, (this.#users.get(topic) ?? new Set<User>()).add(user));
    if (topics.size > 0) this.#topics.set(user, topics);
    else this.#topics.delete(user);
    return [...before].filter((topic) => !topics.has(topic) && this.#drop(user, topic));
  }

  #drop(user: User, topic: string): boolean {
    const users = this.#users.get(topic);
    users?.delete(user);
    return users?.size === 0 && this.#users.delete(topic);
  }
}

const NONE: ReadonlySet<never> = new Set();
