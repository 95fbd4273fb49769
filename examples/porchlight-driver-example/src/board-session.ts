/**
 * One connection to a board. Its messages are lines:
 *
 *   WHO         <- BOARD 02-1B-44-00-00-01 4 1.2          its EUI-48, its 4 outputs (named 0 to 3), and its firmware
 *                  BOARD 02-1B-44-00-00-01 4 1.2 A7,TEMP  the same with plug-in parts: outputs by their serial
 *                  numbers, TEMP a thermometer, BAT a battery; also unasked, when parts are added or removed
 *   GET A7      <- IS A7 ON
 *   SET A7 ON   <- OUT A7 ON; ERR A7 when the output is locked or absent
 *   BLINK       <- OK                               makes the board blink
 *   OUT A7 OFF  unasked, when its button is pressed, and every ten minutes
 *
 * A thermometer is `70.7 F` or `21.5 C`, a battery 0 to 254, an output `ON` or `OFF`; each is `?` when the board does not know it.
 */
import type { Attempt, Clock } from "@porchlight/driver-kit/package-api";
import type { BoardLink } from "./tcp.ts";

/** How long a caller waits, and the caller's signal. */
export type Patience = Pick<Attempt, "deadline" | "signal">;

/** A line in which a board states the value of one of its parts. */
export interface Statement {
  /** `OUT`: sent by itself, or after a write. `IS`: the answer to a read. */
  readonly verb: "OUT" | "IS";
  /** The board's ID of the part. */
  readonly id: string;
  readonly text: string;
}

export class BoardSession {
  readonly #link: BoardLink;
  readonly #clock: Clock;
  /** Each waiter takes a line and returns whether it waited for that line; `undefined` ends its wait. */
  readonly #waiting = new Set<(line: string | undefined) => boolean>();

  /** @param onLine called with each line. `isAnswer`: a caller waited for the line */
  constructor(link: BoardLink, clock: Clock, onLine: (line: string, isAnswer: boolean) => void) {
    this.#link = link;
    this.#clock = clock;
    link.listen((line) => {
      const taken = [...this.#waiting].map((take) => take(line));
      onLine(line, taken.includes(true));
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

  /** Waits for a line that `wanted` accepts, and returns its result; undefined when none comes in time, or the connection is closed. */
  hear<T>(wanted: (line: string) => T | undefined, { deadline, signal }: Patience): Promise<T | undefined> {
    const { promise, resolve } = Promise.withResolvers<T | undefined>();
    const take = (line: string | undefined) => {
      const received = line === undefined ? undefined : wanted(line);
      if (line !== undefined && received === undefined) return false;
      timer.cancel();
      signal?.removeEventListener("abort", leave);
      this.#waiting.delete(take);
      resolve(received);
      return true;
    };
    const leave = () => void take(undefined);
    const timer = this.#clock.timer("answer of a board", deadline - this.#clock.monotonic(), leave);
    signal?.addEventListener("abort", leave, { once: true });
    this.#waiting.add(take);
    return promise;
  }
}

export function statementIn(line: string): Statement | undefined {
  const [, verb, id = "", text = ""] = /^(OUT|IS) (\S{1,16}) (.{1,32})$/.exec(line) ?? [];
  return verb === "OUT" || verb === "IS" ? { verb, id, text } : undefined;
}
