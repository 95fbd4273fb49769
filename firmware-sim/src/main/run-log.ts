/** The frames of `porchlight-sim run`, as lines: on stdout for pipes, and the last of them for the live view. */
import type { NodeDefinition } from "../simulator/devices/definition.ts";
import type { Passing } from "../simulator/faults/line-damage.ts";
import { FrameLog } from "../view/frame-log.ts";
import { printLine } from "./print.ts";

/** Lines that a view can show. */
const LAST = 200;
/** Bytes that may wait for a reader that does not read; what comes after is left out, and counted. */
const BACKLOG = 4 * 1024 * 1024;

export interface RunLogOptions {
  readonly definitions: readonly NodeDefinition[];
  readonly json: boolean;
  /** Monotonic ms. */
  readonly since: number;
  /** Whether it is to stand on stdout. */
  readonly isWanted: boolean;
  /** Whether somebody looks at the last lines. */
  readonly isSeen: boolean;
}

export class RunLog {
  readonly #options: RunLogOptions;
  readonly #frames: FrameLog;
  /** What passed before it began; then only the last. */
  #last: string[] = [];
  #hasBegun = false;
  #leftOut = 0;

  constructor(options: RunLogOptions) {
    const { definitions, since } = options;
    this.#options = options;
    this.#frames = new FrameLog(since, new Map(definitions.map(({ edgeId, name }) => [edgeId, name ?? edgeId])));
  }

  /** The last lines, oldest first. */
  get last(): readonly string[] {
    return this.#last;
  }

  passed(edgeId: string, passing: Passing): void {
    if (!this.#options.isWanted && !this.#options.isSeen) return;
    const lines = this.#frames.lines(edgeId, passing, this.#options.json);
    this.#last = [...this.#last, ...lines].slice(-LAST);
    if (this.#hasBegun) this.#print(lines);
  }

  /** From now on it stands on stdout, with what has passed already. */
  begin(): void {
    this.#hasBegun = true;
    this.#print(this.#last);
  }

  #print(lines: readonly string[]): void {
    if (!this.#options.isWanted) return;
    for (const line of lines) {
      if (process.stdout.writableLength > BACKLOG) {
        this.#leftOut++;
        continue;
      }
      if (this.#leftOut > 0)
        process.stderr.write(`${this.#leftOut} lines were dropped, because the output was not read\n`);
      this.#leftOut = 0;
      printLine(line);
    }
  }
}
