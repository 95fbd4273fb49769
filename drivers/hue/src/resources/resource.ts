/**
 * A resource of a bridge's API (CLIP v2) as it came: an id, a type, and fields that depend on the type. Nothing of the fields is known to
 * make sense; they are read by path, each with the type that it must have.
 */
import { at, isRecord } from "@porchlight/driver-kit";
import { z } from "zod";

export interface Reference {
  readonly rid: string;
  readonly rtype: string;
}

export interface Resource {
  readonly id: string;
  readonly type: string;
  readonly [field: string]: unknown;
}

const text = z.string().min(1).max(128);

/** A resource, or the part of one that has changed. */
export const resource = z.looseObject({ id: text, type: text });

/** What every answer of the API is. `errors` explain in words; their wording is not part of the API. */
export const answer = z.looseObject({
  errors: z.array(z.looseObject({ description: z.string() })).default([]),
  data: z.array(z.unknown()).default([]),
});

/** A message of the event stream: changes that the bridge tells together. */
export const streamMessage = z
  .array(z.unknown())
  .max(1000)
  .pipe(z.array(z.looseObject({ type: z.string(), data: z.array(z.unknown()).max(1000).default([]) })));

/** What stands at a path of members: `dimming.brightness`; undefined when nothing does. */
export function fieldAt(of: unknown, path: string): unknown {
  return at(of, ...path.split("."));
}

export function numberAt(of: unknown, path: string): number | undefined {
  const value = fieldAt(of, path);
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** Whether something stands at a path, also where a spelling of nothing stands for a part of it: `dimming: null`. */
export function names(of: unknown, path: string): boolean {
  let found = of;
  for (const member of path.split(".")) {
    if (!isRecord(found)) return true;
    if (!Object.hasOwn(found, member)) return false;
    found = found[member];
  }
  return true;
}

export function textAt(of: unknown, path: string): string | undefined {
  const value = fieldAt(of, path);
  return typeof value === "string" ? value : undefined;
}

/** The references in a list; what is no reference is left out. */
export function referencesAt(of: unknown, path: string): readonly Reference[] {
  const list = fieldAt(of, path);
  return (Array.isArray(list) ? list : []).flatMap((each) => referenceOf(each) ?? []);
}

/** A reference that stands by itself: `owner`, `group`. */
export function referenceAt(of: unknown, path: string): Reference | undefined {
  return referenceOf(fieldAt(of, path));
}

function referenceOf(value: unknown): Reference | undefined {
  const rid = textAt(value, "rid");
  const rtype = textAt(value, "rtype");
  return rid === undefined || rtype === undefined ? undefined : { rid, rtype };
}
