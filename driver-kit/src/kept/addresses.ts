/**
 * Assigns addresses to the things of a device: its relays, sensors and entities. A thing keeps its first address, by the ID that the device
 * itself gives it, in any order in which the device lists its things. Pure.
 *
 * Invariants: an address of one thing is never given to another; a thing that comes back has its old address; the result does not depend on
 * the order of the things, except for new things.
 */
import { addressKey, type PropertyAddress } from "@porchlight/shared/model";

/** Properties of one thing that share an index, such as `Switch.on`, or `Fan.on` and `Fan.speed`. */
export interface Thing {
  /** The device's ID of the thing, which no other thing of the device has: an object ID, a serial number, a name of an entity. */
  readonly id: string;
  readonly properties: readonly { readonly service: string; readonly property: string }[];
  /**
   * How a thing avoids an address that is taken: by the next `index`, or by another `name` (`power2`) for the properties of collective
   * services such as `Readings`. The default is the index. `nowhere`: the thing is left out, unless only a foreign thing has the address.
   */
  readonly apart?: "index" | "name" | "nowhere" | undefined;
  /** The number that the protocol or the device assigns to the thing, which is tried first: of an endpoint, a button, a relay. */
  readonly index?: number | undefined;
}

/** The addresses of each thing that a device has or had, by the thing's ID, in the order of its properties. */
export type KeptAddresses = Readonly<Record<string, readonly string[]>>;

export interface PlacedThings<T extends Thing> {
  /** In the order of the given things. A thing is left out if no address is free. */
  readonly placed: readonly PlacedThing<T>[];
  /** The addresses to store from now on. */
  readonly kept: KeptAddresses;
}

export interface PlacedThing<T extends Thing> {
  readonly thing: T;
  /** In the order of the thing's properties. */
  readonly addresses: readonly PropertyAddress[];
}

/** Highest index of a service. */
const HIGHEST_INDEX = 999;
/** Maximum number of properties of one service. */
const MOST_PROPERTIES = 64;
/** Maximum number of things of a device that are kept; beyond it, the things that left first are forgotten. */
const MOST_KEPT = 1000;

/**
 * @param kept what was stored after the last call; `{}` for a new device
 * @param foreign addresses that the same device has in another description of it: whether a thing is one of those that have them is
 * unknown
 */
export function placeThings<T extends Thing>(
  given: readonly T[],
  kept: KeptAddresses,
  foreign: readonly string[] = [],
): PlacedThings<T> {
  const before = new Map(Object.entries(kept));
  const taken = new TakenAddresses(before, foreign);
  // Things with the same ID cannot be distinguished: only the first of them gets an address.
  const things = [...Map.groupBy(given, ({ id }) => id).values()].flatMap(([first]) => first ?? []);
  const placed = new Map<T, readonly PropertyAddress[]>();
  const place = (thing: T, addresses: readonly PropertyAddress[] | undefined) => {
    for (const address of addresses ?? []) taken.add(address, thing.id);
    if (addresses) placed.set(thing, addresses);
  };
  const isKnown = ({ id }: T) => before.has(id);
  for (const thing of things.filter(isKnown)) {
    const had = before.get(thing.id) ?? [];
    if (thing.apart === "name") place(thing, byName(thing, had, taken));
    else place(thing, atOldIndex(thing, had, taken) ?? atOwnIndex(thing, taken) ?? atFreeIndex(thing, taken));
  }
  // A thing with a number of its own comes before a thing that takes any free number.
  const fresh = things.filter((thing) => !isKnown(thing));
  for (const thing of fresh) if (thing.apart !== "name") place(thing, atOwnIndex(thing, taken));
  for (const thing of fresh) {
    if (!placed.has(thing)) place(thing, thing.apart === "name" ? byName(thing, [], taken) : atFreeIndex(thing, taken));
  }
  const now = new Map([...placed].map(([{ id }, addresses]) => [id, addresses.map(addressKey)] as const));
  const absent = [...before].filter(([id]) => !now.has(id));
  const room = Math.max(0, MOST_KEPT - now.size);
  return {
    placed: things.flatMap((thing) => {
      const addresses = placed.get(thing);
      return addresses ? [{ thing, addresses }] : [];
    }),
    // Present things stand last, so that the thing that left first is forgotten first.
    kept: Object.fromEntries([...absent.slice(Math.max(0, absent.length - room)), ...now]),
  };
}

/** All properties at the thing's previous index, unless another thing has one of the addresses there. */
function atOldIndex(thing: Thing, had: readonly string[], taken: TakenAddresses) {
  const before = had[0] === undefined ? undefined : addressOf(had[0]);
  return before && atIndex(thing, Number(before.index), taken);
}

/** All properties at the thing's own number. */
function atOwnIndex(thing: Thing, taken: TakenAddresses) {
  const { index } = thing;
  return index === undefined || index > HIGHEST_INDEX ? undefined : atIndex(thing, index, taken);
}

