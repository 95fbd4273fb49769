/** Entities of a fake device: what it says of them, how they are now, and what a command does to them. */
import { deriveObjectId } from "esphome-client";
import type { ApiMessage } from "./wire/frames.ts";
import type { EntityRef, EntityState, Trait } from "./wire/messages.ts";
import {
  bodyOf,
  type CommandSchema,
  type FieldSchema,
  type FieldValue,
  field,
  fieldValue,
  fixed32Of,
  type ListedSchema,
  protoFields,
  protoFlag,
  protoNumber,
  schemaOf,
} from "./wire/protobuf.ts";

export interface FakeEntity extends EntityRef {
  readonly name: string;
  readonly traits: Readonly<Record<string, Trait>>;
  /** Undefined for one that has no state, as a button or an event. */
  state: EntityState | undefined;
}

export interface SeenCommand {
  readonly entity: FakeEntity;
  readonly options: Readonly<Record<string, FieldValue>>;
}

/** As the firmware numbers it: entities of different types with one name have one number. */
function keyOf(name: string): number {
  let hash = 2_166_136_261;
  for (const byte of Buffer.from(deriveObjectId(name))) hash = (Math.imul(hash, 16_777_619) ^ byte) >>> 0;
  return hash;
}

export function fakeEntity(
  type: string,
  name: string,
  state?: EntityState,
  traits: FakeEntity["traits"] = {},
  deviceId = 0,
): FakeEntity {
  return { type, name, key: keyOf(name), deviceId, traits, state };
}

/** @param withObjectId as firmware before 2026.1 says it */
export function listing(entity: FakeEntity, withObjectId: boolean): ApiMessage {
  const schema = schemaOf(entity.type)?.listEntities;
  if (!schema) throw new Error(`no such type: ${entity.type}`);
  const several = schema.repeatedFields ?? {};
  const flags = flagsOf(entity, schema);
  const fields = Object.entries(entity.traits).flatMap(([name, value]) => {
    if (Array.isArray(value)) return value.map((each) => written(several[name], name, each));
    return flags.names.has(name) ? [] : [written(schema.fields[name], name, value as FieldValue)];
  });
  const ofDevice = entity.deviceId === 0 ? [] : [field(schema.deviceIdFieldNumber, "varint", entity.deviceId)];
  const objectId = withObjectId ? [field(schema.objectIdFieldNumber, "string", deriveObjectId(entity.name))] : [];
  const body = bodyOf([
    ...objectId,
    field(schema.keyFieldNumber ?? 2, "fixed32", entity.key),
    field(schema.nameFieldNumber, "string", entity.name),
    ...fields,
    ...flags.fields,
    ...ofDevice,
  ]);
  return { type: schema.messageType, body };
}

/** Flags that stand together in one number, as newer firmware has them. */
function flagsOf({ traits }: FakeEntity, { packedBitsFields = {} }: ListedSchema) {
  const names = new Set<string>();
  const fields = Object.values(packedBitsFields).map(({ fieldNumber, bits }) => {
    const set = Object.entries(bits).filter(([name]) => traits[name] === true);
    for (const [name] of set) names.add(name);
    const sum = set.reduce((flags, [, bit]) => flags | (typeof bit === "number" ? bit : bit.bit), 0);
    return field(fieldNumber, "varint", sum);
  });
  return { names, fields };
}

/** What proto3 leaves out is left out: zeros, false and empty words. */
export function telling(entity: FakeEntity, state: EntityState): ApiMessage {
  const schema = schemaOf(entity.type)?.state;
  if (!schema) throw new Error(`no such type: ${entity.type}`);
  const stated = Object.entries(state).filter(([, value]) => value !== false && value !== 0 && value !== "");
  const fields = stated.map(([name, value]) => written(schema.fields[name], name, value));
  const ofDevice = entity.deviceId === 0 ? [] : [field(schema.deviceIdFieldNumber, "varint", entity.deviceId)];
  const body = bodyOf([field(schema.keyFieldNumber ?? 1, "fixed32", entity.key), ...fields, ...ofDevice]);
  return { type: schema.messageType, body };
}

/** Undefined when it is a command of none of them. */
export function commandIn({ type, body }: ApiMessage, entities: readonly FakeEntity[]): SeenCommand | undefined {
  const fields = protoFields(body);
  for (const entity of fields ? entities : []) {
    const schema = schemaOf(entity.type)?.command;
    if (!schema || schema.messageType !== type || !fields) continue;
    const isIt =
      fixed32Of(fields, schema.keyFieldNumber ?? 1) === entity.key &&
      protoNumber(fields, schema.deviceIdFieldNumber) === entity.deviceId;
    if (isIt) return { entity, options: optionsIn(fields, schema) };
  }
  return undefined;
}

/** How the entity is after a command, as firmware has it. */
export function stateAfter({ entity, options }: SeenCommand): EntityState | undefined {
  const { state, type } = entity;
  if (!state) return undefined;
  if (type === "lock") return { state: options.command === 1 ? 1 : 2 };
  if (type === "alarm_control_panel") return { state: [0, 2, 1, 3, 4, 5][Number(options.command)] ?? 0 };
  if (type === "media_player") return player(state, options);
  const reported = schemaOf(type)?.state.fields ?? {};
  const kept = Object.entries(options).filter(([name]) => Object.hasOwn(reported, name));
  return { ...state, ...Object.fromEntries(kept), ...(type === "light" ? mixed(entity, options) : {}) };
}

/** A lamp of cold and warm white has its colour temperature by how they are mixed. */
function mixed({ traits }: FakeEntity, { colorMode, colorTemperature }: SeenCommand["options"]): EntityState {
  if (colorMode !== 19 || typeof colorTemperature !== "number") return {};
  const [least, most] = [Number(traits.minMireds), Number(traits.maxMireds)];
  const warmWhite = Math.min(1, Math.max(0, (colorTemperature - least) / (most - least)));
  return { warmWhite, coldWhite: 1 - warmWhite };
}

function player(state: EntityState, { command, volume }: SeenCommand["options"]): EntityState {
  if (volume !== undefined) return { ...state, volume };
  if (command === 3 || command === 4) return { ...state, muted: command === 3 };
  return { ...state, state: [2, 3, 1][Number(command)] ?? 1 };
}

function optionsIn(fields: NonNullable<ReturnType<typeof protoFields>>, schema: CommandSchema) {
  const plain = Object.entries(schema.fields)
    .filter(([, { fieldNumber }]) => fields[fieldNumber] !== undefined)
    .map(([name, each]) => [name, fieldValue(fields, each)] as const);
  const pairs = Object.entries(schema.hasPatternFields)
    .filter(([, { hasFieldNumber }]) => protoFlag(fields, hasFieldNumber))
    .map(([name, each]) => [name, fieldValue(fields, { ...each, fieldNumber: each.valueFieldNumber })] as const);
  // What is false or zero is not on the wire, and is meant all the same where there is nothing else.
  const missing = Object.entries(schema.fields).filter(([name]) => name === "state" || name === "command");
  const meant = missing.map(([name, each]) => [name, fieldValue(fields, each)] as const);
  return Object.fromEntries<FieldValue>([...meant, ...plain, ...pairs]);
}

function written(schema: FieldSchema | undefined, name: string, value: FieldValue) {
  if (!schema) throw new Error(`no such field: ${name}`);
  return field(schema.fieldNumber, schema.valueType, value);
}
