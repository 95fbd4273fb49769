/** How a write can be ended, at a moment that a seed decides: for the group that checks what is then reported of it. */
import { pick, type Random, randomInteger, settle } from "@porchlight/shared/kernel";
import type { StatedDriver } from "../host/supervised.ts";
import type { MakeDriver } from "./world.suite.ts";

/**
 * `fails`: the driver throws, under its supervisor. `speaks` and `refused` end nothing: a silent device answers after all, and a device
 * refuses.
 */
export const ENDINGS = [
  ...(["cut", "disposed", "withdrawn", "abandoned", "deadline", "fails"] as const),
  ...(["speaks", "refused"] as const),
];
export type Ending = (typeof ENDINGS)[number];

/** One seeded end of a write. */
export interface Scene {
  readonly ending: Ending;
  /** A quick device answers at once, and `at` counts steps of the driver. With the others it counts milliseconds. */
  readonly device: "quick" | "slow" | "silent";
  readonly delayMs: number;
  /** A read that is not answered yet stands before the write. */
  readonly isBehind: boolean;
  /** The end comes first, and the write follows; a line that was cut is mended at once, so that the write meets one that comes up. */
  readonly isLate: boolean;
  /** Between the write and the end. */
  readonly at: number;
  /** Until the deadline. */
  readonly ms: number;
}

const LONGEST_MS = 5000;

/** @param steps that a write takes which nothing disturbs */
export function sceneOf(random: Random, endings: readonly Ending[], steps: number): Scene {
  const [first = "cut", ...rest] = endings;
  const ending = pick(random, [first, ...rest]);
  const device = pick<Scene["device"]>(random, ["quick", "slow", "silent"]);
  const delayMs = 10 + randomInteger(random, LONGEST_MS / 4);
  const ms = ending === "deadline" ? randomInteger(random, LONGEST_MS) : LONGEST_MS;
  const at = { quick: steps + 2, slow: 3 * delayMs, silent: LONGEST_MS }[device];
  const [isBehind, isLate] = [randomInteger(random, 2) === 0, randomInteger(random, 4) === 0];
  return { ending, device, delayMs, isBehind, isLate, at: randomInteger(random, at), ms };
}

/** The least that a program can do: the next job of the queue of promises, and now and then a turn of the event loop. */
export async function step(at: number): Promise<void> {
  if (at % 20 === 19) await settle(1);
  else await undefined;
}

/** A driver that does what it does until its author's mistake shows: every write that is open then rejects. */
export class Breaking {
  readonly #broken = Promise.withResolvers<never>();
  #hasFailed = false;

  constructor() {
    this.#broken.promise.catch(() => undefined);
  }

  fail(): void {
    this.#hasFailed = true;
    this.#broken.reject(new Error("the author did not think of this"));
  }

  wrap(make: MakeDriver): MakeDriver {
    return async (host) => {
      const driver = await make(host);
      const broken: StatedDriver = {
        name: driver.name,
        has: (edgeId) => driver.has(edgeId),
        read: (...asked) => driver.read(...asked),
        write: (...asked) => {
          const written = driver.write(...asked);
          // The next life has no such mistake.
          return this.#hasFailed ? written : Promise.race([written, this.#broken.promise]);
        },
        failed: driver.failed,
        [Symbol.asyncDispose]: () => driver[Symbol.asyncDispose](),
      };
      return broken;
    };
  }
}
