/** The commands of the shell: parses their words and checks them against the board's description. */
import { addressKey, type PropertyAddress, type PropertyDescription, type Value } from "@porchlight/shared/model";
import { unknownWord } from "../../simulator/devices/schema-problems.ts";
import { duration, firstWord, Mistake, propertyIn, readValue } from "../../simulator/read-step.ts";
import { readHex } from "../capture/decode.ts";
import type { DeclaredDevice } from "../conform/node-bench.ts";
import { FIGURES, type TimesFigure } from "./times.ts";

/** A property of a device, as the board describes it. */
export interface ShellTarget {
  readonly device: DeclaredDevice;
  readonly address: PropertyAddress;
  readonly description: PropertyDescription;
}

export type ShellCommand =
  | { readonly do: "help" | "devices" | "who" | "quit" }
  | { readonly do: "ping" }
  /** `limit`: a figure that must stay below this number of ms. */
  | { readonly do: "times"; readonly limit: TimesLimit | undefined }
  /** `many`: number of repetitions, or a duration in ms. */
  | {
      readonly do: "repeat";
      readonly many: { readonly times: number } | { readonly ms: number };
      readonly line: string;
    }
  | { readonly do: "describe"; readonly devices: readonly DeclaredDevice[] }
  | { readonly do: "read"; readonly targets: readonly ShellTarget[] }
  | { readonly do: "write"; readonly target: ShellTarget; readonly value: Value }
  /** `within`: time in which a report must arrive, ms; undefined to read the value now. */
  | { readonly do: "expect"; readonly target: ShellTarget; readonly value: Value; readonly within: number | undefined }
  | { readonly do: "identify"; readonly device: DeclaredDevice; readonly seconds: number }
  | { readonly do: "raw" | "frame"; readonly bytes: Uint8Array }
  | { readonly do: "watch"; readonly ms: number };

interface TimesLimit {
  /** Type of the request, such as READ. */
  readonly kind: string;
  readonly figure: TimesFigure;
  readonly ms: number;
}

interface Words {
  /** The words of the command; those in brackets are optional. */
  readonly words: string;
  readonly does: string;
}

const TARGET = "[DEVICE] SERVICE[:INDEX].PROPERTY";

export const SHELL_COMMANDS: Readonly<Record<ShellCommand["do"], Words>> = {
  devices: { words: "", does: "what the board has described" },
  describe: { words: "[DEVICE]", does: "asks for the description anew" },
  read: { words: `[DEVICE] [SERVICE[:INDEX].PROPERTY]`, does: "one property, or all that can be read" },
  write: { words: `${TARGET} VALUE`, does: "JSON, or a text without quotes" },
  expect: { words: `${TARGET} VALUE [within TIME]`, does: "reads it; with a time, waits until a report says so" },
  identify: { words: "[DEVICE] [SECONDS]", does: "30 seconds when left out; 0 ends it" },
  watch: { words: "[TIME]", does: "shows every frame, for 10s when left out" },
  ping: { words: "", does: "PING" },
  who: { words: "", does: "greets the board as a hub does that opens the line" },
  frame: { words: "HEX", does: "sends a body: delimiters, escapes and CRC are added" },
  raw: { words: "HEX", does: "sends bytes as they are" },
  repeat: { words: "COUNT|TIME COMMAND", does: "again and again, so often or so long; shows what fails" },
  times: {
    words: `[KIND ${FIGURES.join("|")} under TIME]`,
    does: "how long requests took, by kind; fails over a limit",
  },
  help: { words: "", does: "this list" },
  quit: { words: "", does: "ends" },
};

const WITHIN = /\s+within\s+(\S+)$/;
const WATCHED_MS = 10_000;
const IDENTIFIED_SECONDS = 30;
const MOST_SECONDS = 65_535;

/** @param devices as described by the board @throws Mistake */
export function readCommand(line: string, devices: readonly DeclaredDevice[]): ShellCommand {
  const { word: verb, rest } = firstWord(line.trim());
  if (!isVerb(verb)) throw new Mistake(unknownWord("command", verb, Object.keys(SHELL_COMMANDS)));
  switch (verb) {
    case "describe":
      return { do: verb, devices: rest === "" ? devices : [deviceIn(rest, devices).device] };
    case "read":
      return { do: verb, targets: targetsIn(rest, devices) };
    case "write": {
      const { target, rest: stated } = targetIn(rest, devices);
      return { do: verb, target, value: readValue(stated) };
    }
    case "expect": {
      const within = WITHIN.exec(rest)?.[1];
      const { target, rest: stated } = targetIn(rest.replace(WITHIN, ""), devices);
      return {
        do: verb,
        target,
        value: readValue(stated),
        within: within === undefined ? undefined : duration(within),
      };
    }
    case "identify":
      return identifyIn(rest, devices);
    case "repeat":
      return repeatIn(rest, devices);
    case "times":
      return { do: verb, limit: rest === "" ? undefined : limitIn(rest) };
    case "watch":
      return { do: verb, ms: rest === "" ? WATCHED_MS : duration(rest) };
    case "raw":
    case "frame": {
      const read = readHex(rest);
      if (read.kind === "problem") throw new Mistake(read.problem);
      return { do: verb, bytes: read.bytes };
    }
    default:
      if (rest !== "") throw new Mistake(`${verb} takes no words`);
      return { do: verb };
  }
}

function isVerb(word: string): word is ShellCommand["do"] {
  return Object.hasOwn(SHELL_COMMANDS, word);
}

