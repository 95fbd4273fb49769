/** The tables of esphome-client that say which field of which message is what, as this driver reads them. */
import { ENTITY_SCHEMAS } from "esphome-client";

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
  /** 0: it has none. */
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

export interface EntitySchema {
  readonly type: string;
  readonly listEntities: ListedSchema;
  readonly state: MessageSchema;
  readonly command?: CommandSchema;
}

const ALL: readonly EntitySchema[] = Object.values(ENTITY_SCHEMAS as unknown as Record<string, EntitySchema>);
const BY_TYPE = new Map(ALL.map((schema) => [schema.type, schema]));
const BY_LISTED = new Map(ALL.map((schema) => [schema.listEntities.messageType, schema]));
/** Infrared and radio share a message that is no state of any entity here. */
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

/** @param messageType of a message that says an entity's state */
export function schemaToldBy(messageType: number): EntitySchema | undefined {
  return BY_STATE.get(messageType);
}
