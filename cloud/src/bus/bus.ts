/**
 * How the nodes of a service speak to each other: short messages that may be lost, late or told twice. Whoever hears one
 * takes it as a reason to look, or to do what is asked only as long as it still counts; the truth is in the database.
 */

export interface Bus extends AsyncDisposable {
  /** Whether others can be reached, as far as is known. */
  readonly connected: boolean;
  /** Told again and again whether others can be reached, at every change. Gives back how to stop. */
  onChange(listener: (connected: boolean) => void): () => void;
  /** Publishes to all listeners; it does not wait for them, and keeps nothing while the line is down. */
  publish(subject: string, message: unknown): void;
  /** @param subject `*` stands for one word of it. Gives back how to stop. */
  subscribe(subject: string, heard: (message: unknown) => void): () => void;
  /**
   * Asks the process that answers under a subject.
   * @throws NoResponder when it has reached no process, NoAnswer when nothing came in time
   */
  ask(subject: string, message: unknown, timeoutMs: number): Promise<unknown>;
  /** Answers what is asked under a subject; what it throws is logged, and nothing is answered. Gives back how to stop. */
  answer(subject: string, answer: (message: unknown) => Promise<unknown>): () => void;
}

/** No node received the question: nothing was begun. */
export class NoResponder extends Error {
  constructor(cause?: unknown) {
    super("no node was there to be asked", { cause });
  }
}

/** The question may have been heard, and acted upon. */
export class NoAnswer extends Error {
  constructor(cause?: unknown) {
    super("the node that was asked did not answer in time", { cause });
  }
}
