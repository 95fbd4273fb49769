/** Questions to the user: only on a terminal and on stderr, so that stdout is for data. */
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { text as textOf } from "node:stream/consumers";
import type { Fetch } from "@porchlight/sdk";
import type { Clock, Random } from "@porchlight/shared/kernel";
import { printable } from "@porchlight/shared/model";
import type { Sink } from "../render/style.ts";
import { Interrupted, UsageError } from "./failure.ts";

export class Prompts {
  readonly #around: Surroundings;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  /** Whether there is a terminal for questions. */
  get isPossible(): boolean {
    return this.#around.stdin.isTTY === true && this.#around.stderr.isTTY;
  }

  /**
   * @param instead the flag that replaces the answer without a terminal
   * @throws UsageError without a terminal; Interrupted
   */
  ask(question: string, instead: string): Promise<string> {
    return this.#ask(question, instead, true);
  }

  /** Asks without echo. @throws as {@link ask} */
  askHidden(question: string, instead: string): Promise<string> {
    return this.#ask(question, instead, false);
  }

  /** True for the answers `y` and `yes`. @throws as {@link ask} */
  async confirm(question: string, instead: string): Promise<boolean> {
    return /^y(es)?$/i.test((await this.#ask(`${question} [y/N] `, instead, true)).trim());
  }

  /** All text from another program on stdin, without the final line end. */
  async piped(): Promise<string> {
    return (await textOf(this.#around.stdin)).replace(/\r?\n$/, "");
  }

  #ask(question: string, instead: string, isShown: boolean): Promise<string> {
    const { stdin, stderr, signal } = this.#around;
    if (!this.isPossible)
      throw new UsageError(
        `There is no terminal to ask for: ${question.replace(/[\s?:]*(\[y\/N\])?\s*$/, "")}.`,
        "Questions are asked on a terminal only.",
        `give ${instead}`,
      );
    // Without echo, readline writes its question once, and nothing afterwards.
    let isMuted = false;
    const output = new Writable({
      write(chunk: Buffer, _encoding, done) {
        if (!isMuted) stderr.write(chunk.toString());
        done();
      },
    });
    // Without the width, readline would place the cursor as on a wider terminal.
    const screen = Object.assign(output, { columns: stderr.columns ?? 80 });
    const asked = createInterface({ input: stdin, output: screen, terminal: true, historySize: 0 });
    return new Promise((resolve, reject) => {
      const end = (finish: () => void) => {
        signal.removeEventListener("abort", onAbort);
        if (isMuted) stderr.write("\n");
        // First, because the end of input must not count as the answer once there is one.
        finish();
        asked.close();
      };
      const onAbort = () => end(() => reject(signal.reason));
      signal.addEventListener("abort", onAbort, { once: true });
      asked.once("SIGINT", () => end(() => reject(new Interrupted())));
      // Ctrl-D: there will be no answer.
      asked.once("close", () => reject(new Interrupted()));
      asked.question(printable(question), (answer) => end(() => resolve(answer)));
      isMuted = !isShown;
    });
  }
}

/** Input from a user or another program. Everything around the process is passed in, so that commands also run within a test. */
type Input = NodeJS.ReadableStream & {
  readonly isTTY?: boolean;
  setRawMode?(raw: boolean): unknown;
};

export interface Surroundings {
  readonly stdin: Input;
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home folder. */
  readonly home: string;
  /** Name of the machine, which distinguishes entries in the list of log-ins. */
  readonly machine: string;
  readonly clock: Clock;
  readonly random: Random;
  /** Aborted with `Interrupted` by Ctrl-C, with `OutputClosed` when stdout is closed. */
  readonly signal: AbortSignal;
  /** Replaces the runtime's own `fetch`. */
  readonly fetch?: Fetch | undefined;
}
