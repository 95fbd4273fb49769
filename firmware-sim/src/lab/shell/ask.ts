/** The shell's commands that send requests to the board and show the results. */
import { valuesEqual } from "@porchlight/shared/model";
import { encodeFrame } from "@porchlight/shared/wire";
import { inWords } from "../capture/decode.ts";
import type { RequestEnd, ShellBoard } from "./board.ts";
import type { ShellCommand, ShellTarget } from "./command.ts";
import { bad, failureOf, good, nameOf, type Shown, targetJson, took } from "./wording.ts";

type Show = (shown: Shown) => void;
type Of<Name extends ShellCommand["do"]> = Extract<ShellCommand, { do: Name }>;

/** Commands that {@link ask} executes. */
export type BoardCommand = Of<
  "ping" | "describe" | "read" | "write" | "expect" | "identify" | "frame" | "raw" | "watch"
>;

export async function ask(board: ShellBoard, command: BoardCommand, show: Show): Promise<void> {
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
