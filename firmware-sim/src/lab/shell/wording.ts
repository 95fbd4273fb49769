/** Output of the shell: lines for people, and the same as objects for programs. */
import { addressKey, LIMIT_NAMES, type PropertyDescription, printable } from "@porchlight/shared/model";
import { addressOf, errorVerdict, type HelloInfo, type WireAddress } from "@porchlight/shared/wire";
import { inWords } from "../capture/decode.ts";
import type { DeclaredDevice } from "../conform/node-bench.ts";
import type { BoardEvent, RequestEnd } from "./board.ts";
import type { ShellTarget } from "./command.ts";
import type { KindTimes } from "./times.ts";

/** One item of output. */
export interface Shown {
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
  /** Whether the command succeeded: a script stops at the first failure. */
  readonly ok: boolean;
}

export function good(text: string, json: Shown["json"]): Shown {
  return { text, json, ok: true };
}

export function bad(text: string, json: Shown["json"]): Shown {
  return { text, json: { ...json, error: text }, ok: false };
}

/** `3.2 ms`, with the number of tries when there were several. */
export function took({ ms, tries }: RequestEnd): string {
  return `${ms.toFixed(1)} ms${tries > 1 ? `, ${tries} tries` : ""}`;
}

/** Why a request failed; undefined when the answer has the wanted type. */
export function failureOf({ answer, ms, tries }: RequestEnd, wanted: string): string | undefined {
  if (answer?.type === wanted) return undefined;
  if (!answer) return `no answer to ${tries} ${tries === 1 ? "try" : "tries"} in ${Math.round(ms)} ms`;
  if (answer.type !== "ERROR") return `${inWords(answer)} came in place of ${wanted}`;
  return `ERROR ${answer.code}, ${errorVerdict(answer.code).says}: ${JSON.stringify(answer.text)}`;
}

/** `0 Switch:0.on` */
export function nameOf({ device, address }: ShellTarget): string {
  return `${device.place} ${addressKey(address)}`;
}

export function targetJson({ device, address }: ShellTarget): Shown["json"] {
  return { device: device.place, edgeId: device.edgeId, property: addressKey(address) };
}

export function greetingLine({ id, boot, max, win, mf, mo, fw }: HelloInfo, where: string): string {
  const made = [mf, mo, fw].filter((word) => word !== undefined).join(" ");
  return printable(
    `${id} on ${where}${made === "" ? "" : `, ${made}`}: boot ${boot}, frames of ${max} bytes, ${win} at once`,
  );
}

/** A device and its properties. */
export function deviceLines({ place, edgeId, services, about, problems }: DeclaredDevice): string[] {
  const rows = services.flatMap(({ service, index, properties }) =>
    properties.map((property) => ({
      name: addressKey({ service, index, property: property.property }),
      type: typeWords(property),
      access: property.access.join(" "),
    })),
  );
  const width = (key: "name" | "type") => Math.max(...rows.map((row) => row[key].length));
  return [
    `device ${place}  ${edgeId}${about.name === undefined ? "" : `  ${about.name}`}`,
    ...rows.map(
      ({ name, type, access }) => `  ${name.padEnd(width("name"))}  ${type.padEnd(width("type"))}  ${access}`,
    ),
    ...problems.map((problem) => `  ! a hub leaves this out: ${problem}`),
  ].map(printable);
}

function typeWords(property: PropertyDescription): string {
  const { type, unit, values } = property;
  const limits = LIMIT_NAMES.flatMap((name) => (property[name] === undefined ? [] : `${name} ${property[name]}`));
  const listed = values === undefined ? [] : [values.map((value) => JSON.stringify(value)).join("|")];
  return [type, ...listed, ...limits, ...(unit === undefined ? [] : [unit])].join(" ");
}

/** An event that the board reported on its own. */
export function eventShown(event: BoardEvent): Shown {
  switch (event.kind) {
    case "report": {
      const { message } = event;
      const property = propertyOf(message);
      const text = `report  ${message.device} ${property}  ${JSON.stringify(message.value)}`;
      return good(text, { event: "report", device: message.device, property, value: message.value });
    }
    case "changed":
      return good(`changed  ${inWords(event.message)}`, { event: "changed", devices: event.message.devices });
    case "greeted":
      return good(`hello  ${inWords(event.message)}`, { event: "hello", ...event.message.info });
    case "frame": {
      const { from, message } = event;
      return good(`${from.padEnd(4)}  ${inWords(message)}`, { event: "frame", from, ...message });
    }
    case "broken": {
      const { rule, what } = event.violation;
      return good(`! ${rule}: ${what}`, { event: "broken", rule, what });
    }
  }
}

function propertyOf(message: WireAddress): string {
  return addressKey(addressOf(message));
}

/** A table of request times by type. */
export function timesLines(kinds: readonly KindTimes[]): string[] {
  if (kinds.length === 0) return ["nothing was asked yet"];
  const ms = (value: number | undefined) => (value === undefined ? "-" : value.toFixed(1));
  const rows = [
    ["", "requests", "tries lost", "median ms", "p99 ms", "most ms"],
    ...kinds.map(({ kind, requests, lost, median, p99, most }) => [
      ...[kind, String(requests), String(lost)],
      ...[ms(median), ms(p99), ms(most)],
    ]),
  ];
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? [];
  return rows.map((row) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
}
