/** The message table: this file is the specification of the fields after `[type, seq` on the wire. DP4. */

import type { ErrorName, Outcome } from "../kernel/index.ts";
import type { PropertyAddress, Value } from "../model/index.ts";
import { decodeCbor, type Encodable, encodeCbor } from "./cbor.ts";
import * as field from "./fields.ts";
import { PROTOCOL_VERSION } from "./limits.ts";
import type { Body, Message, MessageFields, MessageName, WireAddress } from "./message-types.ts";

type Sender = "hub" | "node" | "either";

interface MessageRow<F> {
  /** Its number on the wire. */
  readonly type: number;
  readonly from: Sender;
  /** The message that answers it, besides ERROR; absent for an answer. */
  readonly answer?: MessageName;
  /** Its fields in the order of the wire, each with its reader. */
  readonly fields: { readonly [K in keyof F]-?: (value: Value | undefined) => F[K] | undefined };
  /** Fields that may be missing. */
  readonly optional?: readonly (keyof F & string)[];
}

const { index, list, map, places, text, unsigned } = field;
const number = (value: Value | undefined) => unsigned(value);
const address = { device: number, service: text, index, property: text };
const value = (given: Value | undefined) => given;

export const MESSAGES: { readonly [N in MessageName]: MessageRow<MessageFields[N]> } = {
  HELLO: { type: 1, from: "node", answer: "HELLO_ACK", fields: { info: field.helloInfo } },
  HELLO_ACK: { type: 2, from: "hub", fields: { info: field.helloAckInfo } },
  DESCRIBE: { type: 3, from: "hub", answer: "DESCRIPTION", fields: { device: number, part: number } },
  DESCRIPTION: {
    type: 4,
    from: "node",
    fields: { device: number, part: number, parts: number, services: list, about: map },
    optional: ["about"],
  },
  READ: { type: 5, from: "hub", answer: "VALUE", fields: address },
  VALUE: { type: 6, from: "node", fields: { value } },
  WRITE: { type: 7, from: "hub", answer: "WRITTEN", fields: { ...address, value } },
  WRITTEN: { type: 8, from: "node", fields: { value } },
  REPORT: { type: 9, from: "node", answer: "ACK", fields: { ...address, value } },
  ACK: { type: 10, from: "either", fields: {} },
  PING: { type: 11, from: "either", answer: "PONG", fields: {} },
  PONG: { type: 12, from: "either", fields: {} },
  ERROR: { type: 13, from: "either", fields: { code: number, text: field.errorText } },
  CHANGED: { type: 14, from: "node", answer: "ACK", fields: { devices: places } },
  IDENTIFY: { type: 15, from: "hub", answer: "ACK", fields: { device: number, seconds: number } },
  WHO: { type: 16, from: "hub", answer: "HELLO", fields: {} },
};

type Reader = (value: Value | undefined) => unknown;

/** A row of the table without its types, for encoding and decoding. */
interface Layout {
  readonly name: MessageName;
  readonly type: number;
  readonly fields: readonly (readonly [string, Reader])[];
  readonly optional: readonly string[];
}

const LAYOUTS: readonly Layout[] = (Object.keys(MESSAGES) as MessageName[]).map((name) => {
  const row: { type: number; fields: object; optional?: readonly string[] } = MESSAGES[name];
  return {
    name,
    type: row.type,
    fields: Object.entries(row.fields) as [string, Reader][],
    optional: row.optional ?? [],
  };
});
const BY_NAME: ReadonlyMap<string, Layout> = new Map(LAYOUTS.map((layout) => [layout.name, layout]));
const BY_TYPE: ReadonlyMap<number, Layout> = new Map(LAYOUTS.map((layout) => [layout.type, layout]));

/** Whether a message of that name requires an answer. */
export function isRequest(name: MessageName): boolean {
  return MESSAGES[name].answer !== undefined;
}

/** Whether `side` may send a message of that name. */
export function mayCome(name: MessageName, side: "hub" | "node"): boolean {
  const { from } = MESSAGES[name];
  return from === "either" || from === side;
}

/**
 * Encodes a message.
 * @throws NamedError "Device Rejected" (`rejected`) for a value that the CBOR profile cannot carry
 */
export function encodeMessage(message: Message): Uint8Array {
  const layout = BY_NAME.get(message.type);
  if (!layout) throw new RangeError(`there is no message ${message.type}`);
  const given = message as unknown as Readonly<Record<string, Encodable | undefined>>;
  const items: Encodable[] = [layout.type, message.seq];
  for (const [name] of layout.fields) {
    const item = given[name];
    if (item !== undefined) items.push(name === "text" && typeof item === "string" ? field.cutErrorText(item) : item);
  }
  return encodeCbor(items);
}

