/** Progress of a proof: the current rule and its check, as the last line of a terminal while the rule runs. */
import { type Clock, every, type Timer } from "@porchlight/shared/kernel";
import type { Begun } from "./rule.ts";

const REDRAW_MS = 1000;
const CLEARED = "\r\u001b[2K";

export interface ProgressOptions {
  readonly clock: Clock;
  readonly write: (text: string) => void;
  /** Width of the terminal. */
  readonly columns: number;
}

export class Progress implements Disposable {
  readonly #options: ProgressOptions;
  readonly #redraw: Timer;
  #begun: Begun | undefined;
  #since = 0;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#redraw = every(options.clock, "progress", REDRAW_MS, () => this.#draw());
  }

  begin(begun: Begun): void {
    this.#begun = begun;
    this.#since = this.#options.clock.monotonic();
    this.#draw();
  }

  /** Clears the line, before a line of the report is printed. */
  clear(): void {
    if (this.#begun) this.#options.write(CLEARED);
    this.#begun = undefined;
  }

  [Symbol.dispose](): void {
    this.#redraw.cancel();
    this.clear();
  }

  #draw(): void {
    const { clock, write, columns } = this.#options;
    if (!this.#begun) return;
    const seconds = Math.floor((clock.monotonic() - this.#since) / 1000);
    // A line that fills the last column would wrap.
    write(`${CLEARED}${progressLine(this.#begun, seconds).slice(0, columns - 1)}`);
  }
}

/** `12 of 57  S1  when HELLO comes (takes 80 s): 34 s` */
function progressLine({ id, looksAt, takes, number, of }: Begun, seconds: number): string {
  const length = takes === undefined ? "" : ` (takes ${takes})`;
  const passed = seconds === 0 ? "" : `: ${seconds} s`;
  return `${number} of ${of}  ${id}  ${looksAt}${length}${passed}`;
}
