/** Encodes and decodes the messages of ESPHome's native API that the hub uses. */
import { deriveObjectId, MessageType } from "esphome-client";
import type { ApiMessage } from "./frames.ts";
import {
  bodyOf,
  type Fields,
  type FieldValue,
  field,
  fieldValue,
  fieldValues,
  fixed32Of,
  protoFields,
  protoFlag,
  protoNumber,
  protoText,
  schemaListedBy,
  schemaOf,
  schemaOfState,
} from "./protobuf.ts";

/** Information about a device (DeviceInfoResponse). */
export interface EspHomeInfo {
  readonly name: string;
  readonly friendlyName: string;
  /** In the form sent: `AC:BC:32:89:0E:A9`. */
  readonly mac: string;
  readonly version: string;
  readonly model: string;
  readonly manufacturer: string;
  readonly projectName: string;
  readonly projectVersion: string;
  readonly hasDeepSleep: boolean;
  /** Names of its parts (sub-devices), by ID. */
  readonly parts: ReadonlyMap<number, string>;
}

/** Identifies an entity on the wire: a key is unique within its type and part of the device. */
export interface EntityRef {
  readonly type: string;
  readonly key: number;
  /** 0 for the device itself. */
  readonly deviceId: number;
}

/** Trait of an entity: a number, word or flag, or a list of them. */
export type Trait = FieldValue | readonly FieldValue[];

export interface EspHomeEntity extends EntityRef {
  /** Derived from the name, by the firmware or else by the driver; empty when the entity has no name of its own. */
  readonly objectId: string;
  readonly name: string;
  readonly traits: Readonly<Record<string, Trait>>;
}

export type EntityState = Readonly<Record<string, FieldValue>>;

/** State of an entity, as the device reported it. */
export interface ReportedState extends EntityRef {
  readonly state: EntityState;
}

/** Fields that a command sets, by the names of esphome-client: `{state: true}`. */
export type CommandOptions = Readonly<Record<string, FieldValue>>;

/** Longest name of a device or an entity, characters. */
const LONGEST_NAME = 128;
/** Field number of a device's parts, and the maximum of them. */
const SUB_DEVICES = 20;
const MOST_PARTS = 64;
/** Maximum words in one list of an entity. */
const MOST_WORDS = 100;
export const API_MAJOR = 1;
const API_MINOR = 14;
const EMPTY = Buffer.alloc(0);

export const empty = (type: number): ApiMessage => ({ type, body: EMPTY });

export function helloRequest(clientName: string): ApiMessage {
  const body = bodyOf([field(1, "string", clientName), field(2, "varint", API_MAJOR), field(3, "varint", API_MINOR)]);
  return { type: MessageType.HELLO_REQUEST, body };
}

/** Undefined when it is not valid. */
export function helloOf(body: Buffer): { major: number; minor: number } | undefined {
  const fields = protoFields(body);
  return fields && { major: protoNumber(fields, 1), minor: protoNumber(fields, 2) };
}

/** Whether the device requires a password (ConnectResponse). */
export function isPasswordWrong(body: Buffer): boolean {
  const fields = protoFields(body);
  return fields === undefined || protoFlag(fields, 1);
}

export function timeResponse(now: number): ApiMessage {
  return { type: MessageType.GET_TIME_RESPONSE, body: bodyOf([field(1, "fixed32", Math.floor(now / 1000))]) };
}

export function deviceInfoOf(body: Buffer): EspHomeInfo | undefined {
  const fields = protoFields(body);
  if (!fields) return undefined;
  const text = (number: number) => protoText(fields, number, LONGEST_NAME);
  return {
    ...{ name: text(2), mac: text(3), version: text(4), model: text(6), projectName: text(8) },
    ...{ projectVersion: text(9), manufacturer: text(12), friendlyName: text(13) },
    hasDeepSleep: protoFlag(fields, 7),
    parts: new Map((fields[SUB_DEVICES] ?? []).slice(0, MOST_PARTS).flatMap(partOf)),
  };
}

