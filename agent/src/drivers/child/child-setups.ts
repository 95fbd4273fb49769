/** The setups that run in a child: the user's side of each conversation. */
import { SetupFailed, type SetupTalk } from "@porchlight/driver-kit";
import type { FromChildOf, ToChild } from "./messages.ts";

type SetupMessage = FromChildOf<"setup_tell" | "setup_found" | "setup_ask" | "setup_ended">;

interface Running {
  readonly talk: SetupTalk;
  readonly settle: (failure: Error | undefined) => void;
}

export class ChildSetups {
  readonly #send: (message: ToChild) => void;
  readonly #running = new Map<number, Running>();
  #id = 0;

  constructor(send: (message: ToChild) => void) {
    this.#send = send;
  }

  /** Runs a setup to its end. @throws SetupFailed, the reason of the talk's signal */
  async run(kind: string, talk: SetupTalk): Promise<void> {
    talk.signal.throwIfAborted();
    const id = ++this.#id;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const abort = () => {
      this.#send({ type: "setup_abort", id });
      this.#running.get(id)?.settle(new Error("ended"));
    };
    this.#running.set(id, {
      talk,
      settle: (failure) => {
        talk.signal.removeEventListener("abort", abort);
        this.#running.delete(id);
        if (talk.signal.aborted) reject(talk.signal.reason);
        else if (failure) reject(failure);
        else resolve();
      },
    });
    talk.signal.addEventListener("abort", abort, { once: true });
    this.#send({ type: "setup", id, kind });
    return promise;
  }

  take(message: SetupMessage): void {
    const running = this.#running.get(message.id);
    if (!running) return;
    switch (message.type) {
      case "setup_tell":
        running.talk.tell(message.text, message.seconds);
        break;
      case "setup_found":
        running.talk.found(message.find);
        break;
      case "setup_ask":
        running.talk.ask(message.about).then(
          (answer) => this.#send({ type: "setup_answer", id: message.id, question: message.question, answer }),
          // The talk's signal is aborted, which the child already knows.
          () => undefined,
        );
        break;
      case "setup_ended":
        running.settle(message.failure === undefined ? undefined : new SetupFailed(message.failure));
        break;
    }
  }

  end(why: string): void {
    for (const { settle } of [...this.#running.values()]) settle(new SetupFailed(why));
  }
}
