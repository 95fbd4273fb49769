/**
 * Reads and writes protobuf by esphome-client's codec, with limits: an invalid message is rejected, and a missing field has its type's
 * empty value, as in proto3.
 */
import { decodeProtobuf, ENTITY_SCHEMAS, encodeProtoFields, readVarint, WireType } from "esphome-client";

/** Fields of a message, by number. */
export type Fields = Readonly<Record<number, readonly (number | Buffer)[]>>;
export type FieldValue = string | number | boolean;
type ProtoField = Parameters<typeof encodeProtoFields>[0][number];

/** Maximum fields of a message. */
const MOST_FIELDS = 2048;
/** Maximum numbers in one packed field. */
const MOST_NUMBERS = 256;
const UNBOUNDED_TEXT = 4096;

/** Undefined when the bytes are not a valid message. */
export function protoFields(body: Buffer): Fields | undefined {
  try {
    return decodeProtobuf(body, { maxFieldsPerMessage: MOST_FIELDS }) as Fields;
  } catch {
    return undefined;
  }
}

export function protoNumber(fields: Fields, field: number): number {
  const value = fields[field]?.[0];
  return typeof value === "number" ? value : 0;
}

/** A 32-bit number: the key of an entity. */
export function fixed32Of(fields: Fields, field: number): number | undefined {
  const value = fields[field]?.[0];
  if (typeof value === "number") return value;
  return value?.length === 4 ? value.readUInt32LE(0) : undefined;
}

export function protoFlag(fields: Fields, field: number): boolean {
  return protoNumber(fields, field) !== 0;
}

/** Truncated to `longest` characters. */
export function protoText(fields: Fields, field: number, longest = UNBOUNDED_TEXT): string {
  const value = fields[field]?.[0];
  return Buffer.isBuffer(value) ? value.toString("utf8").slice(0, longest) : "";
}

/** One field, converted to its type. */
export function fieldValue(fields: Fields, { fieldNumber, valueType }: FieldSchema): FieldValue {
  switch (valueType) {
    case "bool":
      return protoFlag(fields, fieldNumber);
    case "string":
      return protoText(fields, fieldNumber);
    case "float":
      return floatOf(fields[fieldNumber]?.[0]);
    case "fixed32":
      return fixed32Of(fields, fieldNumber) ?? 0;
    default:
      return protoNumber(fields, fieldNumber);
  }
}

/** A repeated field. */
export function fieldValues(fields: Fields, schema: FieldSchema, most: number): FieldValue[] {
  const found = fields[schema.fieldNumber] ?? [];
  const single = (each: number | Buffer) => fieldValue({ [schema.fieldNumber]: [each] }, schema);
  const isNumber = schema.valueType === "enum" || schema.valueType === "varint";
  return found
    .flatMap((each) => (isNumber && Buffer.isBuffer(each) ? packed(each) : [each]))
    .slice(0, most)
    .map(single);
}

/** Encodes a field; types without an encoding of their own are sent as plain numbers. */
export function field(fieldNumber: number, valueType: FieldSchema["valueType"], value: FieldValue): ProtoField {
  switch (valueType) {
    case "string":
      return { fieldNumber, wireType: WireType.LENGTH_DELIMITED, value: Buffer.from(String(value)) };
    case "float": {
      const bytes = Buffer.alloc(4);
      bytes.writeFloatLE(Number(value));
      return { fieldNumber, wireType: WireType.FIXED32, value: bytes };
    }
    case "fixed32":
      return { fieldNumber, wireType: WireType.FIXED32, value: Number(value) };
    default:
      return { fieldNumber, wireType: WireType.VARINT, value: Number(value) };
  }
}

export function bodyOf(fields: readonly ProtoField[]): Buffer {
  return encodeProtoFields(fields);
}

/** Removes the rounding error of 32-bit floats; NaN stays. */
function floatOf(value: number | Buffer | undefined): number {
  if (value === undefined) return 0;
  if (!Buffer.isBuffer(value) || value.length !== 4) return Number.NaN;
  const float = value.readFloatLE(0);
  return Number.isFinite(float) ? Number(float.toPrecision(7)) : Number.NaN;
}

function packed(bytes: Buffer): number[] {
  const numbers: number[] = [];
  try {
    for (let at = 0; at < bytes.length && numbers.length < MOST_NUMBERS; ) {
      const [value, size] = readVarint(bytes, at);
      numbers.push(value);
      at += size;
    }
  } catch {
    // The numbers before the damage count.
  }
  return numbers;
}

/** Types of esphome-client's tables of messages and fields, as far as this driver uses them. */
type ValueType = "bool" | "enum" | "fixed32" | "float" | "sint32" | "sint32-packed" | "string" | "varint";

export interface FieldSchema {
  readonly fieldNumber: number;
  readonly valueType: ValueType;
}

interface PackedBits {
  readonly fieldNumber: number;
  readonly bits: Readonly<Record<string, { readonly bit: number } | number>>;
}

interface MessageSchema {
  readonly messageType: number;
  readonly keyFieldNumber?: number;
  /** 0: the message has no such field. */
  readonly deviceIdFieldNumber: number;
  readonly fields: Readonly<Record<string, FieldSchema>>;
}

export interface ListedSchema extends MessageSchema {
  readonly nameFieldNumber: number;
  readonly objectIdFieldNumber: number;
  readonly repeatedFields?: Readonly<Record<string, FieldSchema>>;
  readonly packedBitsFields?: Readonly<Record<string, PackedBits>>;
}

export interface CommandSchema extends MessageSchema {
  readonly hasPatternFields: Readonly<
    Record<
      string,
      { readonly hasFieldNumber: number; readonly valueFieldNumber: number; readonly valueType: ValueType }
    >
  >;
}

interface EntitySchema {
  readonly type: string;
  readonly listEntities: ListedSchema;
  readonly state: MessageSchema;
  readonly command?: CommandSchema;
}

const ALL: readonly EntitySchema[] = Object.values(ENTITY_SCHEMAS as unknown as Record<string, EntitySchema>);
const BY_TYPE = new Map(ALL.map((schema) => [schema.type, schema]));
const BY_LISTED = new Map(ALL.map((schema) => [schema.listEntities.messageType, schema]));
/** Infrared and radio share a message, which is not the state of any entity here. */
const BY_STATE = new Map(
  ALL.filter(({ state }) => state.messageType !== 0).map((schema) => [schema.state.messageType, schema]),
);

export function schemaOf(entityType: string): EntitySchema | undefined {
  return BY_TYPE.get(entityType);
}

/** @param messageType of a message that lists an entity */
export function schemaListedBy(messageType: number): EntitySchema | undefined {
  return BY_LISTED.get(messageType);
}

/** @param messageType of a message with an entity's state */
export function schemaOfState(messageType: number): EntitySchema | undefined {
  return BY_STATE.get(messageType);
}
