/** The C lamp with a mistake, behind a pseudo-terminal that lets bytes pass at 115,200 baud: what a fuzzer meets at a real board. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { every, systemClock, type Timer } from "@porchlight/shared/kernel";
import { eventually } from "../../test/parts/eventually.ts";
import { openPty, type PtyPort } from "../src/simulator/links/pty-link.ts";

/** 8N1: ten bits a byte. */
const BYTES_A_MS = 115.2 / 10;
const TURN_MS = 5;

/** Bytes from one port to the other, no faster than a line of 115,200 baud. */
class Wire {
  #waiting = Buffer.alloc(0);
  #credit = 0;
  #at = systemClock.monotonic();
  readonly #to: PtyPort;

  constructor(from: PtyPort, to: PtyPort) {
    this.#to = to;
    from.link.listen(
      (bytes) => {
        this.#waiting = Buffer.concat([this.#waiting, bytes]);
      },
      () => undefined,
    );
  }

  turn(): void {
    const now = systemClock.monotonic();
    // A line that was idle has saved nothing up.
    this.#credit = this.#waiting.length === 0 ? 0 : this.#credit + (now - this.#at) * BYTES_A_MS;
    this.#at = now;
    const chunk = this.#waiting.subarray(0, Math.floor(this.#credit));
    this.#waiting = this.#waiting.subarray(chunk.length);
    this.#credit -= chunk.length;
    if (chunk.length > 0) void this.#to.link.write(chunk).catch(() => undefined);
  }
}

export class PacedBoard implements AsyncDisposable {
  /** Where the fuzzer opens it. */
  readonly path: string;
  /** A command that resets it, in each state. */
  readonly reset: string;
  readonly #ports: readonly PtyPort[];
  readonly #timer: Timer;
  readonly #supervisor: ChildProcess;

  private constructor(ports: readonly [outer: PtyPort, inner: PtyPort], supervisor: ChildProcess, reset: string) {
    const [outer, inner] = ports;
    const wires = [new Wire(outer, inner), new Wire(inner, outer)];
    this.#timer = every(systemClock, "a paced line", TURN_MS, () => {
      for (const wire of wires) wire.turn();
    });
    this.#ports = ports;
    this.#supervisor = supervisor;
    this.path = outer.path;
    this.reset = reset;
  }

  /** @param startsAgain whether a watchdog starts it when it has ended; else it stays dead until it is reset */
  static async start(program: string, folder: string, startsAgain: boolean): Promise<PacedBoard> {
    const [pid, button] = [join(folder, "pid"), join(folder, "button")];
    await rm(pid, { force: true });
    await writeFile(button, "");
    const [outer, inner] = [openPty(), openPty()];
    const waits = startsAgain ? ":" : `while [ ! -e ${button} ]; do sleep 0.05; done`;
    const lamp = `${program} --quiet --port ${inner.path} </dev/null >/dev/null 2>&1`;
    // Bytes for a board that did not listen are lost, as in a UART; a pseudo-terminal keeps them.
    const loses = `timeout 0.5 cat <${inner.path} | wc -c >/dev/null`;
    const script = `while :; do rm -f ${button}; ${lamp} & echo $! >${pid}; wait $!; ${waits}; ${loses}; done`;
    const supervisor = spawn("/bin/sh", ["-c", script], { stdio: "ignore", detached: true });
    await eventually("the lamp is started", async () => existsSync(pid) && (await readFile(pid, "utf8")) !== "");
    const reset = `touch ${button}; kill -9 $(cat ${pid}) 2>/dev/null; sleep 0.8`;
    return new PacedBoard([outer, inner], supervisor, reset);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#supervisor, "exit");
    if (this.#supervisor.pid !== undefined) process.kill(-this.#supervisor.pid, "SIGKILL");
    await ended;
    this.#timer.cancel();
    for (const port of this.#ports) port.close();
  }
}
