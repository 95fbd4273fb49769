/** Groups entities into devices: entities that share an identifier or a connection belong together, in any order of arrival. */
import type { Work } from "@porchlight/driver-kit";
import { connectionKey, edgeIdOf, identityOf } from "./device-identity.ts";
import { compareEntities, type DescribedEntity } from "./discovery-payload.ts";

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
