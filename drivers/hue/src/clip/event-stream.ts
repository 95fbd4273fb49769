/** The bridge's event stream: server-sent events, whose data are JSON. Bytes may be cut anywhere. Pure. */
import { parseRawJson } from "@porchlight/driver-kit";

/** Longest message, characters: that of a scene with all lamps of a home has some 20,000. */
const LONGEST = 256 * 1024;

export class StreamText {
  readonly #take: (message: unknown) => void;
  readonly #decoder = new TextDecoder();
  #line = "";
  #data: string[] = [];
  #length = 0;
  #isTooLong = false;

  /** @param take given each message, parsed; undefined for one that is no JSON or too long */
  constructor(take: (message: unknown) => void) {
    this.#take = take;
  }

  feed(bytes: Uint8Array): void {
    const lines = this.#decoder.decode(bytes, { stream: true }).split("\n");
    const last = lines.pop() ?? "";
    for (const line of lines) {
      this.#end(`${this.#line}${line}`.replace(/\r$/, ""));
      this.#line = "";
    }
    if (this.#line.length + last.length <= LONGEST) this.#line += last;
    else this.#isTooLong = true;
  }

  #end(line: string): void {
    if (line === "") this.#dispatch();
    else if (line.startsWith("data:")) {
      const data = line.slice(5).trimStart();
      this.#length += data.length;
      if (this.#length <= LONGEST) this.#data.push(data);
      else this.#isTooLong = true;
    }
  }

  #dispatch(): void {
    const [data, isTooLong] = [this.#data.join("\n"), this.#isTooLong];
    this.#data = [];
    this.#length = 0;
    this.#isTooLong = false;
    if (isTooLong) this.#take(undefined);
    else if (data !== "") this.#take(parsed(data));
  }
}

function parsed(text: string): unknown {
  try {
    return parseRawJson(text);
  } catch {
    return undefined;
  }
}
