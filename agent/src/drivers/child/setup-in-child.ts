/** Setups of a driver in its child process: the driver speaks to the user through the channel to the agent. */
import { type Driver, SetupFailed, type SetupTalk } from "@porchlight/driver-kit";
import { orAborted } from "@porchlight/shared/kernel";
import { setupFind, setupQuestion } from "./message-parts.ts";
import type { FromChild, ToChildOf } from "./messages.ts";

/** A setup that runs in a child: the driver's side of its conversation with the user. */
interface Running {
  readonly ending: AbortController;
  readonly answers: Map<number, (answer: string) => void>;
}

const ENDED = "The setup has been ended.";

/** Runs the setups of the driver; the user is at the agent's end. */
export class SetupsInChild {
  readonly #send: (message: FromChild) => void;
  readonly #running = new Map<number, Running>();
  #question = 0;

  constructor(send: (message: FromChild) => void) {
    this.#send = send;
  }

  /** Runs a setup to its end and reports the end to the agent. Never rejects. */
  async run({ id, kind }: ToChildOf<"setup">, driver: Driver): Promise<void> {
    const running: Running = { ending: new AbortController(), answers: new Map() };
    this.#running.set(id, running);
    let failure: string | undefined;
    try {
      if (!driver.setup) throw new SetupFailed("The driver does not offer this setup.");
      await driver.setup(kind, this.#talk(id, running));
    } catch (thrown) {
      failure = (thrown instanceof Error ? thrown.message : String(thrown)).slice(0, 1024);
    } finally {
      this.#running.delete(id);
    }
    this.#send({ type: "setup_ended", id, failure });
  }

  answered({ id, question, answer }: ToChildOf<"setup_answer">): void {
    this.#running.get(id)?.answers.get(question)?.(answer);
  }

  abort(id: number): void {
    this.#running.get(id)?.ending.abort(new SetupFailed(ENDED));
  }

  /** Aborts all setups, because the driver ends. */
  end(): void {
    for (const { ending } of this.#running.values()) ending.abort(new SetupFailed(ENDED));
  }

  #talk(id: number, { ending, answers }: Running): SetupTalk {
    const { signal } = ending;
    return {
      signal,
      tell: (text, seconds) => this.#send({ type: "setup_tell", id, text: text.slice(0, 1024), seconds }),
      found: (find) => {
        const parsed = setupFind.safeParse(find);
        if (parsed.success) this.#send({ type: "setup_found", id, find: parsed.data });
      },
      ask: async (asked) => {
        signal.throwIfAborted();
        this.#question += 1;
        const question = this.#question;
        const { promise, resolve } = Promise.withResolvers<string>();
        answers.set(question, resolve);
        this.#send({ type: "setup_ask", id, question, about: setupQuestion.parse(asked) });
        try {
          return await orAborted(promise, signal);
        } finally {
          answers.delete(question);
        }
      },
    };
  }
}
