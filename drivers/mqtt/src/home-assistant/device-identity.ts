/**
 * Groups entities into devices by their identifiers and connections, with the identity and facts of each device: independent of the order
 * in which entities arrive. Pure.
 */
import { derivedEdgeId, edgeIdOfEui, type Work } from "@porchlight/driver-kit";
import type { DeviceAbout } from "@porchlight/shared/model";
import { compareEntities, type DescribedEntity, type DeviceBlock, shownText } from "./discovery-payload.ts";

/** Kinds of connections whose addresses are the device's own EUI. */
const OWN_ADDRESSES = new Set(["mac", "zigbee"]);

/** An EUI-48 or EUI-64 at the end of an identifier, by itself or behind a separator. */
const EUI_AT_END = /(?:^|[^0-9a-z])((?:0x)?(?:[0-9a-f]{16}|[0-9a-f]{12})|(?:[0-9a-f]{2}[:-]){5,7}[0-9a-f]{2})$/i;
const LONGEST_ABOUT = 64;

/** The device's own EUI if its entities contain it; otherwise an EUI derived from their identifiers. */
function edgeIdOf(entities: readonly DescribedEntity[], scope: string): string {
  const blocks = entities.flatMap(({ device }) => device ?? []);
  const connections = blocks.flatMap((block) => block.connections);
  const addresses = connections.flatMap(([kind, address]) => (OWN_ADDRESSES.has(kind) ? [address] : []));
  const identifiers = blocks.flatMap((block) => block.identifiers);
  const eui = least(addresses.flatMap(euiOf)) ?? least(identifiers.flatMap(euiInIdentifier));
  return eui ?? identityOf(entities, scope);
}

/** The device's identity when its entities contain no EUI, or no longer contain it: derived from their identifiers. */
function identityOf(entities: readonly DescribedEntity[], scope: string): string {
  const blocks = entities.flatMap(({ device }) => device ?? []);
  const connections = blocks.flatMap((block) => block.connections);
  const first = least(blocks.flatMap((block) => block.identifiers.slice(0, 1)));
  if (first !== undefined) return derivedEdgeId("mqtt", scope, first);
  const connection = least(connections.map(connectionKey));
  const own = connection ?? least(entities.map(ownId)) ?? "";
  // The leading space keeps it different from the identifiers of other programs, none of which begins with one.
  return derivedEdgeId("mqtt", scope, ` ${own}`);
}

/** A connection in one spelling: addresses come in upper and lower case. */
function connectionKey([kind, address]: DeviceBlock["connections"][number]): string {
  return `${kind} ${address.toLowerCase()}`;
}

/** Distinguishes an entity without a device from all others. */
function ownId({ component, options, id }: DescribedEntity): string {
  const unique = options.get("unique_id");
  return typeof unique === "string" && unique !== "" ? `${component} ${unique}` : `topic ${id}`;
}

function euiInIdentifier(identifier: string): string[] {
  const found = EUI_AT_END.exec(identifier)?.[1] ?? "";
  // Digits alone are as likely a serial number.
  return /^\d+$/.test(found) ? [] : euiOf(found);
}

/** Empty for an address that no single device has: groups, all zeros, all ones. */
function euiOf(address: string): string[] {
  const edgeId = edgeIdOfEui(address);
  if (edgeId === undefined || /^[0-9A-F][13579BDF]/.test(edgeId)) return [];
  return /^00(?:-00)+$/.test(edgeId) ? [] : [edgeId];
}

/** Each fact from the first entity that has it. */
export function aboutOf(entities: readonly DescribedEntity[]): DeviceAbout {
  const first = (key: "name" | "manufacturer" | "model" | "sw_version" | "serial_number") => {
    for (const { device } of entities) {
      const text = shownText(device?.[key], LONGEST_ABOUT);
      if (text !== undefined) return text;
    }
    return undefined;
  };
  const about = {
    name: first("name") ?? nameOfEntity(entities),
    manufacturer: first("manufacturer"),
    model: first("model"),
    firmware: first("sw_version"),
    serial: first("serial_number"),
  };
  return Object.fromEntries(Object.entries(about).filter(([, text]) => text !== undefined));
}

/** An entity without a device block is itself the device. */
function nameOfEntity([first]: readonly DescribedEntity[]): string | undefined {
  const name = first?.device ? undefined : first?.options.get("name");
  return typeof name === "string" ? shownText(name, LONGEST_ABOUT) : undefined;
}

function least(texts: readonly string[]): string | undefined {
  return texts.reduce<string | undefined>((low, text) => (low === undefined || text < low ? text : low), undefined);
}

export interface EntityGroup {
  readonly edgeId: string;
  /** The device's permanent identity, independent of its edgeId. */
  readonly identity: string;
  /** In the order of their object ids. */
  readonly entities: readonly DescribedEntity[];
}

/** The groups, in the order of their first entities. */
export function* joinEntities(entities: readonly DescribedEntity[], scope: string): Work<EntityGroup[]> {
  const groups = new Map<string, DescribedEntity[]>();
  for (const members of yield* byIdentity(entities)) {
    // Two spellings of one address belong to one device.
    const edgeId = edgeIdOf(members, scope);
    groups.set(edgeId, [...(groups.get(edgeId) ?? []), ...members]);
    yield members.length;
  }
  const joined: EntityGroup[] = [];
  for (const [edgeId, members] of groups) {
    joined.push({ edgeId, identity: identityOf(members, scope), entities: members.sort(compareEntities) });
    yield members.length;
  }
  return joined;
}

/** Disjoint sets: each element points to another of its set, the root to itself. */
class DisjointSets {
  readonly #parents = new Map<string, string>();

  find(key: string): string {
    let root = key;
    for (let parent = this.#parents.get(root); parent !== undefined && parent !== root; ) {
      root = parent;
      parent = this.#parents.get(root);
    }
    // Shortens the paths for the next search.
    for (let at = key; at !== root; ) {
      const next = this.#parents.get(at) ?? root;
      this.#parents.set(at, root);
      at = next;
    }
    return root;
  }

  join(a: string, b: string): void {
    const [rootOfA, rootOfB] = [this.find(a), this.find(b)];
    if (rootOfA !== rootOfB) this.#parents.set(rootOfB, rootOfA);
  }
}

function* byIdentity(entities: readonly DescribedEntity[]): Work<Iterable<DescribedEntity[]>> {
  const sets = new DisjointSets();
  const keyed: { readonly entity: DescribedEntity; readonly keys: readonly string[] }[] = [];
  for (const entity of entities) {
    const keys = keysOf(entity);
    keyed.push({ entity, keys });
    for (const key of keys.slice(1)) sets.join(keys[0] ?? key, key);
    yield keys.length;
  }
  const groups = new Map<string, DescribedEntity[]>();
  for (const { entity, keys } of keyed) {
    const root = sets.find(keys[0] ?? "");
    const group = groups.get(root) ?? [];
    group.push(entity);
    groups.set(root, group);
  }
  return groups.values();
}

function keysOf({ device, id }: DescribedEntity): readonly string[] {
  const identifiers = device?.identifiers.map((identifier) => `identifier ${identifier}`) ?? [];
  const connections = device?.connections.map((connection) => `connection ${connectionKey(connection)}`) ?? [];
  const keys = [...identifiers, ...connections];
  return keys.length > 0 ? keys : [`entity ${id}`];
}
