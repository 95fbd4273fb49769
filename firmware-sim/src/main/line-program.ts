/**
 * A hub or a board that a command starts on a pseudo-terminal: starts, restarts and stops it with all processes of its shell. Its
 * output stays apart from the report: it goes to a file, and its last lines to stderr when it ends on its own.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, openSync, type WriteStream } from "node:fs";
import type { Readable } from "node:stream";
import { type Clock, sleep } from "@porchlight/shared/kernel";
import { openPty, type PtyPort } from "../simulator/links/pty-link.ts";
import { noteLine, noteOutput, UsageError } from "./command-line.ts";

/** Time that a program has to stop when it is asked to, ms. */
const STOPS_WITHIN = 5000;
/** Time to wait for its last output after its end, ms. */
const LAST_OUTPUT_WITHIN = 500;
const LINES_KEPT = 20;
const CHARACTERS_KEPT = 8192;

export interface LineProgramOptions {
  readonly clock: Clock;
  /** Kind of program, for messages. */
  readonly subject: "hub" | "board";
  /** Command for `/bin/sh`; `{port}` in it is replaced by the path of the line. */
  readonly command: string;
  /** A stable path for the line. */
  readonly link?: string | undefined;
  /** A file for the command's output. */
  readonly log?: string | undefined;
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

export class LineProgram implements AsyncDisposable {
  readonly port: PtyPort;
  readonly #options: LineProgramOptions;
  readonly #log: WriteStream | undefined;
  readonly #ended = Promise.withResolvers<string>();
  #child: Child;
  /** Resolves when the child has ended for any reason. */
  #exit: Promise<void>;
  #isStopping = false;
  #output = "";

  /** @throws UsageError when `log` cannot be written */
  constructor(options: LineProgramOptions) {
    this.#options = options;
    this.#log = options.log === undefined ? undefined : logAt(options.log);
    this.port = openPty(options.link);
    this.#child = this.#start();
    this.#exit = this.#follow(this.#child);
  }

  /** Resolves when the command has ended on its own, with the reason in words that begin a sentence. */
  get ended(): Promise<string> {
    return this.#ended.promise;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Its last lines of output, for users; empty when there are none. */
  get output(): string {
    const lines = this.#output.split("\n").filter((line) => line !== "");
    return lines
      .map((line) => `  ${line}\n`)
      .slice(-LINES_KEPT)
      .join("");
  }

  /** Stops it and starts it again on the same line, like a reset of a board. */
  async restart(): Promise<void> {
    await this.#stop();
    this.#child = this.#start();
    this.#exit = this.#follow(this.#child);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stop();
    this.#log?.end();
    this.port.close();
  }

  #start(): Child {
    this.#isStopping = false;
    const words = ["-c", this.#options.command.replaceAll("{port}", this.port.path)];
    // It gets its own process group, which receives the signals.
    const child = spawn("/bin/sh", words, { stdio: ["ignore", "pipe", "pipe"], detached: true });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        this.#output = (this.#output + text).slice(-CHARACTERS_KEPT);
        this.#log?.write(text);
      });
    }
    return child;
  }

  async #follow(child: Child): Promise<void> {
    const closed = once(child, "close");
    const [code, signal]: (number | string | null)[] = await once(child, "exit");
    // Its child processes may keep its output open.
    const waiting = new AbortController();
    const limit = sleep(this.#options.clock, "last words of a program", LAST_OUTPUT_WITHIN, waiting.signal);
    await Promise.race([closed, limit.catch(() => undefined)]);
    waiting.abort();
    if (this.#isStopping) return;
    const how = `The ${this.#options.subject}'s command has ended (${signal ?? code})`;
    if (this.output !== "") noteOutput(`${how}. Its last output:\n${this.output}`);
    this.#ended.resolve(how);
  }

  async #stop(): Promise<void> {
    this.#isStopping = true;
    if (this.isRunning) this.#signal("SIGTERM");
    const patience = this.#options.clock.timer("program to stop", STOPS_WITHIN, () => this.#signal("SIGKILL"));
    await this.#exit;
    patience.cancel();
  }

  #signal(signal: NodeJS.Signals): void {
    if (this.isRunning && this.#child.pid !== undefined) process.kill(-this.#child.pid, signal);
  }
}

/** @throws UsageError when the file cannot be written */
function logAt(path: string): WriteStream {
  let fd: number;
  try {
    fd = openSync(path, "a");
  } catch (failure) {
    throw new UsageError(`--exec-log: ${failure instanceof Error ? failure.message : String(failure)}`);
  }
  const tell = (failure: Error) => noteLine(`--exec-log: ${failure.message}`);
  return createWriteStream(path, { fd }).once("error", tell);
}
