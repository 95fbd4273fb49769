/**
 * An unparsed resource of a bridge's API (CLIP v2): an ID, a type, and fields that depend on the type. The fields are not validated; they
 * are read by path, each with its required type.
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

/** A resource, or its changed part. */
export const resource = z.looseObject({ id: text, type: text });

/** Envelope of every API answer. `errors` contains explanations whose wording is not part of the API. */
export const answer = z.looseObject({
  errors: z.array(z.looseObject({ description: z.string() })).default([]),
  data: z.array(z.unknown()).default([]),
});

/** A message of the event stream: changes that the bridge sends together. */
export const streamMessage = z
  .array(z.unknown())
  .max(1000)
  .pipe(z.array(z.looseObject({ type: z.string(), data: z.array(z.unknown()).max(1000).default([]) })));

/** Value at a path of members: `dimming.brightness`; undefined when there is none. */
export function fieldAt(of: unknown, path: string): unknown {
  return at(of, ...path.split("."));
}

export function numberAt(of: unknown, path: string): number | undefined {
  const value = fieldAt(of, path);
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** Whether the path exists, even if part of it is `null`: `dimming: null`. */
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

/** References in a list; invalid ones are left out. */
export function referencesAt(of: unknown, path: string): readonly Reference[] {
  const list = fieldAt(of, path);
  return (Array.isArray(list) ? list : []).flatMap((each) => referenceOf(each) ?? []);
}

/** A single reference: `owner`, `group`. */
export function referenceAt(of: unknown, path: string): Reference | undefined {
  return referenceOf(fieldAt(of, path));
}

function referenceOf(value: unknown): Reference | undefined {
  const rid = textAt(value, "rid");
  const rtype = textAt(value, "rtype");
  return rid === undefined || rtype === undefined ? undefined : { rid, rtype };
}
