/** `meta`, as clients read and write it under their prefix, and as it is stored once for all prefixes (A1.2). */
import { NamedError } from "../kernel/index.ts";
import { storableJson } from "../model/index.ts";

export type JsonObject = { [key: string]: unknown };

export const DEFAULT_META_PREFIX = "$.";
/** Stored text of an object without metadata. */
export const EMPTY_META = "{}";
/** Largest `meta`, bytes of its JSON. */
const MAX_BYTES = 64 * 1024;
/** Deepest `meta`, levels; `{}` is one. */
const MAX_LEVELS = 32;
/** System metadata of physical devices that clients cannot write; a client's `name` replaces the device's. */
const MAINTAINED = new Set(["manufacturer", "model", "firmware", "serial", "transport", "hub"]);
const PREFIX = /^[\x20-\x7e]{1,16}$/;

/** Stored metadata: system keys under their bare names, apart from the clients' own keys, so that neither depends on a prefix. */
interface Stored {
  readonly system: JsonObject;
  readonly own: JsonObject;
}

/** The prefix that a request names. @throws "Metadata Prefix Invalid" */
export function readMetaPrefix(header: string | string[] | undefined): string {
  if (header === undefined) return DEFAULT_META_PREFIX;
  if (typeof header !== "string" || !PREFIX.test(header) || /["']/.test(header))
    throw new NamedError("Metadata Prefix Invalid");
  return header;
}

/**
 * `meta` for a reader.
 * @param stored text of the column
 * @param maintained metadata that the service maintains for a physical device, under bare names; undefined for any other object
 */
export function showMeta(stored: string, prefix: string, maintained?: Readonly<JsonObject>): JsonObject {
  const shown = dictionary();
  if (stored === EMPTY_META && !maintained) return shown;
  const { system, own } = parse(stored);
  for (const key of Object.keys(own)) if (!key.startsWith(prefix)) shown[key] = own[key];
  for (const key of Object.keys(system)) shown[prefix + key] = system[key];
  if (maintained) {
    for (const key of Object.keys(maintained)) {
      if (maintained[key] === undefined || (key === "name" && Object.hasOwn(system, "name"))) continue;
      shown[prefix + key] = maintained[key];
    }
  }
  return shown;
}

/**
 * The text to store when a client writes `meta`: replaces everything visible under its prefix and keeps the rest. null counts as an
 * empty object.
 * @param stored text of the column so far
 * @throws "Metadata Format Invalid"
 */
export function replaceMeta(stored: string, given: unknown, prefix: string, maintained?: Readonly<JsonObject>): string {
  if (given === null) return replaceMeta(stored, {}, prefix, maintained);
  if (typeof given !== "object" || Array.isArray(given)) throw invalid("`meta` must be a JSON object.");
  if (levels(given) > MAX_LEVELS) throw invalid(`\`meta\` has more than ${MAX_LEVELS} levels.`);
  if (Buffer.byteLength(JSON.stringify(given)) > MAX_BYTES) throw tooLarge();
  const before = parse(stored);
  const own = dictionary();
  const system = dictionary();
  for (const key of Object.keys(before.own)) if (key.startsWith(prefix)) own[key] = before.own[key];
  for (const [key, value] of Object.entries(given)) {
    if (!key.startsWith(prefix)) own[key] = value;
    else {
      const name = key.slice(prefix.length);
      if (name === "") throw invalid(`A key of \`meta\` consists of nothing but the prefix \`${prefix}\`.`);
      if (!maintained || isClients(name, value, before.system, maintained)) system[name] = value;
    }
  }
  return serialise({ system, own });
}

/**
 * Whether to store a client's value for a system key of a physical device: a client may write back what it read, without taking over
 * maintained values.
 */
function isClients(name: string, value: unknown, before: JsonObject, maintained: Readonly<JsonObject>): boolean {
  if (name === "name") return Object.hasOwn(before, "name") || value !== maintained.name;
  return !MAINTAINED.has(name);
}

function parse(stored: string): Stored {
  if (stored === EMPTY_META) return { system: {}, own: {} };
  // `serialise()` wrote the column, perhaps in a release that accepted U+0000.
  const { s = {}, o = {} } = JSON.parse(storableJson(stored)) as { s?: JsonObject; o?: JsonObject };
  return { system: s, own: o };
}

function serialise({ system, own }: Stored): string {
  const hasSystem = Object.keys(system).length > 0;
  const hasOwn = Object.keys(own).length > 0;
  const text = JSON.stringify({ ...(hasSystem && { s: system }), ...(hasOwn && { o: own }) });
  // Count the keys under other prefixes too, or a client could fill the store prefix after prefix.
  if (Buffer.byteLength(text) > MAX_BYTES + 64) throw tooLarge();
  return text;
}

/** An object in which every string, including `__proto__`, is a plain key. */
function dictionary(): JsonObject {
  return Object.create(null);
}

/** Depth of a JSON value, without recursion: a body can be nested deeper than the stack. */
function levels(value: object): number {
  let depth = 0;
  let level: object[] = [value];
  while (level.length > 0 && depth <= MAX_LEVELS) {
    depth += 1;
    level = level
      .flatMap((outer) => Object.values(outer))
      .filter((inner) => typeof inner === "object" && inner !== null);
  }
  return depth;
}

function invalid(detail: string): NamedError {
  return new NamedError("Metadata Format Invalid", detail);
}

function tooLarge(): NamedError {
  return invalid(`\`meta\` is larger than ${MAX_BYTES} bytes.`);
}