/** Decodes the body of a good frame. Never throws. DP4, "A valid frame with an invalid message". */
export function decodeBody(body: Uint8Array): Body {
  const decoded = decodeCbor(body);
  if (decoded.kind === "damage") return decoded;
  const items = list(decoded.value);
  const type = unsigned(items?.[0]);
  const seq = unsigned(items?.[1], 0xffff);
  if (!items || type === undefined || seq === undefined) return { kind: "damage", reason: "bad_message" };
  const layout = BY_TYPE.get(type);
  if (!layout) return { kind: "unknown_type", type, seq };
  return decodeFields(layout, seq, items);
}

function decodeFields(layout: Layout, seq: number, items: readonly Value[]): Body {
  if (layout.name === "HELLO" || layout.name === "HELLO_ACK") {
    const version = field.statedVersion(items[2]);
    if (version !== undefined && version !== PROTOCOL_VERSION)
      return { kind: "other_version", type: layout.name, seq, version };
  }
  const message: Record<string, unknown> = { type: layout.name, seq };
  let at = 2;
  for (const [name, read] of layout.fields) {
    const item = items[at];
    at += 1;
    if (item === undefined && layout.optional.includes(name)) continue;
    const parsed = read(item);
    if (parsed === undefined) return { kind: "malformed", type: layout.name, seq };
    message[name] = parsed;
  }
  return { kind: "message", message: message as unknown as Message };
}

/** The model's address of the property that a READ, WRITE or REPORT names. */
export function addressOf({ service, index, property }: WireAddress): PropertyAddress {
  return { service, index: String(index), property };
}

/** The wire's address of a property of the device at a place. */
export function wireAddress(device: number, { service, index, property }: PropertyAddress): WireAddress {
  return { device, service, index: Number(index), property };
}

/** The codes of ERROR: their names, and the API's error for a command that ends with one. DP4. */
export const ERROR_CODE = {
  unknownType: 1,
  malformed: 2,
  unknownDevice: 3,
  unknownService: 4,
  unknownProperty: 5,
  notReadable: 6,
  notWritable: 7,
  valueRefused: 8,
  busy: 9,
  hardwareFailure: 10,
  versionNotSupported: 11,
  notAdmitted: 12,
} as const;

/** The hub's interpretation of an ERROR that answers one of its requests. */
interface ErrorVerdict {
  /** The code in words, for logs and details. */
  readonly says: string;
  /** The API's error. */
  readonly name: ErrorName;
  readonly outcome: Outcome;
  /** Whether the hub's description of the device is outdated, so that it must ask for a new one. */
  readonly describeAfresh: boolean;
}

const row = (says: string, name: ErrorName, outcome: Outcome, describeAfresh = false): ErrorVerdict => ({
  says,
  name,
  outcome,
  describeAfresh,
});

const VERDICTS: ReadonlyMap<number, ErrorVerdict> = new Map([
  [ERROR_CODE.unknownType, row("unknown type", "Device Unreachable", "not_applied")],
  [ERROR_CODE.malformed, row("malformed", "Device Unreachable", "not_applied", true)],
  [ERROR_CODE.unknownDevice, row("unknown device", "Device Unreachable", "not_applied", true)],
  [ERROR_CODE.unknownService, row("unknown service", "Device Unreachable", "not_applied", true)],
  [ERROR_CODE.unknownProperty, row("unknown property", "Device Unreachable", "not_applied", true)],
  [ERROR_CODE.notReadable, row("not readable", "Device Rejected", "rejected")],
  [ERROR_CODE.notWritable, row("not writable", "Device Rejected", "rejected")],
  [ERROR_CODE.valueRefused, row("value rejected", "Device Rejected", "rejected")],
  [ERROR_CODE.busy, row("busy", "Device Unreachable", "not_applied")],
  [ERROR_CODE.hardwareFailure, row("hardware failure", "Device Unreachable", "unknown")],
  [ERROR_CODE.versionNotSupported, row("version not supported", "Device Unreachable", "unknown")],
  [ERROR_CODE.notAdmitted, row("not admitted", "Device Unreachable", "unknown")],
]);

/** The meaning of an ERROR code; an unknown code counts as a hardware failure. */
export function errorVerdict(code: number): ErrorVerdict {
  return VERDICTS.get(code) ?? row(`error ${code}`, "Device Unreachable", "unknown");
}
