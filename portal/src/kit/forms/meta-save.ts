/** Saves metadata without overwriting concurrent changes: writes over the known version only, and otherwise merges both. */
import { type ChangeOptions, type Meta, retryOnConflict, type Tagged } from "@porchlight/sdk";
import { JsonFault, readJson } from "./json-text.ts";
import { type Choose, type Conflict, type Fields, isFields, merge } from "./merge.ts";

/** The SDK methods that the editor needs; every kind of object with metadata has them. */
export interface MetaSource {
  getTagged(id: string): Promise<Tagged<{ readonly meta: Fields }>>;
  update(id: string, body: { readonly meta: Meta }, options: ChangeOptions): Promise<string>;
}

/** Metadata with the entity tag of its version. */
export interface KnownMeta {
  readonly meta: Fields;
  readonly etag: string;
}

export type SaveResult =
  /** `isMerged`: another client had changed it as well. */
  | { readonly kind: "saved"; readonly known: KnownMeta; readonly isMerged: boolean }
  | { readonly kind: "conflicts"; readonly conflicts: readonly Conflict[]; readonly theirs: KnownMeta };

interface MetaChange {
  /** The version that the change is based on. */
  readonly base: KnownMeta;
  readonly mine: Fields;
  /** Keys that the service maintains itself; they are neither sent nor compared. */
  readonly kept: readonly string[];
  /** The latest known version, when it is newer than `base`. */
  readonly theirs?: KnownMeta | undefined;
  readonly choose?: Choose | undefined;
}

export async function readMetaOf(source: MetaSource, id: string): Promise<KnownMeta> {
  const { value, etag } = await source.getTagged(id);
  return { meta: value.meta, etag };
}

/** @throws PorchlightError */
export async function saveMeta(source: MetaSource, id: string, change: MetaChange): Promise<SaveResult> {
  const { base, mine, kept, choose } = change;
  let known = change.theirs ?? base;
  const edited = (meta: Fields) => partsOf(meta, kept).edited;
  return retryOnConflict<SaveResult>(async (isAgain) => {
    if (isAgain) known = await readMetaOf(source, id);
    const { value, conflicts } = merge(edited(base.meta), mine, edited(known.meta), choose);
    if (conflicts.length > 0) return { kind: "conflicts", conflicts, theirs: known };
    const etag = await source.update(id, { meta: value }, { ifMatch: known.etag });
    const meta = { ...partsOf(known.meta, kept).kept, ...value };
    return { kind: "saved", known: { meta, etag }, isMerged: known !== base };
  });
}

/** Prefix of system metadata keys. */
export const SYSTEM_PREFIX = "$.";
/** Maximum size as serialized by the service, in bytes. */
const MOST_BYTES = 64 * 1024;
const MOST_LEVELS = 32;

/** System metadata of a physical device that the service maintains itself: it ignores a client's value. */
export const KEPT_OF_DEVICES: readonly string[] = [
  "manufacturer",
  "model",
  "firmware",
  "serial",
  "transport",
  "hub",
].map((name) => `${SYSTEM_PREFIX}${name}`);

type ReadMeta =
  | { readonly meta: Fields; readonly bytes: number; readonly fault?: undefined }
  | { readonly fault: string; readonly meta?: undefined };

/**
 * Parses typed metadata, or reports the fault and its position. It applies the service's rules before sending; the service's own check is
 * decisive.
 */
export function readMeta(text: string): ReadMeta {
  const meta = read(text);
  if (meta instanceof JsonFault) return { fault: `Line ${meta.line}: ${meta.message}` };
  if (!isFields(meta)) return { fault: "Metadata must be a JSON object: { … }." };
  if (Object.hasOwn(meta, SYSTEM_PREFIX))
    return { fault: `A key is only the prefix "${SYSTEM_PREFIX}". Add a name after it.` };
  const bytes = new TextEncoder().encode(JSON.stringify(meta)).length;
  if (bytes > MOST_BYTES)
    return { fault: `This is ${count(bytes)} bytes. Metadata can have at most ${count(MOST_BYTES)} bytes.` };
  return { meta, bytes };
}

function read(text: string): unknown {
  try {
    return readJson(text, MOST_LEVELS);
  } catch (error) {
    if (error instanceof JsonFault) return error;
    throw error;
  }
}

/** The used space: "1,204 of 65,536 bytes". */
export function sizeOf(bytes: number): string {
  return `${count(bytes)} of ${count(MOST_BYTES)} bytes`;
}

function count(n: number): string {
  return n.toLocaleString("en");
}

/** Splits metadata into the part to edit and the part that the service maintains itself. */
export function partsOf(meta: Fields, kept: readonly string[]): { readonly edited: Fields; readonly kept: Fields } {
  const entries = Object.entries(meta);
  return {
    edited: Object.fromEntries(entries.filter(([key]) => !kept.includes(key))),
    kept: Object.fromEntries(entries.filter(([key]) => kept.includes(key))),
  };
}
