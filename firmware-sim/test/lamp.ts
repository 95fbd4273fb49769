/** The C lamp as a process on a pseudo-terminal: its port, its keys, and what it prints of its acts. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

export class Lamp implements AsyncDisposable {
  readonly port: string;
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #printed: string[];

  private constructor(process: ChildProcessWithoutNullStreams, port: string, printed: string[]) {
    this.#process = process;
    this.port = port;
    this.#printed = printed;
  }

  /** @param program built from `firmware/examples/lamp.c` @throws Error when it prints anything else than its port first */
  static async start(program: string, options: readonly string[] = []): Promise<Lamp> {
    const child = spawn(program, options, { stdio: "pipe" });
    const lines = createInterface({ input: child.stdout });
    const [first] = (await once(lines, "line")) as [string];
    const port = /^port (\S+)$/.exec(first)?.[1];
    if (port === undefined) throw new Error(`the lamp said "${first}"`);
    const printed: string[] = [];
    lines.on("line", (line) => printed.push(line));
    return new Lamp(child, port, printed);
  }

  /** Its last printed line. */
  get last(): string | undefined {
    return this.#printed.at(-1);
  }

  /** `p` presses its button, `t` turns it on or off at its own switch. */
  press(key: "p" | "t"): void {
    this.#process.stdin.write(key);
  }

  /** @throws Error when it did not end by itself, or a sanitizer found something */
  async [Symbol.asyncDispose](): Promise<void> {
    const errors: string[] = [];
    this.#process.stderr.on("data", (text) => errors.push(String(text)));
    const ended = once(this.#process, "exit");
    if (this.#process.exitCode === null) {
      this.#process.stdin.write("q");
      await ended;
    }
    if (this.#process.exitCode !== 0)
      throw new Error(`the lamp ended with ${this.#process.exitCode}: ${errors.join("")}`);
  }
}
