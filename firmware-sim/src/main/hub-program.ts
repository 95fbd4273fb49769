/**
 * A hub that a command starts on a pseudo-terminal: started, and stopped with all that its shell has started. What it says stands
 * apart from the report: in a file, and its last lines on stderr when it ends by itself.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, openSync, type WriteStream } from "node:fs";
import { type Clock, sleep } from "@porchlight/shared/kernel";
import { openPty, type PtyPort } from "../links/pty-link.ts";
import { UsageError } from "./usage.ts";

/** How long a hub that is told to stop may take, ms. */
const STOPS_WITHIN = 5000;
/** How long what it said last may take to come once it has ended, ms. */
const SAID_WITHIN = 500;
const LINES_KEPT = 20;
const CHARACTERS_KEPT = 8192;

export interface HubProgramOptions {
  readonly clock: Clock;
  /** For `/bin/sh`; `{port}` in it becomes the path of the line. */
  readonly command: string;
  /** A stable path for the line. */
  readonly link?: string | undefined;
  /** A file to which goes what the command says. */
  readonly log?: string | undefined;
}

export class HubProgram implements AsyncDisposable {
  readonly port: PtyPort;
  /** How its command has ended, in words that begin a sentence. */
  readonly ended: Promise<string>;
  readonly #child: ChildProcess;
  readonly #clock: Clock;
  #isStopped = false;
  #said = "";

  /** @throws UsageError when `log` cannot be written */
  constructor({ clock, command, link, log }: HubProgramOptions) {
    this.#clock = clock;
    const file = log === undefined ? undefined : logAt(log);
    this.port = openPty(link);
    const words = ["-c", command.replaceAll("{port}", this.port.path)];
    // In its own process group, which is what is signalled.
    const child = spawn("/bin/sh", words, { stdio: ["ignore", "pipe", "pipe"], detached: true });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        this.#said = (this.#said + text).slice(-CHARACTERS_KEPT);
        file?.write(text);
      });
    }
    child.once("close", () => file?.end());
    this.ended = this.#end();
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

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true;
    if (this.isRunning) {
      this.#signal("SIGTERM");
      const patience = this.#clock.timer("hub to stop", STOPS_WITHIN, () => this.#signal("SIGKILL"));
      await this.ended;
      patience.cancel();
    }
    this.port.close();
  }

  async #end(): Promise<string> {
    const closed = once(this.#child, "close");
    const [code, signal]: (number | string | null)[] = await once(this.#child, "exit");
    const how = `The hub's command has ended (${signal ?? code})`;
    if (this.#isStopped) return how;
    // What it has started may hold its output open.
    const waiting = new AbortController();
    await Promise.race([
      closed,
      sleep(this.#clock, "last words of a hub", SAID_WITHIN, waiting.signal).catch(() => undefined),
    ]);
    waiting.abort();
    if (this.said !== "") process.stderr.write(`${how}. It said last:\n${this.said}`);
    return how;
  }

  #signal(signal: NodeJS.Signals): void {
    if (this.#child.pid !== undefined) process.kill(-this.#child.pid, signal);
  }
}

/** @throws UsageError when it cannot be written */
function logAt(path: string): WriteStream {
  let fd: number;
  try {
    fd = openSync(path, "a");
  } catch (failure) {
    throw new UsageError(`--hub-log: ${failure instanceof Error ? failure.message : String(failure)}`);
  }
  const tell = (failure: Error) => void process.stderr.write(`--hub-log: ${failure.message}\n`);
  return createWriteStream(path, { fd }).once("error", tell);
}
