/** The process of the hub's Matter driver as a part: its agent starts it, again when it has died, and it dies with its agent. */
import { readFileSync } from "node:fs";
import type { Part } from "../part.ts";

/** The word with which the agent's program runs a driver. */
const DRIVER_COMMAND = "driver";

export class DriverPart implements Part {
  readonly name = "driver";
  readonly kind = "driver";
  readonly #agent: () => number | undefined;
  #stopped: number | undefined;

  /** @param agent process that is its parent; undefined while there is none */
  constructor(agent: () => number | undefined) {
    this.#agent = agent;
  }

  /** The process now; undefined while there is none. */
  get pid(): number | undefined {
    const agent = this.#agent();
    if (agent === undefined) return undefined;
    const started = childrenOf(agent).find((pid) => wordsOf(`/proc/${pid}/cmdline`, "\0").includes(DRIVER_COMMAND));
    if (started === undefined) return undefined;
    // What sets up its sandbox waits for it.
    return childrenOf(started)[0] ?? started;
  }

  async kill(): Promise<void> {
    signal(this.pid, "SIGKILL");
  }

  /** That is its agent's to do. */
  async start(): Promise<void> {}

  stop(): void {
    this.#stopped = this.pid;
    signal(this.#stopped, "SIGSTOP");
  }

  /** That one, if it lives still. */
  cont(): void {
    signal(this.#stopped, "SIGCONT");
    this.#stopped = undefined;
  }
}

function childrenOf(pid: number): readonly number[] {
  return wordsOf(`/proc/${pid}/task/${pid}/children`, " ").map(Number);
}

/** Nothing when there is no such process any more. */
function wordsOf(path: string, separator: string): readonly string[] {
  try {
    return readFileSync(path, "utf8")
      .split(separator)
      .map((word) => word.trim())
      .filter((word) => word !== "");
  } catch {
    return [];
  }
}

/** It may have died a moment ago. */
function signal(pid: number | undefined, name: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(pid, name);
  } catch (failure) {
    if (!(failure instanceof Error && "code" in failure && failure.code === "ESRCH")) throw failure;
  }
}
