/** Questions to a person: on a terminal only, asked on stderr, so that stdout stays data. */
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { text as textOf } from "node:stream/consumers";
import { printable } from "@porchlight/shared/model";
import { Interrupted, UsageError } from "./failure.ts";
import type { Surroundings } from "./surroundings.ts";

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