/** A device by its place or edgeId, when the first word is one; else the board's only device. */
function deviceIn(words: string, devices: readonly DeclaredDevice[]): { device: DeclaredDevice; rest: string } {
  const { word, rest } = firstWord(words);
  const named = devices.find(({ place, edgeId }) => String(place) === word || edgeId === word);
  if (named) return { device: named, rest };
  const [only] = devices;
  if (only && devices.length === 1) return { device: only, rest: words };
  const known = devices.map(({ place, edgeId }) => `${place} (${edgeId})`).join(", ");
  throw new Mistake(known === "" ? "the board has no device" : `say which device: ${known}`);
}

/** A property; its device may be omitted when only one device has the property. */
function targetIn(words: string, devices: readonly DeclaredDevice[]): { target: ShellTarget; rest: string } {
  const { word, rest } = firstWord(words);
  if (word === "") throw new Mistake("a property is missing: SERVICE[:INDEX].PROPERTY");
  const having = devices.flatMap((device) => propertiesCalled(word, device));
  const [only] = having;
  if (only && having.length === 1) return { target: only, rest };
  const { device, rest: after } = deviceIn(words, devices);
  const { word: where, rest: stated } = firstWord(after);
  return { target: { device, ...propertyIn(device.services, where) }, rest: stated };
}

function propertiesCalled(where: string, device: DeclaredDevice): ShellTarget[] {
  try {
    return [{ device, ...propertyIn(device.services, where) }];
  } catch (failure) {
    if (failure instanceof Mistake) return [];
    throw failure;
  }
}

/** One property, all readable ones of a device, or all readable ones of the board. */
function targetsIn(words: string, devices: readonly DeclaredDevice[]): readonly ShellTarget[] {
  const isDevice = devices.some(({ place, edgeId }) => String(place) === words || edgeId === words);
  if (words !== "" && !isDevice) return [targetIn(words, devices).target];
  const read = words === "" ? devices : [deviceIn(words, devices).device];
  return read.flatMap((device) =>
    device.services.flatMap(({ service, index, properties }) =>
      properties
        .filter(({ access }) => access.includes("read"))
        .map((description) => ({
          device,
          address: { service, index, property: description.property },
          description,
        })),
    ),
  );
}

/** A single number is the duration in seconds on a board with one device, and the device on any other board. */
function identifyIn(words: string, devices: readonly DeclaredDevice[]): ShellCommand {
  const [only] = devices;
  const isSecondsOnly = only !== undefined && devices.length === 1 && /^\d+$/.test(words);
  const { device, rest } = isSecondsOnly ? { device: only, rest: words } : deviceIn(words, devices);
  const seconds = rest === "" ? IDENTIFIED_SECONDS : Number(rest);
  if (!Number.isInteger(seconds) || seconds < 0 || seconds > MOST_SECONDS)
    throw new Mistake(`"${rest}" is no number of seconds from 0 to ${MOST_SECONDS}`);
  return { do: "identify", device, seconds };
}

/** @throws Mistake also for a mistake in the repeated command */
function repeatIn(words: string, devices: readonly DeclaredDevice[]): ShellCommand {
  const { word, rest } = firstWord(words);
  if (rest === "") throw new Mistake("repeat COUNT|TIME COMMAND: as repeat 1000 ping, repeat 8h read");
  const inner = readCommand(rest, devices);
  if (inner.do === "repeat" || inner.do === "quit") throw new Mistake(`${inner.do} cannot be repeated`);
  const many = /^\d+$/.test(word) ? { times: Number(word) } : { ms: duration(word) };
  return { do: "repeat", many, line: rest };
}

function limitIn(words: string): TimesLimit {
  const [, kind = "", figure = "", time = ""] = /^(\S+)\s+(\S+)\s+under\s+(\S+)$/.exec(words) ?? [];
  if (kind === "") throw new Mistake(`say times KIND ${FIGURES.join("|")} under TIME, as times READ p99 under 50ms`);
  if (!isFigure(figure)) throw new Mistake(unknownWord("figure", figure, FIGURES));
  return { kind: kind.toUpperCase(), figure, ms: duration(time) };
}

function isFigure(word: string): word is TimesFigure {
  return FIGURES.some((figure) => figure === word);
}

/** The words that can replace the last one of the line, and that last word. */
export function completions(line: string, devices: readonly DeclaredDevice[]): [string[], string] {
  const words = line.trimStart().split(/\s+/);
  const last = words.at(-1) ?? "";
  const known = words.length === 1 ? Object.keys(SHELL_COMMANDS) : wordsOf(words[0] ?? "", devices);
  return [known.filter((word) => word.startsWith(last)).map((word) => `${word} `), last];
}

function wordsOf(verb: string, devices: readonly DeclaredDevice[]): string[] {
  if (!Object.hasOwn(SHELL_COMMANDS, verb)) return [];
  const { words } = SHELL_COMMANDS[verb as keyof typeof SHELL_COMMANDS];
  const places = words.includes("DEVICE") ? devices.map(({ place }) => String(place)) : [];
  const properties = words.includes("PROPERTY") ? devices.flatMap(propertyNames) : [];
  return [...places, ...new Set(properties)];
}

function propertyNames({ services }: DeclaredDevice): string[] {
  return services.flatMap(({ service, index, properties }) =>
    properties.map(({ property }) => {
      const key = addressKey({ service, index, property });
      return index === "0" ? key.replace(":0.", ".") : key;
    }),
  );
}
