/** A hub for one board, driven line by line: executes each command and shows its result. */

import { Mistake } from "../../simulator/read-step.ts";
import { Unreachable } from "../conform/rule.ts";
import { ask } from "./ask.ts";
import type { ShellBoard } from "./board.ts";
import { readCommand, SHELL_COMMANDS, type ShellCommand } from "./command.ts";
import { bad, deviceLines, good, greetingLine, type Shown, timesLines } from "./wording.ts";

type Of<Name extends ShellCommand["do"]> = Extract<ShellCommand, { do: Name }>;

export interface ShellOptions {
  readonly board: ShellBoard;
  /** Name of the line. */
  readonly where: string;
  readonly show: (shown: Shown) => void;
}

export class Shell {
  readonly #board: ShellBoard;
  readonly #where: string;
  readonly #show: ShellOptions["show"];

  constructor({ board, where, show }: ShellOptions) {
    this.#board = board;
    this.#where = where;
    this.#show = show;
  }

  /** Greets the board, describes it and shows the description. @throws Unreachable */
  async begin(): Promise<void> {
    await this.#board.learnWhenStale();
    this.#showBoard();
  }

  /** Executes one line; ignores an empty one and a comment (`#`). Never throws because of the line or the board. */
  async run(line: string): Promise<"went on" | "failed" | "quit"> {
    const text = line.trim();
    if (text === "" || text.startsWith("#")) return "went on";
    let hasFailed = false;
    const show = (shown: Shown) => {
      hasFailed ||= !shown.ok;
      this.#show(shown);
    };
    try {
      await this.#board.learnWhenStale();
      const command = readCommand(text, this.#board.devices);
      if (command.do === "quit") return "quit";
      await this.#carryOut(command, show);
    } catch (failure) {
      if (!(failure instanceof Mistake || failure instanceof Unreachable)) throw failure;
      show(bad(failure.message, { command: text }));
    }
    this.#board.tellBroken();
    this.#board.forget();
    return hasFailed ? "failed" : "went on";
  }

  async #carryOut(command: ShellCommand, show: (shown: Shown) => void): Promise<void> {
    switch (command.do) {
      case "help":
        return helpLines().forEach((text) => void show(good(text, { help: text })));
      case "devices":
        return this.#showDevices();
      case "times":
        return this.#showTimes(command, show);
      case "repeat":
        return this.#repeat(command, show);
      case "who":
        this.#board.isStale = true;
        return this.begin();
      case "quit":
        return;
      default:
        return ask(this.#board, command, show);
    }
  }

  #showBoard(): void {
    const { hello } = this.#board;
    if (hello) this.#show(good(greetingLine(hello, this.#where), { board: hello }));
    this.#showDevices();
  }

  #showDevices(): void {
    for (const device of this.#board.devices) {
      const { place, edgeId, services, about, problems } = device;
      this.#show(good(deviceLines(device).join("\n"), { device: place, edgeId, about, services, problems }));
    }
  }

  #showTimes({ limit }: Of<"times">, show: (shown: Shown) => void): void {
    const { all } = this.#board.times;
    if (!limit) {
      show(good(timesLines(all).join("\n"), { times: all }));
      return;
    }
    const { kind, figure, ms } = limit;
    const found = all.find((each) => each.kind === kind)?.[figure];
    const json = { command: "times", kind, figure, limit: ms, ms: found };
    const text = found === undefined ? `no ${kind} was answered` : `${kind}  ${figure} ${found.toFixed(1)} ms`;
    if (found === undefined) show(bad(text, json));
    else show(found < ms ? good(text, json) : bad(`${text}, not under ${ms} ms`, json));
  }

  /** Counts successes and shows failures. */
  async #repeat({ many, line }: Of<"repeat">, show: (shown: Shown) => void): Promise<void> {
    const { clock } = this.#board;
    const end = "ms" in many ? clock.monotonic() + many.ms : undefined;
    let done = 0;
    let failed = 0;
    const isDue = () => (end === undefined ? "times" in many && done < many.times : clock.monotonic() < end);
    while (isDue() && this.#board.closed === undefined) {
      let hasFailed = false;
      const shown = (each: Shown) => {
        if (each.ok) return;
        hasFailed = true;
        show(each);
      };
      await this.#board.learnWhenStale();
      await this.#carryOut(readCommand(line, this.#board.devices), shown);
      this.#board.tellBroken();
      this.#board.forget();
      done += 1;
      if (hasFailed) failed += 1;
    }
    const text = `${done} times ${line}: ${failed} failed`;
    const json = { command: "repeat", line, done, failed };
    show(failed === 0 ? good(text, json) : bad(text, json));
  }
}

function helpLines(): string[] {
  const rows = Object.entries(SHELL_COMMANDS).map(
    ([verb, { words, does }]) => [`${verb} ${words}`.trim(), does] as const,
  );
  const width = Math.max(...rows.map(([form]) => form.length));
  return rows.map(([form, does]) => `${form.padEnd(width)}  ${does}`);
}
