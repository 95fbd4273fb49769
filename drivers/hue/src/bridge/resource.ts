/**
 * The resources of a bridge's API (CLIP v2): unparsed, with an ID, a type, and fields that depend on the type. All of a bridge are read as
 * a whole at first, then updated by the event stream.
 */
import { at, isRecord, type Work } from "@porchlight/driver-kit";
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
const resource = z.looseObject({ id: text, type: text });

/** Envelope of every API answer. `errors` contains explanations whose wording is not part of the API. */
export const answer = z.looseObject({
  errors: z.array(z.looseObject({ description: z.string() })).default([]),
  data: z.array(z.unknown()).default([]),
});

/** A message of the event stream: changes that the bridge sends together. */
const streamMessage = z
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

/** Maximum resources of a bridge: it supports 200 devices, each with up to ten. */
const MOST = 10_000;

/** Steps of work to parse a resource and merge it with the known one. */
const STEPS_OF_RESOURCE = 0.5;

/** Changes in a message of the event stream. */
export interface ResourceChanges {
  /** Unmerged and in order: only the changed fields. */
  readonly updates: readonly Resource[];
  /** Resources were added or removed: the devices must be described again. */
  readonly isOther: boolean;
}

/** Reason for dropping something, as counted in `status`. */
type LeftAside = "badResource" | "badEvent" | "tooManyResources";

export class ResourceSet {
  readonly #all = new Map<string, Resource>();
  /** Number of messages of the event stream about each resource. */
  readonly #reported = new Map<string, number>();
  readonly #leftAside: (why: LeftAside) => void;

  constructor(leftAside: (why: LeftAside) => void) {
    this.#leftAside = leftAside;
  }

  get(id: string): Resource | undefined {
    return this.#all.get(id);
  }

  /** Changes with each message of the event stream about the resource; an answer to an earlier request may be older. */
  versionOf(id: string): number {
    return this.#reported.get(id) ?? 0;
  }

  /** In the order of the bridge's list. */
  ofType(type: string): readonly Resource[] {
    return [...this.#all.values()].filter((each) => each.type === type);
  }

  /** Replaces all resources. */
  *replace(data: readonly unknown[]): Work {
    this.#all.clear();
    for (const each of data) {
      this.#put(each);
      yield STEPS_OF_RESOURCE;
    }
  }

  /** Takes a message of the event stream. @param json parsed */
  *take(json: unknown): Work<ResourceChanges> {
    const message = streamMessage.safeParse(json);
    if (!message.success) {
      this.#leftAside("badEvent");
      return { updates: [], isOther: false };
    }
    const updates: Resource[] = [];
    let isOther = false;
    for (const { type, data } of message.data) {
      for (const each of data) {
        const id = textAt(each, "id");
        if (id !== undefined && this.#all.has(id)) this.#reported.set(id, this.versionOf(id) + 1);
        if (type === "update") isOther = this.#update(each, updates) || isOther;
        else if (type === "add") isOther = this.#put(each) || isOther;
        else if (type === "delete") isOther = this.#delete(each) || isOther;
        // `error` is not about a resource, and other kinds are unknown.
        else this.#leftAside("badEvent");
        yield STEPS_OF_RESOURCE;
      }
    }
    return { updates, isOther };
  }

  /** Takes a single resource that was requested. */
  put(json: unknown): Resource | undefined {
    return this.#put(json) ? this.#all.get(String(Reflect.get(Object(json), "id"))) : undefined;
  }

  /** Returns true when the descriptions of devices may have changed. */
  #update(json: unknown, updates: Resource[]): boolean {
    const parsed = resource.safeParse(json);
    if (!parsed.success) {
      this.#leftAside("badResource");
      return false;
    }
    const known = this.#all.get(parsed.data.id);
    // An unknown resource is read with all others: see `isOther`.
    if (!known) return true;
    this.#all.set(known.id, merged(known, parsed.data));
    updates.push(parsed.data);
    return DESCRIBING.has(known.type);
  }

  #put(json: unknown): boolean {
    const parsed = resource.safeParse(json);
    if (!parsed.success) {
      this.#leftAside("badResource");
      return false;
    }
    const { id } = parsed.data;
    if (!this.#all.has(id) && this.#all.size >= MOST) {
      this.#leftAside("tooManyResources");
      return false;
    }
    this.#all.set(id, parsed.data);
    return true;
  }

  #delete(json: unknown): boolean {
    const parsed = resource.safeParse(json);
    if (parsed.success) {
      this.#reported.delete(parsed.data.id);
      return this.#all.delete(parsed.data.id);
    }
    this.#leftAside("badResource");
    return false;
  }
}

/** Types whose fields determine the name or composition of a device. */
const DESCRIBING: ReadonlySet<string> = new Set(["device", "room", "zone", "scene", "bridge"]);

/** Merges an update, which contains only the changed fields, and only the changed members of an object. */
function merged(known: Resource, update: Resource): Resource {
  const both = Object.entries(update).map(([field, value]) => {
    const before = known[field];
    return [field, isRecord(before) && isRecord(value) ? { ...withoutOvertaken(before, value), ...value } : value];
  });
  return { ...known, ...Object.fromEntries(both), ...ended(known, update) };
}

/** Removes known members that an updated member replaces: `motion_report` for `motion`, `mirek_valid` for `mirek`. */
function withoutOvertaken(
  before: Readonly<Record<string, unknown>>,
  update: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const isOvertaken = (member: string) => Object.hasOwn(update, member.replace(/_(?:report|valid)$/, ""));
  return Object.fromEntries(Object.entries(before).filter(([member]) => !isOvertaken(member)));
}

/** Fields with the measurements of a sensor. */
const MEASURED = ["motion", "temperature", "light", "contact_report", "tamper_reports"];

/** Known fields that an update invalidates without containing them. */
function ended(known: Resource, update: Resource): Readonly<Record<string, unknown>> {
  // A disabled sensor loses its measurements, and has none when it is enabled again.
  const measured = update.enabled === false ? MEASURED.filter((field) => Object.hasOwn(known, field)) : [];
  // A lamp with a new colour leaves white mode, unless the update has a temperature.
  const hasOtherColour = fieldAt(update, "color.xy") !== undefined && update.color_temperature === undefined;
  const white = hasOtherColour && isRecord(known.color_temperature) ? known.color_temperature : undefined;
  return {
    ...Object.fromEntries(measured.map((field) => [field, null])),
    ...(white && { color_temperature: { ...white, mirek: null, mirek_valid: false } }),
  };
}
