/** A hub for one board, driven line by line: executes each command, also those that send requests to the board, and shows its result. */
import { valuesEqual } from "@porchlight/shared/model";
import { encodeFrame } from "@porchlight/shared/wire";
import { Mistake } from "../../simulator/read-step.ts";
import { inWords } from "../capture/decode.ts";
import { Unreachable } from "../conform/rule.ts";
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

interface ShellOptions {
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

type Show = (shown: Shown) => void;
/** Commands that {@link ask} executes. */
type BoardCommand = Of<"ping" | "describe" | "read" | "write" | "expect" | "identify" | "frame" | "raw" | "watch">;

async function ask(board: ShellBoard, command: BoardCommand, show: Show): Promise<void> {
  switch (command.do) {
    case "ping":
      return ping(board, show);
    case "describe":
      return describe(board, command, show);
    case "read":
      for (const target of command.targets) await read(board, target, show);
      return;
    case "write":
      return write(board, command, show);
    case "expect":
      return expectValue(board, command, show);
    case "identify":
      return identify(board, command, show);
    case "frame":
      return raw(board, encodeFrame(command.bytes), show);
    case "raw":
      return raw(board, command.bytes, show);
    case "watch":
      return watch(board, command, show);
  }
}

async function ping(board: ShellBoard, show: Show): Promise<void> {
  const asked = await board.request((seq) => ({ type: "PING", seq }));
  const failure = failureOf(asked, "PONG");
  const json = { command: "ping", ...timesOf(asked) };
  show(failure === undefined ? good(`answered  (${took(asked)})`, json) : bad(failure, json));
}

async function describe(board: ShellBoard, { devices }: Of<"describe">, show: Show): Promise<void> {
  for (const { place, edgeId } of devices) {
    let parts = 1;
    for (let part = 0; part < parts; part++) {
      const asked = await board.request((seq) => ({ type: "DESCRIBE", seq, device: place, part }));
      const json = { command: "describe", device: place, edgeId, part, ...timesOf(asked) };
      const { answer } = asked;
      if (answer?.type !== "DESCRIPTION") return show(bad(failureOf(asked, "DESCRIPTION") ?? "", json));
      parts = answer.parts;
      const { services, about } = answer;
      show(good(`${inWords(answer)}  (${took(asked)})`, { ...json, parts, services, about }));
    }
  }
}

async function read(board: ShellBoard, target: ShellTarget, show: Show): Promise<void> {
  const asked = await board.readProperty(target);
  const json = { command: "read", ...targetJson(target), ...timesOf(asked) };
  const { answer } = asked;
  if (answer?.type !== "VALUE") return show(bad(`${nameOf(target)}  ${failureOf(asked, "VALUE")}`, json));
  const { value } = answer;
  show(good(`${nameOf(target)}  ${JSON.stringify(value)}  (${took(asked)})`, { ...json, value }));
}

async function write(board: ShellBoard, { target, value }: Of<"write">, show: Show): Promise<void> {
  const asked = await board.writeProperty(target, value);
  const json = { command: "write", ...targetJson(target), ...timesOf(asked) };
  const { answer } = asked;
  if (answer?.type !== "WRITTEN") return show(bad(`${nameOf(target)}  ${failureOf(asked, "WRITTEN")}`, json));
  const isOther = !valuesEqual(answer.value, value);
  const remark = isOther ? `, not ${JSON.stringify(value)}` : "";
  const text = `${nameOf(target)}  ${JSON.stringify(answer.value)}${remark}  (${took(asked)})`;
  show(good(text, { ...json, value: answer.value }));
}

async function expectValue(board: ShellBoard, { target, value, within }: Of<"expect">, show: Show): Promise<void> {
  const json = { command: "expect", ...targetJson(target) };
  const wanted = JSON.stringify(value);
  if (within !== undefined) {
    const from = board.clock.monotonic();
    const heard = await board.reportOf(target, value, within);
    const ms = (heard?.at ?? 0) - from;
    if (heard)
      return show(good(`${nameOf(target)}  ${wanted}  (reported after ${ms.toFixed(1)} ms)`, { ...json, value, ms }));
    return show(bad(`${nameOf(target)}  no report of ${wanted} came in ${within} ms`, json));
  }
  const asked = await board.readProperty(target);
  const { answer } = asked;
  if (answer?.type !== "VALUE") return show(bad(`${nameOf(target)}  ${failureOf(asked, "VALUE")}`, json));
  if (valuesEqual(answer.value, value))
    return show(good(`${nameOf(target)}  ${wanted}  (${took(asked)})`, { ...json, value }));
  show(bad(`${nameOf(target)}  ${JSON.stringify(answer.value)}, expected ${wanted}`, { ...json, value: answer.value }));
}

async function identify(board: ShellBoard, { device, seconds }: Of<"identify">, show: Show): Promise<void> {
  const asked = await board.request((seq) => ({ type: "IDENTIFY", seq, device: device.place, seconds }));
  const failure = failureOf(asked, "ACK");
  const { place, edgeId } = device;
  const json = { command: "identify", device: place, edgeId, seconds, ...timesOf(asked) };
  show(
    failure === undefined ? good(`${place}  identifies for ${seconds} s  (${took(asked)})`, json) : bad(failure, json),
  );
}

async function raw(board: ShellBoard, bytes: Uint8Array, show: Show): Promise<void> {
  const heard = await board.after(bytes);
  if (heard.length === 0) show(good("nothing came in 500 ms", { command: "raw", answers: [] }));
  for (const { message } of heard) show(good(inWords(message), { command: "raw", answer: message }));
}

async function watch(board: ShellBoard, { ms }: Of<"watch">, show: Show): Promise<void> {
  const { mark } = board;
  board.isWatched = true;
  await board.pass(ms);
  board.isWatched = false;
  const frames = board.mark - mark;
  show(good(`${frames} ${frames === 1 ? "frame" : "frames"} came in ${ms / 1000} s`, { command: "watch", ms, frames }));
}

/** Times for programs, rounded to the microsecond. */
function timesOf({ ms, tries }: RequestEnd): { ms: number; tries: number } {
  return { ms: Math.round(ms * 1000) / 1000, tries };
}
