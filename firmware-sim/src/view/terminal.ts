/** The live view on a terminal: draws the scene a few times a second, and passes each key on. Restores the terminal at the end. */
import { type Clock, every, type Timer } from "@porchlight/shared/kernel";
import { FIRST_SCREEN, keysIn, press, type Scene, type Screen } from "./keys.ts";
import { render } from "./render.ts";

/** Minimum interval of redraws after a change, ms. */
const REDRAW_MS = 100;

/** Switches to the alternate screen without a cursor, and back. */
const ENTER = "\u001b[?1049h\u001b[?25l";
const LEAVE = "\u001b[?25h\u001b[?1049l";

export interface Terminal {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
}

export interface ViewDeps {
  readonly clock: Clock;
  readonly terminal: Terminal;
  readonly colour: boolean;
  scene(): Scene;
  /** Executes a control line; returns the answer to show. */
  obey(line: string): Promise<string>;
  /** Called when the user wants to leave. */
  quit(): void;
}

export class View implements Disposable {
  readonly #deps: ViewDeps;
  readonly #redraw: Timer;
  readonly #onInput = (text: string) => this.#pressed(text);
  #screen: Screen = FIRST_SCREEN;
  #drawn = "";

  constructor(deps: ViewDeps) {
    const { clock, terminal } = deps;
    this.#deps = deps;
    terminal.input.setRawMode(true).setEncoding("utf8").on("data", this.#onInput).resume();
    terminal.output.write(ENTER);
    this.#draw();
    this.#redraw = every(clock, "redraw", REDRAW_MS, () => this.#draw());
  }

  [Symbol.dispose](): void {
    const { input, output } = this.#deps.terminal;
    this.#redraw.cancel();
    input.off("data", this.#onInput).setRawMode(false).pause();
    output.write(LEAVE);
  }

  #draw(): void {
    const { terminal, colour, scene } = this.#deps;
    const { columns = 80, rows = 24 } = terminal.output;
    const lines = render(scene(), this.#screen, { columns, rows, colour });
    const text = `\u001b[H${lines.map((line) => `${line}\u001b[K`).join("\r\n")}\u001b[J`;
    if (text === this.#drawn) return;
    this.#drawn = text;
    terminal.output.write(text);
  }

  #pressed(text: string): void {
    for (const key of keysIn(text)) {
      const pressed = press(this.#deps.scene(), this.#screen, key);
      if (pressed.kind === "quit") this.#deps.quit();
      else if (pressed.kind === "screen") this.#screen = pressed.screen;
      else if (pressed.kind === "command") void this.#obey(pressed.line);
    }
    this.#draw();
  }

  async #obey(line: string): Promise<void> {
    const answer = await this.#deps.obey(line);
    this.#screen = { ...this.#screen, message: answer === "" ? line : `${line}: ${answer}` };
    this.#draw();
  }
}