function partOf(bytes: number | Buffer): (readonly [number, string])[] {
  const fields = Buffer.isBuffer(bytes) ? protoFields(bytes) : undefined;
  return fields ? [[protoNumber(fields, 1), protoText(fields, 2, LONGEST_NAME)]] : [];
}

/** Undefined when it is not an entity. */
export function entityOf({ type, body }: ApiMessage): EspHomeEntity | undefined {
  const schema = schemaListedBy(type);
  const fields = schema && protoFields(body);
  if (!schema || !fields) return undefined;
  const listed = schema.listEntities;
  const key = fixed32Of(fields, listed.keyFieldNumber ?? 2);
  const name = protoText(fields, listed.nameFieldNumber, LONGEST_NAME);
  const given = protoText(fields, listed.objectIdFieldNumber, LONGEST_NAME);
  const objectId = given === "" ? deriveObjectId(name) : given;
  if (key === undefined) return undefined;
  const single = Object.entries(listed.fields).map(([trait, each]) => [trait, fieldValue(fields, each)] as const);
  const several = Object.entries(listed.repeatedFields ?? {}).map(
    ([trait, each]) => [trait, fieldValues(fields, each, MOST_WORDS)] as const,
  );
  const traits = Object.fromEntries<Trait>([...single, ...several, ...bitsOf(fields, listed.packedBitsFields)]);
  const deviceId = deviceIdOf(fields, listed.deviceIdFieldNumber);
  return { type: schema.type, key, deviceId, objectId, name, traits };
}

/** Bits that are set; an unset bit is left out, because older firmware has a field in its place. */
function bitsOf(
  fields: Fields,
  packed: Readonly<
    Record<string, { fieldNumber: number; bits: Readonly<Record<string, { bit: number } | number>> }>
  > = {},
): (readonly [string, boolean])[] {
  return Object.values(packed).flatMap(({ fieldNumber, bits }) => {
    const flags = protoNumber(fields, fieldNumber);
    const isSet = (bit: { bit: number } | number) => (flags & (typeof bit === "number" ? bit : bit.bit)) !== 0;
    return Object.entries(bits).flatMap(([name, bit]) => (isSet(bit) ? [[name, true] as const] : []));
  });
}

/** Undefined when it is not the state of an entity. */
export function reportedStateOf({ type, body }: ApiMessage): ReportedState | undefined {
  const schema = schemaOfState(type);
  const fields = schema && protoFields(body);
  if (!schema || !fields) return undefined;
  const reported = schema.state;
  const key = fixed32Of(fields, reported.keyFieldNumber ?? 1);
  if (key === undefined) return undefined;
  const state = Object.fromEntries(
    Object.entries(reported.fields).map(([name, each]) => [name, fieldValue(fields, each)]),
  );
  return { type: schema.type, key, deviceId: deviceIdOf(fields, reported.deviceIdFieldNumber), state };
}

/** @throws Error for an entity without commands, or without a command of that name: a programming error */
export function commandMessage({ type, key, deviceId }: EntityRef, options: CommandOptions): ApiMessage {
  const schema = schemaOf(type)?.command;
  if (!schema) throw new Error(`a ${type} takes no command`);
  const set = Object.entries(options).flatMap(([name, value]) => {
    const plain = schema.fields[name];
    if (plain) return [field(plain.fieldNumber, plain.valueType, value)];
    const pair = schema.hasPatternFields[name];
    if (!pair) throw new Error(`a ${type} has no ${name} to set`);
    return [field(pair.hasFieldNumber, "bool", true), field(pair.valueFieldNumber, pair.valueType, value)];
  });
  const ofDevice = deviceId === 0 ? [] : [field(schema.deviceIdFieldNumber, "varint", deviceId)];
  const body = bodyOf([field(schema.keyFieldNumber ?? 1, "fixed32", key), ...set, ...ofDevice]);
  return { type: schema.messageType, body };
}

function deviceIdOf(fields: Fields, fieldNumber: number): number {
  return fieldNumber === 0 ? 0 : protoNumber(fields, fieldNumber);
}
