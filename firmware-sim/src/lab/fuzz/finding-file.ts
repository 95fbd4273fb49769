/** The file of a finding: a capture of the traffic that showed it, with the inputs marked, so that it can be repeated. */
import type { Clock } from "@porchlight/shared/kernel";
import { headerLine, type Passed, passedLine, readCapture, type Sender } from "../capture/capture.ts";
import type { OnPassed } from "./line.ts";

/** Interval of inputs in a file that were not transmitted in this form, ms. */
const SPACING = 5;

/** Records the traffic since the last batch or try began. */
export class Recorder {
  readonly #clock: Clock;
  readonly #side: Sender;
  #since: number;
  #passed: Passed[] = [];

  /** @param side the played side */
  constructor(clock: Clock, side: Sender) {
    this.#clock = clock;
    this.#side = side;
    this.#since = clock.monotonic();
  }

  begin(): void {
    this.#since = this.#clock.monotonic();
    this.#passed = [];
  }

  readonly add: OnPassed = (from, bytes, isInput) => {
    const other = this.#side === "hub" ? "node" : "hub";
    const dir = from === "us" ? this.#side : other;
    this.#passed.push({ t: this.#clock.monotonic() - this.#since, dir, bytes, input: isInput || undefined });
  };

  /**
   * The text of the capture: the traffic of the last time that exactly these inputs were sent, else only the inputs.
   * @param of subject of the capture, in words
   */
  capture(inputs: readonly Uint8Array[], of: string): string {
    const stated = this.#passed.filter(({ input }) => input);
    const isWhole = stated.length === inputs.length && stated.every(({ bytes }, at) => isSame(bytes, inputs[at]));
    const alone = inputs.map((bytes, at): Passed => ({ t: at * SPACING, dir: this.#side, bytes, input: true }));
    return [headerLine(of, this.#clock.now()), ...(isWhole ? this.#passed : alone).map(passedLine)].join("");
  }
}

export type ReadInputs =
  | { readonly kind: "ok"; readonly inputs: readonly Uint8Array[] }
  | { readonly kind: "problems"; readonly problems: readonly string[] };

/** The inputs in a capture: the marked ones; in a capture without marks, as from `record`, everything that the side sent. */
export function inputsOf(text: string, side: Sender): ReadInputs {
  const read = readCapture(text);
  if (read.kind === "problems") return read;
  const ours = read.capture.passed.filter(({ dir }) => dir === side);
  const marked = ours.filter(({ input }) => input);
  const inputs = (marked.length > 0 ? marked : ours).map(({ bytes }) => bytes);
  if (inputs.length > 0) return { kind: "ok", inputs };
  return { kind: "problems", problems: [`it contains no frames of the ${side}`] };
}

function isSame(one: Uint8Array, other: Uint8Array | undefined): boolean {
  return other !== undefined && Buffer.compare(one, other) === 0;
}
