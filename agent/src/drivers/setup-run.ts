/**
 * One setup from its start to its end: the driver reports and asks on one side; a user watches, answers or cancels on the other.
 *
 * Invariants: it ends within {@link MOST_MS}; a question that is open at the end is never answered; a snapshot is of one moment.
 */
import {
  SetupFailed,
  type SetupFind,
  type SetupKind,
  type SetupQuestion,
  type SetupTalk,
} from "@porchlight/driver-kit";
import { type Clock, sleep, type Timer } from "@porchlight/shared/kernel";
import { type HubSetup, MOST_LISTED } from "@porchlight/shared/model";

export interface SetupRunDeps {
  readonly id: string;
  readonly kind: SetupKind;
  /** Name of the driver. */
  readonly driver: string;
  readonly clock: Clock;
  /** Runs the driver's part of the setup to its end. */
  readonly run: (talk: SetupTalk) => Promise<void>;
}

/** How long a setup may take, ms: a user who leaves must not keep it open. */
export const MOST_MS = 15 * 60_000;
const LONGEST_TEXT = 1024;
const LONGEST_NAME = 256;

interface Question {
  readonly number: number;
  readonly asked: SetupQuestion;
  readonly answered: (answer: string) => void;
}

/** The result of an answer: `taken` also when it repeats the accepted answer. */
export type AnswerResult = "taken" | "not_asked" | "no_choice";

export class SetupRun {
  readonly id: string;
  readonly driver: string;
  readonly #deps: SetupRunDeps;
  readonly #ending = new AbortController();
  readonly #limit: Timer;
  readonly #found: SetupFind[] = [];
  #state: "running" | "done" | "failed" | "cancelled" = "running";
  #text: string;
  /** Time limit of the current step, monotonic ms. */
  #until: number | undefined;
  #question: Question | undefined;
  #last: { readonly number: number; readonly answer: string } | undefined;
  #questions = 0;
  #version = 1;
  #changed = Promise.withResolvers<void>();

  constructor(deps: SetupRunDeps) {
    const { id, driver, clock, kind } = deps;
    this.id = id;
    this.driver = driver;
    this.#deps = deps;
    this.#text = kind.title;
    this.#limit = clock.timer("a setup that nobody ends", MOST_MS, () => {
      this.#end("failed", "The setup took too long. Start it again.");
    });
    void this.#run();
  }

  get isOver(): boolean {
    return this.#state !== "running";
  }

  /** The current snapshot of the setup. */
  look(): HubSetup {
    const { id, kind, driver, clock } = this.#deps;
    const left = this.#until === undefined ? undefined : Math.ceil((this.#until - clock.monotonic()) / 1000);
    return {
      id,
      ...kind,
      driver,
      state: this.#question && !this.isOver ? "asking" : this.#state,
      text: this.#text,
      ...(left !== undefined && { secondsLeft: Math.max(0, left) }),
      ...(this.#question && !this.isOver && { question: questionText(this.#question) }),
      found: this.#found.map(({ edgeId, name }) => ({ ...(edgeId !== undefined && { edgeId }), name })),
      version: this.#version,
    };
  }

  /** The snapshot as soon as it is newer than that version, or after that time, ms. */
  async newer(after: number, waitMs: number, signal?: AbortSignal): Promise<HubSetup> {
    if (this.#version <= after && !this.isOver && waitMs > 0 && !signal?.aborted) {
      const enough = new AbortController();
      const stop = () => enough.abort();
      signal?.addEventListener("abort", stop, { once: true });
      await Promise.race([
        this.#changed.promise,
        sleep(this.#deps.clock, "word of a setup", waitMs, enough.signal).catch(() => undefined),
      ]);
      signal?.removeEventListener("abort", stop);
      enough.abort();
    }
    return this.look();
  }

  /** Answers the question of that number; repeating the same answer is accepted. */
  answer(number: number, answer: string): AnswerResult {
    const question = this.#question;
    if (question?.number !== number || this.isOver)
      return this.#last?.number === number && this.#last.answer === answer ? "taken" : "not_asked";
    const { asked, answered } = question;
    if (asked.ask === "choice" && !asked.choices.includes(answer)) return "no_choice";
    this.#last = { number, answer };
    this.#question = undefined;
    answered(answer);
    this.#change();
    return "taken";
  }

  /** Cancels the setup; without effect when it has ended. */
  cancel(): void {
    this.#end("cancelled", "A person ended the setup.");
  }

  async #run(): Promise<void> {
    const { run, driver } = this.#deps;
    try {
      await run(this.#talk());
      this.#end("done", this.#found.length === 0 ? "The setup has ended. Nothing was found." : "The setup has ended.");
    } catch (failure) {
      const why = failure instanceof SetupFailed ? failure.message : `The driver of ${driver} has failed.`;
      this.#end("failed", why);
    }
  }

  #talk(): SetupTalk {
    const { signal } = this.#ending;
    return {
      signal,
      tell: (text, seconds) => {
        if (this.isOver) return;
        this.#text = text.slice(0, LONGEST_TEXT);
        this.#until = seconds === undefined ? undefined : this.#deps.clock.monotonic() + seconds * 1000;
        this.#change();
      },
      ask: (asked) => this.#ask(asked),
      found: ({ edgeId, name }) => {
        const known = edgeId === undefined ? -1 : this.#found.findIndex((each) => each.edgeId === edgeId);
        if (this.isOver || (known < 0 && this.#found.length >= MOST_LISTED)) return;
        const find = { edgeId, name: name.slice(0, LONGEST_NAME) };
        if (known < 0) this.#found.push(find);
        else this.#found[known] = find;
        this.#change();
      },
    };
  }

  #ask(asked: SetupQuestion): Promise<string> {
    const { signal } = this.#ending;
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      this.#question = { number: ++this.#questions, asked, answered: resolve };
      this.#until = undefined;
      this.#text = asked.text.slice(0, LONGEST_TEXT);
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      this.#change();
    });
  }

  #end(state: "done" | "failed" | "cancelled", text: string): void {
    if (this.isOver) return;
    this.#state = state;
    this.#text = text.slice(0, LONGEST_TEXT);
    this.#until = undefined;
    this.#question = undefined;
    this.#limit.cancel();
    this.#change();
    this.#ending.abort(new SetupFailed(text));
  }

  #change(): void {
    this.#version += 1;
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}

function questionText({ number, asked }: Question): HubSetup["question"] {
  const { ask, text } = asked;
  return { number, ask, text, ...(asked.ask === "choice" && { choices: [...asked.choices] }) };
}
