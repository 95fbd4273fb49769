/** Questions to a person: on a terminal only, asked on stderr, so that stdout stays data. */
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

  /** Whether there is somebody to ask. */
  get isPossible(): boolean {
    return this.#around.stdin.isTTY === true && this.#around.stderr.isTTY;
  }

  /**
   * @param instead the flag that says it without a terminal
   * @throws UsageError without a terminal; Interrupted
   */
  ask(question: string, instead: string): Promise<string> {
    return this.#ask(question, instead, true);
  }

  /** Nothing of what is typed is shown. @throws as {@link ask} */
  askHidden(question: string, instead: string): Promise<string> {
    return this.#ask(question, instead, false);
  }

  /** True after `y` or `yes`. @throws as {@link ask} */
  async confirm(question: string, instead: string): Promise<boolean> {
    return /^y(es)?$/i.test((await this.#ask(`${question} [y/N] `, instead, true)).trim());
  }

  /** All that another program writes to stdin, without the end of its last line. */
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
    // Without echo readline writes its question once, and nothing after it.
    let isMuted = false;
    const output = new Writable({
      write(chunk: Buffer, _encoding, done) {
        if (!isMuted) stderr.write(chunk.toString());
        done();
      },
    });
    // Without its width readline would put the cursor where a wider terminal had it.
    const screen = Object.assign(output, { columns: stderr.columns ?? 80 });
    const asked = createInterface({ input: stdin, output: screen, terminal: true, historySize: 0 });
    return new Promise((resolve, reject) => {
      const end = (finish: () => void) => {
        signal.removeEventListener("abort", onAbort);
        if (isMuted) stderr.write("\n");
        // First: that there is no more to come is no answer once there is one.
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

// What the process has around it, handed in, so that every command runs within a test as well.

/** Where a person types, or another program writes. */
type Input = NodeJS.ReadableStream & {
  readonly isTTY?: boolean;
  setRawMode?(raw: boolean): unknown;
};

export interface Surroundings {
  readonly stdin: Input;
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The person's own folder. */
  readonly home: string;
  /** Name of the machine: in the list of log-ins it tells one from another. */
  readonly machine: string;
  readonly clock: Clock;
  readonly random: Random;
  /** Aborted with `Interrupted` by Ctrl-C, with `OutputClosed` when stdout is closed. */
  readonly signal: AbortSignal;
  /** In place of the runtime's own. */
  readonly fetch?: Fetch | undefined;
}
