/**
 * One connection to a board. What is said on it, each on a line:
 *
 *   WHO         <- BOARD 02-1B-44-00-00-01 4 1.2          its EUI-48, its outputs, which are called 0 to 3, and its firmware
 *                  BOARD 02-1B-44-00-00-01 4 1.2 A7,TEMP  the same with parts that are plugged in: outputs by their serial
 *                  numbers, TEMP a thermometer, BAT a battery; also by itself, when parts have come or gone
 *   GET A7      <- IS A7 ON
 *   SET A7 ON   <- OUT A7 ON; ERR A7 when the output is locked or not there
 *   BLINK       <- OK                               shows which board it is
 *   OUT A7 OFF  by itself, when somebody has pressed its button, and every ten minutes
 *
 * A thermometer is `70.7 F` or `21.5 C`, a battery 0 to 254, an output `ON` or `OFF`; each is `?` when the board does not know.
 */
import type { Attempt, Clock } from "@porchlight/driver-kit/package-api";
import type { BoardLink } from "./tcp.ts";

/** How long is waited, and for whom. */
export type Patience = Pick<Attempt, "deadline" | "signal">;

/** What a board says of one of its parts. */
export interface Said {
  /** `OUT`: by itself, or after it was set. `IS`: because it was asked. */
  readonly verb: "OUT" | "IS";
  /** The ID that the board gives the part. */
  readonly id: string;
  readonly text: string;
}

export class BoardSession {
  readonly #link: BoardLink;
  readonly #clock: Clock;
  /** Takes a line, or is released by `undefined`. True: the line was its. */
  readonly #waiting = new Set<(line: string | undefined) => boolean>();

  /** @param heard takes each line. `isAnswer`: somebody waited for it */
  constructor(link: BoardLink, clock: Clock, heard: (line: string, isAnswer: boolean) => void) {
    this.#link = link;
    this.#clock = clock;
    link.listen((line) => {
      const taken = [...this.#waiting].map((take) => take(line));
      heard(line, taken.includes(true));
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

export function saidIn(line: string): Said | undefined {
  const [, verb, id = "", text = ""] = /^(OUT|IS) (\S{1,16}) (.{1,32})$/.exec(line) ?? [];
  return verb === "OUT" || verb === "IS" ? { verb, id, text } : undefined;
}
