/**
 * A hub or a board that a command starts on a pseudo-terminal: started, started anew, and stopped with all that its shell has started.
 * What it says stands apart from the report: in a file, and its last lines on stderr when it ends by itself.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, openSync, type WriteStream } from "node:fs";
import type { Readable } from "node:stream";
import { type Clock, sleep } from "@porchlight/shared/kernel";
import { openPty, type PtyPort } from "../simulator/links/pty-link.ts";
import { noteLine, noteOutput } from "./print.ts";
import { UsageError } from "./usage.ts";

/** How long a program that is told to stop may take, ms. */
const STOPS_WITHIN = 5000;
/** How long what it said last may take to come once it has ended, ms. */
const SAID_WITHIN = 500;
const LINES_KEPT = 20;
const CHARACTERS_KEPT = 8192;

export interface LineProgramOptions {
  readonly clock: Clock;
  /** What it is, for people. */
  readonly subject: "hub" | "board";
  /** For `/bin/sh`; `{port}` in it becomes the path of the line. */
  readonly command: string;
  /** A stable path for the line. */
  readonly link?: string | undefined;
  /** A file to which goes what the command says. */
  readonly log?: string | undefined;
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

export class LineProgram implements AsyncDisposable {
  readonly port: PtyPort;
  readonly #options: LineProgramOptions;
  readonly #log: WriteStream | undefined;
  readonly #ended = Promise.withResolvers<string>();
  #child: Child;
  /** Settles when the child has ended, whatever has ended it. */
  #exit: Promise<void>;
  #isStopping = false;
  #said = "";

  /** @throws UsageError when `log` cannot be written */
  constructor(options: LineProgramOptions) {
    this.#options = options;
    this.#log = options.log === undefined ? undefined : logAt(options.log);
    this.port = openPty(options.link);
    this.#child = this.#start();
    this.#exit = this.#follow(this.#child);
  }

  /** Settles when its command has ended by itself: how, in words that begin a sentence. */
  get ended(): Promise<string> {
    return this.#ended.promise;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Its last lines, for a person; empty when it said nothing. */
  get said(): string {
    const lines = this.#said.split("\n").filter((line) => line !== "");
    return lines
      .map((line) => `  ${line}\n`)
      .slice(-LINES_KEPT)
      .join("");
  }

  /** Ends it and starts it anew on the same line, as somebody does who resets a board. */
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
    // In its own process group, which is what is signalled.
    const child = spawn("/bin/sh", words, { stdio: ["ignore", "pipe", "pipe"], detached: true });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        this.#said = (this.#said + text).slice(-CHARACTERS_KEPT);
        this.#log?.write(text);
      });
    }
    return child;
  }

  async #follow(child: Child): Promise<void> {
    const closed = once(child, "close");
    const [code, signal]: (number | string | null)[] = await once(child, "exit");
    // What it has started may hold its output open.
    const waiting = new AbortController();
    const limit = sleep(this.#options.clock, "last words of a program", SAID_WITHIN, waiting.signal);
    await Promise.race([closed, limit.catch(() => undefined)]);
    waiting.abort();
    if (this.#isStopping) return;
    const how = `The ${this.#options.subject}'s command has ended (${signal ?? code})`;
    if (this.said !== "") noteOutput(`${how}. Its last output:\n${this.said}`);
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

/** @throws UsageError when it cannot be written */
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
