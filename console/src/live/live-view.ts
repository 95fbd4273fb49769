/** A board on the terminal while it changes: receives events, keys, sizes and time, and draws frames. */
import type { ConnectionState } from "@porchlight/sdk";
import { every, type Timer } from "@porchlight/shared/kernel";
import { type Sink, textOf, written } from "../render/style.ts";
import { padded } from "../render/table.ts";
import type { Context } from "../session/command.ts";
import { Interrupted } from "../session/failure.ts";
import { secondsText } from "../session/follow.ts";
import type { Board } from "./board.ts";
import { type Cell, frame, furthestScroll, pageOf, type Size } from "./frame.ts";

/** The user pressed `q`. */
export class Quit extends Error {}

/** Time within which changes are drawn together, ms. */
const TOGETHER = 40;
/** Interval at which ages are redrawn. */
const TICK = 1000;
const USUAL_HEIGHT = 24;

export class LiveView implements Disposable {
  readonly #context: Context;
  readonly #board: Board;
  readonly #title: () => string;
  readonly #screen: Screen;
  readonly #end = new AbortController();
  readonly #undo = new DisposableStack();
  #connection = { isUp: false, text: "connecting" };
  #scroll = 0;
  #pending: Timer | undefined;

  /** @param title called for each frame */
  constructor(context: Context, board: Board, title: () => string) {
    this.#context = context;
    this.#board = board;
    this.#title = title;
    this.#screen = new Screen(context.stdout, context.output.isColoured);
  }

  /** Aborted with {@link Quit}, `Interrupted` or the session's own reason. */
  get signal(): AbortSignal {
    return AbortSignal.any([this.#context.signal, this.#end.signal]);
  }

  open(): void {
    const { stdin, stdout, clock, signal } = this.#context;
    this.#screen.open();
    // At once, and not when the waiting code handles the abort: the process may end earlier.
    const close = () => this[Symbol.dispose]();
    signal.addEventListener("abort", close, { once: true });
    this.#undo.defer(() => signal.removeEventListener("abort", close));
    if (stdin.isTTY) {
      const onInput = (data: Buffer | string) => this.#press(data.toString());
      stdin.setRawMode?.(true);
      stdin.on("data", onInput).resume();
      this.#undo.defer(() => {
        stdin.off("data", onInput).pause();
        stdin.setRawMode?.(false);
      });
    }
    const stopListening = stdout.onResize?.(() => this.#draw());
    if (stopListening) this.#undo.defer(stopListening);
    const tick = every(clock, "ages of a live view", TICK, () => this.#draw());
    this.#undo.defer(() => tick.cancel());
    this.#undo.defer(() => this.#pending?.cancel());
    this.#draw();
  }

  /** Call it when the board has changed. */
  changed(): void {
    this.#pending ??= this.#context.clock.timer("frame of a live view", TOGETHER, () => this.#draw());
  }

  onConnection(connection: ConnectionState): void {
    this.#connection =
      connection.state === "connected"
        ? { isUp: true, text: "connected" }
        : { isUp: false, text: `connection lost, next try in ${secondsText(connection.nextTryMs)}` };
    this.changed();
  }

  /** Restores the terminal. */
  [Symbol.dispose](): void {
    if (!this.#undo.disposed) this.#undo.dispose();
    this.#screen.close();
  }

  get #size(): Size {
    const { stdout, output } = this.#context;
    return { width: output.width, height: Math.max(2, stdout.rows ?? USUAL_HEIGHT) };
  }

  #press(text: string): void {
    for (const key of keysIn(text)) {
      if (key === "quit") this.#end.abort(new Quit());
      else if (key === "interrupt") this.#end.abort(new Interrupted());
      else {
        const size = this.#size;
        this.#scroll = scrolled(this.#scroll, key, pageOf(size), furthestScroll(this.#board.rows.length, size));
      }
    }
    this.#draw();
  }

  #draw(): void {
    this.#pending?.cancel();
    this.#pending = undefined;
    const size = this.#size;
    const state = {
      ...{ title: this.#title(), rows: this.#board.rows, connection: this.#connection, scroll: this.#scroll },
      ...{ showing: this.#context.output.showing, monotonic: this.#context.clock.monotonic() },
    };
    this.#screen.draw(frame(state, size), size);
  }
}

/** Meaning of a key in a live view. */
type Key = "quit" | "interrupt" | "up" | "down" | "pageUp" | "pageDown" | "top" | "bottom";

/** Sequences that terminals send for keys. */
const KEYS: Readonly<Record<string, Key>> = {
  q: "quit",
  Q: "quit",
  "\u0003": "interrupt",
  "\u001b[A": "up",
  "\u001bOA": "up",
  k: "up",
  "\u001b[B": "down",
  "\u001bOB": "down",
  j: "down",
  "\u001b[5~": "pageUp",
  b: "pageUp",
  "\u001b[6~": "pageDown",
  " ": "pageDown",
  "\u001b[H": "top",
  g: "top",
  "\u001b[F": "bottom",
  G: "bottom",
};

/** Matches a complete sequence, or one character outside any sequence. */
const ONE = /\p{Cc}(?:\[[0-9;]*[A-Za-z~]|O[A-Za-z])|[\s\S]/gu;

/** The keys in a piece of input; unknown ones are left out. */
export function keysIn(text: string): Key[] {
  return [...text.matchAll(ONE)].flatMap(([sequence]) => {
    const key = Object.hasOwn(KEYS, sequence) ? KEYS[sequence] : undefined;
    return key ? [key] : [];
  });
}

/** Scroll position after a key. @param page number of rows that fit @param furthest last scroll position */
export function scrolled(scroll: number, key: Key, page: number, furthest: number): number {
  const to = {
    up: scroll - 1,
    down: scroll + 1,
    pageUp: scroll - page,
    pageDown: scroll + page,
    top: 0,
    bottom: furthest,
  };
  const wanted = key === "quit" || key === "interrupt" ? scroll : to[key];
  return Math.min(furthest, Math.max(0, wanted));
}

/** Alternate screen, without cursor or line wrap (xterm control sequences, DECSET 1049, 25 and 7). */
const ENTER = "\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[2J";
const LEAVE = "\u001b[?7h\u001b[?25h\u001b[?1049l";

export class Screen {
  readonly #sink: Sink;
  readonly #inColour: boolean;
  #isOpen = false;
  #size: Size = { width: 0, height: 0 };
  /** The drawn cells, by line and column. */
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

  /** Restores the terminal. Safe to repeat. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#sink.write(LEAVE);
  }

  /** Draws only the cells that differ from the last frame. @param size of the terminal: after a change, everything is redrawn */
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
    // Redraw everything when a place is no longer used, because it may lie within the width of another cell now.
    const isMoved = before.size > 0;
    this.#size = size;
    this.#drawn = now;
    if (isMoved) this.#sink.write(`\u001b[2J${[...now].map(([place, shown]) => `\u001b[${place}H${shown}`).join("")}`);
    else if (text !== "") this.#sink.write(text);
  }
}
