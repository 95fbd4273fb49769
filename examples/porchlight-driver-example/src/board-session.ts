/**
 * One connection to a board. What is said on it, each on a line:
 *
 *   WHO         <- BOARD 02-1B-44-00-00-01 4 1.2    its EUI-48, how many outputs it has, its firmware
 *   GET 0       <- OUT 0 ON
 *   SET 0 ON    <- OUT 0 ON; ERR 0 when the output is locked
 *   BLINK       <- OK                               shows which board it is
 *   OUT 0 OFF   by itself, when somebody has pressed its button
 */
import type { Attempt, Clock } from "@porchlight/agent/driver";
import type { BoardLink } from "./tcp.ts";

/** How long is waited, and for whom. */
export type Patience = Pick<Attempt, "deadline" | "signal">;

export interface Output {
  readonly index: string;
  readonly isOn: boolean;
}

export class BoardSession {
  readonly #link: BoardLink;
  readonly #clock: Clock;
  /** Takes a line, or is released by `undefined`. True: the line was its. */
  readonly #waiting = new Set<(line: string | undefined) => boolean>();

  /** @param told what an output is, when nobody waits for it; undefined for a line that is none of a board */
  constructor(link: BoardLink, clock: Clock, told: (output: Output | undefined) => void) {
    this.#link = link;
    this.#clock = clock;
    link.listen((line) => {
      if (![...this.#waiting].some((take) => take(line))) told(outputIn(line));
    });
    void link.closed.then(() => {
      for (const take of [...this.#waiting]) take(undefined);
    });
  }

  send(line: string): void {
    this.#link.send(line);
  }

  close(): void {
    this.#link.close();
  }

  /** What `wanted` makes of a line; undefined when none of that kind has come by then, or the connection is closed. */
  hear<T>(wanted: (line: string) => T | undefined, { deadline, signal }: Patience): Promise<T | undefined> {
    const { promise, resolve } = Promise.withResolvers<T | undefined>();
    const take = (line: string | undefined) => {
      const heard = line === undefined ? undefined : wanted(line);
      if (line !== undefined && heard === undefined) return false;
      timer.cancel();
      signal?.removeEventListener("abort", leave);
      this.#waiting.delete(take);
      resolve(heard);
      return true;
    };
    const leave = () => void take(undefined);
    const timer = this.#clock.timer("answer of a board", deadline - this.#clock.monotonic(), leave);
    signal?.addEventListener("abort", leave, { once: true });
    this.#waiting.add(take);
    return promise;
  }
}

export function outputIn(line: string): Output | undefined {
  const [, index, state] = /^OUT (\d{1,2}) (ON|OFF)$/.exec(line) ?? [];
  return index === undefined ? undefined : { index, isOn: state === "ON" };
}
