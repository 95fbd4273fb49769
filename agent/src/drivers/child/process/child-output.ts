/** What a child writes to stdout and stderr: lines for the agent's log, and the last words of one that dies. */
import type { Readable } from "node:stream";

const LONGEST_LINE = 512;
const OUT_OF_MEMORY = /heap out of memory|Reached heap limit/;

export class ChildOutput {
  readonly #write: (line: string) => void;
  #last: string | undefined;
  #isOutOfMemory = false;

  constructor(streams: readonly Readable[], write: (line: string) => void) {
    this.#write = write;
    for (const stream of streams) this.#read(stream);
  }

  /** What it last said that a person can use; undefined when it said nothing. */
  get lastWords(): string | undefined {
    return this.#isOutOfMemory ? "it needs more memory than it is allowed" : this.#last;
  }

  #read(stream: Readable): void {
    let rest = "";
    stream.setEncoding("utf8");
    stream.on("error", () => undefined);
    stream.on("data", (text: string) => {
      const lines = `${rest}${text}`.split("\n");
      // A line that does not end must not fill the memory.
      rest = (lines.pop() ?? "").slice(0, LONGEST_LINE);
      for (const line of lines) this.#take(line);
    });
    stream.on("end", () => this.#take(rest));
  }

  #take(line: string): void {
    const said = line.trim().slice(0, LONGEST_LINE);
    if (said === "") return;
    this.#isOutOfMemory ||= OUT_OF_MEMORY.test(said);
    this.#last = said;
    this.#write(said);
  }
}
