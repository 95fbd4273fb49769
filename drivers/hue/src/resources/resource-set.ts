/** What a bridge has, by id: read whole at first, and kept true by its event stream. Pure, and bounded. */
import { isRecord, type Work } from "@porchlight/driver-kit";
import { fieldAt, type Resource, resource, streamMessage, textAt } from "./resource.ts";

/** Most resources of a bridge: one takes 200 devices, each with up to ten. */
const MOST = 10_000;

/** To parse one, and to merge it with what is known of it. */
const STEPS_OF_RESOURCE = 0.5;

/** What the event stream said has changed. */
export interface ResourceChanges {
  /** As they came: only fields that have changed. In their order. */
  readonly updates: readonly Resource[];
  /** Resources have come or gone: devices are to be described anew. */
  readonly isOther: boolean;
}

/** Why something was left aside, as `status` counts it. */
export type LeftAside = "badResource" | "badEvent" | "tooManyResources";

export class ResourceSet {
  readonly #all = new Map<string, Resource>();
  /** How many messages of the event stream each resource has had. */
  readonly #told = new Map<string, number>();
  readonly #leftAside: (why: LeftAside) => void;

  constructor(leftAside: (why: LeftAside) => void) {
    this.#leftAside = leftAside;
  }

  get(id: string): Resource | undefined {
    return this.#all.get(id);
  }

  /** Another number after each message of the event stream about the resource: an answer that was asked for before may be older. */
  versionOf(id: string): number {
    return this.#told.get(id) ?? 0;
  }

  /** In the order in which the bridge names them. */
  ofType(type: string): readonly Resource[] {
    return [...this.#all.values()].filter((each) => each.type === type);
  }

  /** All that the bridge has, read anew. */
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
        if (id !== undefined && this.#all.has(id)) this.#told.set(id, this.versionOf(id) + 1);
        if (type === "update") isOther = this.#update(each, updates) || isOther;
        else if (type === "add") isOther = this.#put(each) || isOther;
        else if (type === "delete") isOther = this.#delete(each) || isOther;
        // `error` says nothing of a resource, and other kinds are not known.
        else this.#leftAside("badEvent");
        yield STEPS_OF_RESOURCE;
      }
    }
    return { updates, isOther };
  }

  /** One resource that was read by itself. */
  put(json: unknown): Resource | undefined {
    return this.#put(json) ? this.#all.get(String(Reflect.get(Object(json), "id"))) : undefined;
  }

  /** True when devices may be described otherwise by it. */
  #update(json: unknown, updates: Resource[]): boolean {
    const parsed = resource.safeParse(json);
    if (!parsed.success) {
      this.#leftAside("badResource");
      return false;
    }
    const known = this.#all.get(parsed.data.id);
    // One that was never told is read with the others: see `isOther`.
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
      this.#told.delete(parsed.data.id);
      return this.#all.delete(parsed.data.id);
    }
    this.#leftAside("badResource");
    return false;
  }
}

/** Types whose fields say what a device is called or made of. */
const DESCRIBING: ReadonlySet<string> = new Set(["device", "room", "zone", "scene", "bridge"]);

/** An update names the fields that have changed, and of a field that is an object only the members that have. */
function merged(known: Resource, update: Resource): Resource {
  const both = Object.entries(update).map(([field, value]) => {
    const before = known[field];
    return [field, isRecord(before) && isRecord(value) ? { ...withoutOvertaken(before, value), ...value } : value];
  });
  return { ...known, ...Object.fromEntries(both), ...ended(known, update) };
}

/** Members of before that say the same as a member of the update, which is newer: `motion_report` of `motion`, `mirek_valid` of `mirek`. */
function withoutOvertaken(
  before: Readonly<Record<string, unknown>>,
  update: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const isOvertaken = (member: string) => Object.hasOwn(update, member.replace(/_(?:report|valid)$/, ""));
  return Object.fromEntries(Object.entries(before).filter(([member]) => !isOvertaken(member)));
}

/** What a sensor measures. */
const MEASURED = ["motion", "temperature", "light", "contact_report", "tamper_reports"];

/** Fields of before that are true no more with the update, though it does not name them. */
function ended(known: Resource, update: Resource): Readonly<Record<string, unknown>> {
  // A sensor that is turned off has measured nothing when it is turned on again.
  const measured = update.enabled === false ? MEASURED.filter((field) => Object.hasOwn(known, field)) : [];
  // A lamp that shows another colour shows no white, unless it says so.
  const hasOtherColour = fieldAt(update, "color.xy") !== undefined && update.color_temperature === undefined;
  const white = hasOtherColour && isRecord(known.color_temperature) ? known.color_temperature : undefined;
  return {
    ...Object.fromEntries(measured.map((field) => [field, null])),
    ...(white && { color_temperature: { ...white, mirek: null, mirek_valid: false } }),
  };
}
