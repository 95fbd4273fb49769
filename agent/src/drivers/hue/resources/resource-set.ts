/** What a bridge has, by id: read whole at first, and kept true by its event stream. Pure, and bounded. */
import { isRecord } from "../../kit/index.ts";
import { type Resource, resource, streamMessage } from "./resource.ts";

/** Most resources of a bridge: one takes 200 devices, each with up to ten. */
const MOST = 10_000;

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
  readonly #leftAside: (why: LeftAside) => void;

  constructor(leftAside: (why: LeftAside) => void) {
    this.#leftAside = leftAside;
  }

  get(id: string): Resource | undefined {
    return this.#all.get(id);
  }

  /** In the order in which the bridge names them. */
  ofType(type: string): readonly Resource[] {
    return [...this.#all.values()].filter((each) => each.type === type);
  }

  /** All that the bridge has, read anew. */
  replace(data: readonly unknown[]): void {
    this.#all.clear();
    for (const each of data) this.#put(each);
  }

  /** Takes a message of the event stream. @param json parsed */
  take(json: unknown): ResourceChanges {
    const message = streamMessage.safeParse(json);
    if (!message.success) {
      this.#leftAside("badEvent");
      return { updates: [], isOther: false };
    }
    const updates: Resource[] = [];
    let isOther = false;
    for (const { type, data } of message.data) {
      for (const each of data) {
        if (type === "update") isOther = this.#update(each, updates) || isOther;
        else if (type === "add") isOther = this.#put(each) || isOther;
        else if (type === "delete") isOther = this.#delete(each) || isOther;
        // `error` says nothing of a resource, and other kinds are not known.
        else this.#leftAside("badEvent");
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
    if (parsed.success) return this.#all.delete(parsed.data.id);
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
    return [field, isRecord(before) && isRecord(value) ? { ...before, ...value } : value];
  });
  return { ...known, ...Object.fromEntries(both) };
}
