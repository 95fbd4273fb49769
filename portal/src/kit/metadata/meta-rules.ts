/** What metadata may be, said before it is sent; the service judges the same, and has the last word. */
import { JsonFault, readJson } from "./json-text.ts";
import { type Fields, isFields } from "./merge.ts";

/** Keys that begin so are system metadata. */
export const SYSTEM_PREFIX = "$.";
/** As the service serialises it, bytes. */
const MOST_BYTES = 64 * 1024;
const MOST_LEVELS = 32;

/** What the service says of a physical device by itself: a client's value for it is ignored. */
export const KEPT_OF_DEVICES: readonly string[] = [
  "manufacturer",
  "model",
  "firmware",
  "serial",
  "transport",
  "hub",
].map((name) => `${SYSTEM_PREFIX}${name}`);

export type ReadMeta =
  | { readonly meta: Fields; readonly bytes: number; readonly fault?: undefined }
  | { readonly fault: string; readonly meta?: undefined };

/** Metadata out of what was typed, or what is wrong with it and where. */
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

/** How much of the room there is taken: "1,204 of 65,536 bytes". */
export function sizeOf(bytes: number): string {
  return `${count(bytes)} of ${count(MOST_BYTES)} bytes`;
}

function count(n: number): string {
  return n.toLocaleString("en");
}

/** What must be edited, apart from what the service keeps by itself. */
export function partsOf(meta: Fields, kept: readonly string[]): { readonly edited: Fields; readonly kept: Fields } {
  const entries = Object.entries(meta);
  return {
    edited: Object.fromEntries(entries.filter(([key]) => !kept.includes(key))),
    kept: Object.fromEntries(entries.filter(([key]) => kept.includes(key))),
  };
}
