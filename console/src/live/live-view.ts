/** A board on the terminal while it changes: events, keys, sizes and time come in, and frames go out. */
import type { ConnectionState } from "@porchlight/sdk";
import { every, type Timer } from "@porchlight/shared/kernel";
import type { Context } from "../session/context.ts";
import { Interrupted } from "../session/failure.ts";
import { secondsText } from "../session/follow.ts";
import type { Board } from "./board.ts";
import { frame, furthestScroll, pageOf, type Size } from "./frame.ts";
import { keysIn, scrolled } from "./keys.ts";
import { Screen } from "./screen.ts";

/** Somebody pressed `q`. */
export class Quit extends Error {}

/** What comes within this time is drawn together, ms. */
const TOGETHER = 40;
/** Ages grow. */
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

  /** @param title is asked for at each drawing */
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
    // At once, and not only when the waiting code has heard of it: the process may end before.
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

  /** The board is another. */
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

  /** Gives the terminal back. */
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
