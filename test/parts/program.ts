/** A program of ours as a real process: started, listened to, stopped, killed, and never left behind. */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { COMPILED } from "./compiled.ts";
import { programFile, ROOT } from "./program-file.ts";

export { ROOT };

/** Set-up code of tests runs before vitest has set its environment. Benchmarks start a program as a user does. */
const START = process.env.VITEST ? COMPILED : {};

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export class Program implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #name: string;
  readonly #lines: string[] = [];
  readonly #readers = new Set<(line: string) => void>();
  #stderr = "";
  readonly ended: Promise<Ended>;

  /**
   * @param main path of its main file, from the root of the repository
   * @param within a command that becomes the program, such as `ip netns exec NAME`
   */
  constructor(
    name: string,
    main: string,
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
    within: readonly string[] = [],
  ) {
    this.#name = name;
    const stdio: ["pipe", "pipe", "pipe"] = ["pipe", "pipe", "pipe"];
    const [command = "", ...words] = [...within, process.execPath, programFile(main), ...args];
    this.#child = spawn(command, words, { env: { ...process.env, ...START, ...env }, stdio });
    this.ended = new Promise((resolve) => this.#child.once("exit", (code, signal) => resolve({ code, signal })));
    if (this.#child.stdout) createInterface({ input: this.#child.stdout }).on("line", (line) => this.#hear(line));
    this.#child.stderr?.on("data", (data) => {
      this.#stderr = (this.#stderr + data).slice(-20_000);
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Its last output on stderr: for the message of a failing test. */
  get stderr(): string {
    return this.#stderr;
  }

  /** The first line on stdout, past or to come, for which `read` returns a value. @throws Error when the program ends before */
  line<T>(read: (line: string) => T | undefined): Promise<T> {
    return this.#await(read, this.#lines);
  }

  /** The first line on stdout still to come for which `read` returns a value. @throws Error when the program ends before */
  next<T>(read: (line: string) => T | undefined): Promise<T> {
    return this.#await(read, []);
  }

  #await<T>(read: (line: string) => T | undefined, past: readonly string[]): Promise<T> {
    return new Promise((resolve, reject) => {
      const take = (line: string) => {
        const value = read(line);
        if (value === undefined) return false;
        this.#readers.delete(take);
        resolve(value);
        return true;
      };
      if (past.some(take)) return;
      this.#readers.add(take);
      void this.ended.then(({ code, signal }) =>
        reject(new Error(`${this.#name} ended (${signal ?? code}):\n${this.#stderr}`)),
      );
    });
  }

  /** Writes a line to its stdin. */
  tell(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** SIGKILL, and waits until it is gone. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.ended;
  }

  /** SIGTERM, and how it ended. */
  async stop(): Promise<Ended> {
    this.#child.kill("SIGTERM");
    return this.ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGCONT");
    await this.kill();
  }

  #hear(line: string): void {
    this.#lines.push(line);
    for (const reader of [...this.#readers]) reader(line);
  }
}
