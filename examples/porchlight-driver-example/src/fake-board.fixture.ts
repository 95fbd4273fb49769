/** A relay board in memory: four outputs, and the hands of a test. */
import type { Clock } from "@porchlight/agent/driver";
import type { BoardLink } from "./tcp.ts";

export const BOARD = "02-1B-44-00-00-01";

interface Open {
  take?: (line: string) => void;
  readonly close: () => void;
}

export class FakeBoard {
  readonly edgeId: string;
  readonly outputs = [false, false, false, false];
  isThere = true;
  answers = true;
  /** All of its outputs are locked. */
  refuses = false;
  /** How long it takes to act, ms. */
  delayMs = 0;
  /** How often it was told to change. */
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

  /** Somebody presses its first button. */
  press(isOn: boolean): void {
    this.outputs[0] = isOn;
    this.say(`OUT 0 ${isOn ? "ON" : "OFF"}`);
  }

  #hear(line: string, open: Open): void {
    if (!this.#open.has(open)) return;
    const [word, index = "0", state] = line.split(" ");
    if (word === "SET") this.touched += 1;
    if (!this.answers) return;
    const act = () => this.#act(word ?? "", Number(index), state === "ON");
    if (word !== "SET" || this.delayMs === 0) act();
    else this.#clock.timer("a slow board acts", this.delayMs, act);
  }

  #act(word: string, index: number, isOn: boolean): void {
    if (word === "WHO") this.say(`BOARD ${this.edgeId} ${this.outputs.length} 1.2`);
    if (word === "BLINK") this.say("OK");
    if (word === "SET" && this.refuses) this.say(`ERR ${index}`);
    else if (word === "SET") this.outputs[index] = isOn;
    if ((word === "SET" && !this.refuses) || word === "GET")
      this.say(`OUT ${index} ${this.outputs[index] ? "ON" : "OFF"}`);
  }
}
