/** A relay board in memory: four outputs, parts that are plugged in, and the hands of a test. */
import type { Clock } from "@porchlight/driver-kit/package-api";
import type { BoardLink } from "./tcp.ts";

export const BOARD = "02-1B-44-00-00-01";

interface Open {
  take?: (line: string) => void;
  readonly close: () => void;
}

export class FakeBoard {
  readonly edgeId: string;
  readonly outputs = [false, false, false, false];
  /** Texts of the parts that are plugged in, by their IDs. */
  parts = new Map<string, string>();
  /** IDs of the parts that it got a command to change, in order. */
  readonly commanded: string[] = [];
  /** It answers a question with the value at the time of the question, so late as it is slow. */
  samplesEarly = false;
  isThere = true;
  answers = true;
  /** All of its outputs are locked. */
  refuses = false;
  /** How long it takes to act, ms. */
  delayMs = 0;
  /** How many commands to change it got. */
  touched = 0;
  /** How often a connection to it was tried. */
  tries = 0;
  readonly #clock: Clock;
  readonly #open = new Set<Open>();

  constructor(clock: Clock, edgeId = BOARD) {
    this.#clock = clock;
    this.edgeId = edgeId;
  }

  /** Connections that are open. */
  get held(): number {
    return this.#open.size;
  }

  readonly connect = async (): Promise<BoardLink> => {
    this.tries += 1;
    if (!this.isThere) throw new Error("connect ECONNREFUSED");
    const closed = Promise.withResolvers<void>();
    const open: Open = {
      close: () => {
        this.#open.delete(open);
        closed.resolve();
      },
    };
    this.#open.add(open);
    return {
      send: (line) => queueMicrotask(() => this.#hear(line, open)),
      listen: (take) => {
        open.take = take;
      },
      closed: closed.promise,
      close: open.close,
    };
  };

  cut(): void {
    this.isThere = false;
    for (const { close } of [...this.#open]) close();
  }

  say(line: string): void {
    for (const { take } of [...this.#open]) take?.(line);
  }

  /** A person presses its first button. */
  press(isOn: boolean): void {
    this.outputs[0] = isOn;
    this.say(`OUT 0 ${isOn ? "ON" : "OFF"}`);
  }

  /** It has these parts from now on, and reports them. */
  have(parts: ReadonlyMap<string, string>): void {
    this.parts = new Map(parts);
    this.say(this.#who());
  }

  #who(): string {
    const plugged = this.parts.size === 0 ? "" : ` ${[...this.parts.keys()].join(",")}`;
    return `BOARD ${this.edgeId} ${this.outputs.length} 1.2${plugged}`;
  }

  #hear(line: string, open: Open): void {
    if (!this.#open.has(open)) return;
    const [word = "", id = "", state = ""] = line.split(" ");
    if (word === "SET") this.touched += 1;
    if (word === "SET") this.commanded.push(id);
    if (!this.answers) return;
    const sampled = this.#textOf(id);
    const act = () => this.#act(word, id, this.samplesEarly && word === "GET" ? sampled : state);
    const isSlow = word === "SET" || (word === "GET" && this.samplesEarly);
    if (!isSlow || this.delayMs === 0) act();
    else this.#clock.timer("a slow board acts", this.delayMs, act);
  }

  #textOf(id: string): string | undefined {
    const output = this.outputs[Number(id)];
    return this.parts.get(id) ?? (output === undefined ? undefined : output ? "ON" : "OFF");
  }

  #act(word: string, id: string, text: string | undefined): void {
    if (word === "WHO") this.say(this.#who());
    if (word === "BLINK") this.say("OK");
    const now = this.#textOf(id);
    if (word === "GET") this.say(now === undefined ? `ERR ${id}` : `IS ${id} ${(this.samplesEarly && text) || now}`);
    if (word !== "SET") return;
    if (this.refuses || now === undefined) {
      this.say(`ERR ${id}`);
      return;
    }
    if (this.parts.has(id)) this.parts.set(id, text ?? "");
    else this.outputs[Number(id)] = text === "ON";
    this.say(`OUT ${id} ${text}`);
  }
}
