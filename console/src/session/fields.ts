/** Parses what options of several commands share: alias and metadata, durations, and times. */
import { readFileSync } from "node:fs";
import { formatTime } from "@porchlight/shared/api";
import type { Clock } from "@porchlight/shared/kernel";
import type { Args, Option } from "./args.ts";
import { UsageError } from "./failure.ts";

export type Meta = Readonly<Record<string, unknown>>;

const META: readonly Option[] = [
  { name: "meta", value: "JSON", summary: "Metadata as a JSON object; replaces all of it" },
  { name: "meta-file", value: "FILE", summary: "The same from a file" },
  {
    name: "set-meta",
    value: "KEY=VALUE",
    summary: "Changes one key and keeps the others; VALUE is JSON, or else text",
    isRepeatable: true,
  },
];

const PREFIX: Option = {
  name: "system-prefix",
  value: "PREFIX",
  summary: "Prefix of system metadata in this request, instead of `$.`",
};

/** Flags of a command that creates an object. */
export const CREATE_FIELDS: readonly Option[] = [
  { name: "alias", value: "ALIAS", summary: "Alias for references; unique in its ecosystem" },
  ...META,
  PREFIX,
];

/** Flags of a command that changes an object. */
export const UPDATE_FIELDS: readonly Option[] = [
  { name: "alias", value: "ALIAS", summary: "Alias for references; unique in its ecosystem" },
  { name: "no-alias", summary: "Removes the alias" },
  ...META,
  { name: "unset-meta", value: "KEY", summary: "Removes one key and keeps the others", isRepeatable: true },
  PREFIX,
];

/** The given alias; null removes it. */
export function aliasOf(args: Args): { alias?: string | null } {
  const alias = args.text("alias");
  if (args.has("no-alias") && alias !== undefined)
    throw new UsageError(
      "--alias and --no-alias exclude each other.",
      "One sets the alias, the other removes it.",
      "give only one of them",
    );
  if (args.has("no-alias")) return { alias: null };
  return alias === undefined ? {} : { alias };
}

/** Metadata given as a whole; undefined when it is not. @throws UsageError */
export function wholeMeta(args: Args): Meta | undefined {
  const [text, file] = [args.text("meta"), args.text("meta-file")];
  if (text !== undefined && file !== undefined)
    throw new UsageError(
      "--meta and --meta-file exclude each other.",
      "Both replace all metadata.",
      "give only one of them",
    );
  if (text !== undefined) return objectOf(text, "--meta");
  return file === undefined ? undefined : objectOf(readText(file, "--meta-file"), "--meta-file");
}

/** A partial change of metadata. */
export interface MetaChange {
  readonly set: Meta;
  readonly unset: readonly string[];
}

/** Undefined when no part of it changes. @throws UsageError */
export function metaChange(args: Args): MetaChange | undefined {
  const [set, unset] = [args.all("set-meta"), args.all("unset-meta")];
  if (set.length === 0 && unset.length === 0) return undefined;
  return { set: Object.fromEntries(set.map(keyAndValue)), unset };
}

/** The metadata after the change. */
export function changedMeta(before: Meta, { set, unset }: MetaChange): Meta {
  const kept = Object.entries(before).filter(([key]) => !unset.includes(key));
  return { ...Object.fromEntries(kept), ...set };
}

/** Parses `KEY=VALUE`; a value that is not JSON is text. @throws UsageError */
export function keyAndValue(text: string): [key: string, value: unknown] {
  const at = text.indexOf("=");
  if (at < 1)
    throw new UsageError(`\`${text}\` is not KEY=VALUE.`, "It needs a key and an equals sign.", "give KEY=VALUE");
  return [text.slice(0, at), jsonOrText(text.slice(at + 1))];
}

/** The parsed JSON, or the text itself. */
export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** @param from the flag with the text @throws UsageError */
export function jsonOf(text: string, from: string): unknown {
  try {
    return JSON.parse(text);
  } catch (failure) {
    const why = failure instanceof Error ? failure.message : String(failure);
    throw new UsageError(`The value of ${from} is not JSON.`, why, `put the JSON in single quotes`);
  }
}

function objectOf(text: string, from: string): Meta {
  const value = jsonOf(text, from);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  throw new UsageError(
    `The value of ${from} is not a JSON object.`,
    "Metadata is an object.",
    `give ${from} '{"room": "Küche"}'`,
  );
}

/** The content of a file, or of stdin for `-`. @throws UsageError */
export function readText(file: string, from: string): string {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (failure) {
    const code = failure instanceof Error && "code" in failure ? String(failure.code) : String(failure);
    throw new UsageError(`${from}: ${file} cannot be read.`, code, "check that the file exists");
  }
}

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400 } as const;

/** Seconds of `90`, `90s`, `15m`, `2h` or `30d`; undefined for anything else. */
function duration(text: string): number | undefined {
  const [, count = "", unit = "s"] = /^(\d{1,9})([smhd])?$/.exec(text) ?? [];
  if (count === "") return undefined;
  return Number(count) * (unit === "m" || unit === "h" || unit === "d" ? SECONDS[unit] : SECONDS.s);
}

/** @param option its name, for the message @throws UsageError */
export function secondsOf(text: string, option: string): number {
  const seconds = duration(text);
  if (seconds !== undefined) return seconds;
  throw new UsageError(
    `--${option} takes a duration.`,
    `\`${text}\` is not one.`,
    `give --${option} 30d, 12h, 15m or 90s`,
  );
}

/** A time for the API: a duration ago, or an absolute time. @param text `2h`, or `2026-11-05 14:03:07Z` with a space or a T */
export function momentOf(text: string, clock: Clock): string {
  const ago = duration(text);
  if (ago !== undefined) return formatTime(clock.now() - ago * 1000);
  return text.replace(/^(\d{4}-\d\d-\d\d)T/, "$1 ");
}
