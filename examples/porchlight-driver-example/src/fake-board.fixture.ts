/** A relay board in memory: four outputs, and the hands of a test. */
import type { BoardLink } from "./tcp.ts";

export const BOARD = "02-1B-44-00-00-01";

export class FakeBoard {
  readonly outputs = [false, false, false, false];
  isThere = true;
  answers = true;
  /** How often it was told to change. */
  touched = 0;
  #take: ((line: string) => void) | undefined;
  #close: (() => void) | undefined;

  readonly connect = async (): Promise<BoardLink> => {
    if (!this.isThere) throw new Error("connect ECONNREFUSED");
    const closed = Promise.withResolvers<void>();
    this.#close = () => {
      this.#take = undefined;
      closed.resolve();
    };
    return {
      send: (line) => queueMicrotask(() => this.#hear(line)),
      listen: (take) => {
        this.#take = take;
      },
      closed: closed.promise,
      close: this.#close,
    };
  };

  cut(): void {
    this.isThere = false;
    this.#close?.();
  }

  say(line: string): void {
    this.#take?.(line);
  }

  /** Somebody presses its first button. */
  press(isOn: boolean): void {
    this.outputs[0] = isOn;
    this.say(`OUT 0 ${isOn ? "ON" : "OFF"}`);
  }

  #hear(line: string): void {
    const [word, index = "0", state] = line.split(" ");
    if (word === "SET") this.touched += 1;
    if (!this.answers) return;
    if (word === "WHO") this.say(`BOARD ${BOARD} ${this.outputs.length} 1.2`);
    if (word === "BLINK") this.say("OK");
    if (word === "SET") this.outputs[Number(index)] = state === "ON";
    if (word === "SET" || word === "GET") this.say(`OUT ${index} ${this.outputs[Number(index)] ? "ON" : "OFF"}`);
  }
}
