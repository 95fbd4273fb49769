/** A hub that a command starts on a pseudo-terminal: started, and stopped with all that its shell has started. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Clock } from "@porchlight/shared/kernel";
import { openPty, type PtyPort } from "../links/pty-link.ts";

/** How long a hub that is told to stop may take, ms. */
const STOPS_WITHIN = 5000;

export class HubProgram implements AsyncDisposable {
  readonly port: PtyPort;
  /** How its command has ended, in words that begin a sentence. */
  readonly ended: Promise<string>;
  readonly #child: ChildProcess;
  readonly #clock: Clock;

  /**
   * What the command says goes to stderr: it is no part of a report.
   * @param command for `/bin/sh`; `{port}` in it becomes the path of the line
   * @param name a stable path for the line
   */
  constructor(command: string, name: string | undefined, clock: Clock) {
    this.#clock = clock;
    this.port = openPty(name);
    const words = ["-c", command.replaceAll("{port}", this.port.path)];
    // In its own process group, which is what is signalled.
    this.#child = spawn("/bin/sh", words, { stdio: ["ignore", process.stderr, process.stderr], detached: true });
    this.ended = once(this.#child, "exit").then(
      ([code, signal]: (number | string | null)[]) => `The hub's command has ended (${signal ?? code})`,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const isOver = this.#child.exitCode !== null || this.#child.signalCode !== null;
    if (!isOver) {
      this.#signal("SIGTERM");
      const patience = this.#clock.timer("hub to stop", STOPS_WITHIN, () => this.#signal("SIGKILL"));
      await this.ended;
      patience.cancel();
    }
    this.port.close();
  }

  #signal(signal: NodeJS.Signals): void {
    if (this.#child.pid !== undefined) process.kill(-this.#child.pid, signal);
  }
}