/** All properties at the lowest index at which they are all free. */
function atFreeIndex(thing: Thing, taken: TakenAddresses) {
  if (thing.apart === "nowhere" && !isForeign(thing, taken)) return undefined;
  const search = thing.properties.map(({ service, property }) => `${service}.${property}`).join();
  const index = taken.lowestIndex(search, (each) => atIndex(thing, each, taken) !== undefined);
  return index === undefined ? undefined : atIndex(thing, index, taken);
}

/** Whether only foreign things keep the thing from its own index. */
function isForeign({ id, properties, index }: Thing, taken: TakenAddresses): boolean {
  const own = index === undefined ? [] : properties.map((each) => ({ ...each, index: String(index) }));
  const others = own.filter((address) => !taken.isFreeFor(id, address));
  return others.length > 0 && others.every((address) => taken.isForeign(address));
}

/** Undefined if another thing has one of the addresses. */
function atIndex({ id, properties }: Thing, index: number, taken: TakenAddresses) {
  const addresses = properties.map((each) => ({ ...each, index: String(index) }));
  return addresses.every((address) => taken.isFreeFor(id, address)) ? addresses : undefined;
}

/** A name that no other thing has at any index, so that a name does not stand twice. At the thing's own index, a name that is free there. */
function byName({ id, properties, index: own }: Thing, had: readonly string[], taken: TakenAddresses) {
  const before = had.flatMap((key) => addressOf(key) ?? []);
  if (before.length > 0 && before.length === properties.length) return before;
  const given: PropertyAddress[] = [];
  for (const { service, property } of properties) {
    const name = taken.freeName(service, property, own);
    const index = own ?? taken.lowestIndex(service, (each) => taken.countAt(service, each) < MOST_PROPERTIES);
    if (index === undefined) return undefined;
    const address = { service, index: String(index), property: name };
    taken.add(address, id);
    given.push(address);
  }
  return given;
}

/** Stands for the ID of every foreign thing; no thing has this ID. */
const FOREIGN = "\0";

/** The taken addresses, names and indexes. Nothing is freed, so that each search continues where the last one ended. */
class TakenAddresses {
  readonly #owners = new Map<string, string>();
  /** `Service.name`, for any index, and `Service:index.name`. */
  readonly #names = new Set<string>();
  /** Number of properties at `Service:index`. */
  readonly #counts = new Map<string, number>();
  readonly #searchedTo = new Map<string, number>();

  constructor(kept: ReadonlyMap<string, readonly string[]>, foreign: readonly string[]) {
    for (const [id, keys] of [[FOREIGN, foreign] as const, ...kept]) {
      for (const key of keys) {
        const address = addressOf(key);
        if (address) this.add(address, id);
      }
    }
  }

  add(address: PropertyAddress, id: string): void {
    const { service, index, property } = address;
    const key = addressKey(address);
    if (!this.#owners.has(key)) this.#counts.set(`${service}:${index}`, this.countAt(service, Number(index)) + 1);
    this.#owners.set(key, id);
    this.#names.add(`${service}.${property}`).add(key);
  }

  isFreeFor(id: string, address: PropertyAddress): boolean {
    return (this.#owners.get(addressKey(address)) ?? id) === id;
  }

  isForeign(address: PropertyAddress): boolean {
    return this.#owners.get(addressKey(address)) === FOREIGN;
  }

  countAt(service: string, index: number): number {
    return this.#counts.get(`${service}:${index}`) ?? 0;
  }

  /**
   * The name itself, or the name with the lowest number from 2 on that the service does not have.
   * @param index at which the service must not have it; undefined: at any
   */
  freeName(service: string, name: string, index?: number): string {
    const place = index === undefined ? service : `${service}:${index}`;
    const search = `${place}.${name}`;
    if (!this.#names.has(search)) return name;
    let number = this.#searchedTo.get(search) ?? 2;
    while (this.#names.has(`${search}${number}`)) number += 1;
    this.#searchedTo.set(search, number);
    return `${name}${number}`;
  }

  /** @param search key of the search: the same key for the same `isFree` */
  lowestIndex(search: string, isFree: (index: number) => boolean): number | undefined {
    let index = this.#searchedTo.get(`index ${search}`) ?? 0;
    while (index <= HIGHEST_INDEX && !isFree(index)) index += 1;
    this.#searchedTo.set(`index ${search}`, index);
    return index <= HIGHEST_INDEX ? index : undefined;
  }
}

/** Parses `Service:index.property`, as {@link addressKey} formats it; undefined when the text is no such key. */
function addressOf(key: string): PropertyAddress | undefined {
  const [, service, index, property] = /^([^:]+):(\d{1,3})\.(.+)$/.exec(key) ?? [];
  return service && index && property ? { service, index, property } : undefined;
}
