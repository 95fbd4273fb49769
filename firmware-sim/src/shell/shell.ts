/** A hub for one board, driven line by line: carries out each command and shows what came of it. */
import { valuesEqual } from "@porchlight/shared/model";
import { encodeFrame } from "@porchlight/shared/wire";
import { inWords } from "../capture/words.ts";
import { Unreachable } from "../conform/rule.ts";
import { Mistake } from "../scenario/words.ts";
import type { RequestEnd, ShellBoard } from "./board.ts";
import { readCommand, SHELL_COMMANDS, type ShellCommand, type ShellTarget } from "./command.ts";
import {
  bad,
  deviceLines,
  failureOf,
  good,
  greetingLine,
  nameOf,
  type Shown,
  targetJson,
  timesLines,
  took,
} from "./wording.ts";

type Of<Name extends ShellCommand["do"]> = Extract<ShellCommand, { do: Name }>;

export interface ShellOptions {
  readonly board: ShellBoard;
  /** What the line is called. */
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

  /** Greets the board, describes it and shows what it is. @throws Unreachable */
  async begin(): Promise<void> {
    await this.#board.learnWhenStale();
    this.#showBoard();
  }

  /** Carries out one line; an empty one and a comment (`#`) are nothing. Never throws for what the line or the board does. */
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
        return this.#showTimes(show);
      case "ping":
        return this.#ping(show);
      case "who":
        this.#board.isStale = true;
        return this.begin();
      case "describe":
        return this.#describe(command, show);
      case "read":
        for (const target of command.targets) await this.#read(target, show);
        return;
      case "write":
        return this.#write(command, show);
      case "expect":
        return this.#expect(command, show);
      case "identify":
        return this.#identify(command, show);
      case "frame":
        return this.#raw(encodeFrame(command.bytes), show);
      case "raw":
        return this.#raw(command.bytes, show);
      case "watch":
        return this.#watch(command, show);
      case "quit":
        return;
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

  #showTimes(show: (shown: Shown) => void): void {
    const { all } = this.#board.times;
    show(good(timesLines(all).join("\n"), { times: all }));
  }

  async #ping(show: (shown: Shown) => void): Promise<void> {
    const asked = await this.#board.request((seq) => ({ type: "PING", seq }));
    const failure = failureOf(asked, "PONG");
    const json = { command: "ping", ...timesOf(asked) };
    show(failure === undefined ? good(`answered  (${took(asked)})`, json) : bad(failure, json));
  }

  async #describe({ devices }: Of<"describe">, show: (shown: Shown) => void): Promise<void> {
    for (const { place, edgeId } of devices) {
      let parts = 1;
      for (let part = 0; part < parts; part++) {
        const asked = await this.#board.request((seq) => ({ type: "DESCRIBE", seq, device: place, part }));
        const json = { command: "describe", device: place, edgeId, part, ...timesOf(asked) };
        const { answer } = asked;
        if (answer?.type !== "DESCRIPTION") return show(bad(failureOf(asked, "DESCRIPTION") ?? "", json));
        parts = answer.parts;
        const { services, about } = answer;
        show(good(`${inWords(answer)}  (${took(asked)})`, { ...json, parts, services, about }));
      }
    }
  }

  async #read(target: ShellTarget, show: (shown: Shown) => void): Promise<void> {
    const asked = await this.#board.readProperty(target);
    const json = { command: "read", ...targetJson(target), ...timesOf(asked) };
    const { answer } = asked;
    if (answer?.type !== "VALUE") return show(bad(`${nameOf(target)}  ${failureOf(asked, "VALUE")}`, json));
    const { value } = answer;
    show(good(`${nameOf(target)}  ${JSON.stringify(value)}  (${took(asked)})`, { ...json, value }));
  }

  async #write({ target, value }: Of<"write">, show: (shown: Shown) => void): Promise<void> {
    const asked = await this.#board.writeProperty(target, value);
    const json = { command: "write", ...targetJson(target), ...timesOf(asked) };
    const { answer } = asked;
    if (answer?.type !== "WRITTEN") return show(bad(`${nameOf(target)}  ${failureOf(asked, "WRITTEN")}`, json));
    const isOther = !valuesEqual(answer.value, value);
    const remark = isOther ? `, not ${JSON.stringify(value)}` : "";
    const text = `${nameOf(target)}  ${JSON.stringify(answer.value)}${remark}  (${took(asked)})`;
    show(good(text, { ...json, value: answer.value }));
  }

  async #expect({ target, value, within }: Of<"expect">, show: (shown: Shown) => void): Promise<void> {
    const json = { command: "expect", ...targetJson(target) };
    const wanted = JSON.stringify(value);
    if (within !== undefined) {
      const from = this.#board.clock.monotonic();
      const heard = await this.#board.reportOf(target, value, within);
      const ms = (heard?.at ?? 0) - from;
      if (heard)
        return show(good(`${nameOf(target)}  ${wanted}  (reported after ${ms.toFixed(1)} ms)`, { ...json, value, ms }));
      return show(bad(`${nameOf(target)}  no report of ${wanted} came in ${within} ms`, json));
    }
    const asked = await this.#board.readProperty(target);
    const { answer } = asked;
    if (answer?.type !== "VALUE") return show(bad(`${nameOf(target)}  ${failureOf(asked, "VALUE")}`, json));
    if (valuesEqual(answer.value, value))
      return show(good(`${nameOf(target)}  ${wanted}  (${took(asked)})`, { ...json, value }));
    show(
      bad(`${nameOf(target)}  ${JSON.stringify(answer.value)}, expected ${wanted}`, { ...json, value: answer.value }),
    );
  }

  async #identify({ device, seconds }: Of<"identify">, show: (shown: Shown) => void): Promise<void> {
    const asked = await this.#board.request((seq) => ({ type: "IDENTIFY", seq, device: device.place, seconds }));
    const failure = failureOf(asked, "ACK");
    const { place, edgeId } = device;
    const json = { command: "identify", device: place, edgeId, seconds, ...timesOf(asked) };
    show(
      failure === undefined
        ? good(`${place}  identifies for ${seconds} s  (${took(asked)})`, json)
        : bad(failure, json),
    );
  }

  async #raw(bytes: Uint8Array, show: (shown: Shown) => void): Promise<void> {
    const heard = await this.#board.after(bytes);
    if (heard.length === 0) show(good("nothing came in 500 ms", { command: "raw", answers: [] }));
    for (const { message } of heard) show(good(inWords(message), { command: "raw", answer: message }));
  }

  async #watch({ ms }: Of<"watch">, show: (shown: Shown) => void): Promise<void> {
    const { mark } = this.#board;
    this.#board.isWatched = true;
    await this.#board.pass(ms);
    this.#board.isWatched = false;
    const frames = this.#board.mark - mark;
    show(
      good(`${frames} ${frames === 1 ? "frame" : "frames"} came in ${ms / 1000} s`, { command: "watch", ms, frames }),
    );
  }
}

function helpLines(): string[] {
  const rows = Object.entries(SHELL_COMMANDS).map(
    ([verb, { words, does }]) => [`${verb} ${words}`.trim(), does] as const,
  );
  const width = Math.max(...rows.map(([form]) => form.length));
  return rows.map(([form, does]) => `${form.padEnd(width)}  ${does}`);
}

/** For a program: to the microsecond. */
function timesOf({ ms, tries }: RequestEnd): { ms: number; tries: number } {
  return { ms: Math.round(ms * 1000) / 1000, tries };
}
