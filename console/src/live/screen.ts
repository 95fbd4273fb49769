/** A terminal that is drawn on in place: only the cells that are other than before are written. */
import { type Sink, textOf, written } from "../render/style.ts";
import { padded } from "../render/width.ts";
import type { Cell, Size } from "./frame.ts";

/** Another screen beside that of the shell, no cursor, nothing wrapped at the edge (xterm control sequences, DECSET 1049, 25 and 7). */
const ENTER = "\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[2J";
const LEAVE = "\u001b[?7h\u001b[?25h\u001b[?1049l";

export class Screen {
  readonly #sink: Sink;
  readonly #inColour: boolean;
  #isOpen = false;
  #size: Size = { width: 0, height: 0 };
  /** What stands at each place, by line and column. */
  #drawn = new Map<string, string>();

  constructor(sink: Sink, inColour: boolean) {
    this.#sink = sink;
    this.#inColour = inColour;
  }

  open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#sink.write(ENTER);
  }

  /** Gives the terminal back as it was. Safe to repeat. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#sink.write(LEAVE);
  }

  /** @param size of the terminal: where it has another than before, all is drawn anew */
  draw(lines: readonly (readonly Cell[])[], size: Size): void {
    if (!this.#isOpen) return;
    const isAnew = size.width !== this.#size.width || size.height !== this.#size.height;
    const before = isAnew ? new Map<string, string>() : this.#drawn;
    const now = new Map<string, string>();
    let text = isAnew ? "\u001b[2J" : "";
    for (const [index, line] of lines.entries())
      for (const { at, width, part } of line) {
        const place = `${index + 1};${at + 1}`;
        const content = padded(textOf(part), width);
        const shown = written([typeof part === "string" ? content : { ...part, text: content }], this.#inColour);
        now.set(place, shown);
        if (before.get(place) !== shown) text += `\u001b[${place}H${shown}`;
        before.delete(place);
      }
    // A place that is in use no more is cleared first, for it may lie within another's width now.
    const isMoved = before.size > 0;
    this.#size = size;
    this.#drawn = now;
    if (isMoved) this.#sink.write(`\u001b[2J${[...now].map(([place, shown]) => `\u001b[${place}H${shown}`).join("")}`);
    else if (text !== "") this.#sink.write(text);
  }
}
