/**
 * Which entity of a device is which, also when its message comes on another topic: the key by which its addresses are kept. Pure.
 *
 * An entity is known by its `unique_id`. Several entities of a device can have the same one, so that the topic of the description belongs
 * to the key as well. An entity on a new topic is the one that has gone from another topic if no third one has had their `unique_id`.
 */
import { createHash } from "node:crypto";
import type { DescribedEntity } from "../discovery/described-entity.ts";

export interface EntityName {
  /** By which the device knows it; undefined when it says none. */
  readonly own: string | undefined;
  /** Where it is described. */
  readonly at: string;
}

export interface EntityKeys {
  /** In the order of the names. */
  readonly keys: readonly string[];
  /** Kept keys, each with the one that the same entity has now. */
  readonly renamed: ReadonlyMap<string, string>;
}

/** What stands for the `unique_id` in the key of an entity without one. */
const NONE = "-";

export function nameOfEntity({ component, options, id }: DescribedEntity): EntityName {
  const unique = options.get("unique_id");
  const isSaid = (typeof unique === "string" && unique !== "") || typeof unique === "number";
  return { own: isSaid ? `${component} ${unique}` : undefined, at: id };
}

/** @param kept the keys that the device's entities have had */
export function entityKeys(names: readonly EntityName[], kept: ReadonlySet<string>): EntityKeys {
  const keys = names.map(keyOf);
  const present = new Set(keys);
  const fresh = names.filter((_, at) => !kept.has(keys[at] ?? ""));
  const renamed = new Map<string, string>();
  for (const name of fresh) {
    const before = name.own === undefined ? undefined : (earlierKey(name, kept) ?? keyOf({ ...name, own: undefined }));
    const isAlone = fresh.filter(({ own }) => own === name.own).length === 1;
    if (isAlone && before !== undefined && kept.has(before) && !present.has(before)) renamed.set(before, keyOf(name));
  }
  return { keys, renamed };
}

/** The kept key of the only entity that has had that `unique_id`. */
function earlierKey({ own }: EntityName, kept: ReadonlySet<string>): string | undefined {
  const ofOwn = [...kept].filter((key) => key.startsWith(`${ownPart(own)}.`));
  return ofOwn.length === 1 ? ofOwn[0] : undefined;
}

/** Short, whatever the length of the IDs: a driver's store is small. */
function keyOf({ own, at }: EntityName): string {
  return `${ownPart(own)}.${digest(at)}`;
}

function ownPart(own: string | undefined): string {
  return own === undefined ? NONE : digest(own);
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 11);
}
