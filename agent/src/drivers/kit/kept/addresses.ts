/**
 * Which addresses the things of a device have: its relays, sensors and entities. A thing keeps the address that it was first given, by the
 * ID that the device itself gives it, in whatever order the device lists its things. Pure.
 *
 * Invariants: an address that a thing has had is never given to another one; a thing that comes back has its old address; the result does
 * not depend on the order of the things, but for those that are new.
 */
import { addressKey, type PropertyAddress } from "@porchlight/shared/model";

/** Properties of one thing that share an index, such as `Switch.on`, or `Fan.on` and `Fan.speed`. */
export interface Thing {
  /** The ID that the device gives it, which no other thing of the device has: an object ID, a serial number, a name of an entity. */
  readonly id: string;
  readonly properties: readonly { readonly service: string; readonly property: string }[];
  /**
   * How an address that is taken is avoided: by the next `index`, or by another `name` (`power2`) for the properties of collective services
   * such as `Readings`. By the index if it is left out.
   */
  readonly apart?: "index" | "name" | undefined;
  /** The index that its protocol gives it, such as the number of a relay: it has this one, unless another thing has had it. */
  readonly index?: number | undefined;
}

/** The addresses of each thing that a device has or had, by its ID, in the order of its properties. */
export type KeptAddresses = Readonly<Record<string, readonly string[]>>;

export interface PlacedThings<T extends Thing> {
  /** In the order of the things. A thing is left out if no address is free. */
  readonly placed: readonly PlacedThing<T>[];
  /** What must be kept from now on. */
  readonly kept: KeptAddresses;
}

export interface PlacedThing<T extends Thing> {
  readonly thing: T;
  /** In the order of the thing's properties. */
  readonly addresses: readonly PropertyAddress[];
}

/** Highest index of a service. */
const HIGHEST_INDEX = 999;
/** Most properties of one service. */
const MOST_PROPERTIES = 64;
/** Most things of a device that are kept. Beyond it the ones that left first are forgotten. */
const MOST_KEPT = 1000;

/** @param kept what was kept after the last time; `{}` for a device that is new */
export function placeThings<T extends Thing>(things: readonly T[], kept: KeptAddresses): PlacedThings<T> {
  const before = new Map(Object.entries(kept));
  const taken = new TakenAddresses(before);
  const placed = new Map<T, readonly PropertyAddress[]>();
  const [known, fresh] = [things.filter(({ id }) => before.has(id)), things.filter(({ id }) => !before.has(id))];
  for (const thing of [...known, ...fresh]) {
    const had = before.get(thing.id) ?? [];
    const addresses = thing.apart === "name" ? byName(thing, had, taken) : byIndex(thing, had, taken);
    if (!addresses) continue;
    for (const address of addresses) taken.add(address, thing.id);
    placed.set(thing, addresses);
  }
  const now = new Map([...placed].map(([{ id }, addresses]) => [id, addresses.map(addressKey)] as const));
  const absent = [...before].filter(([id]) => !now.has(id));
  const room = Math.max(0, MOST_KEPT - now.size);
  return {
    placed: things.flatMap((thing) => {
      const addresses = placed.get(thing);
      return addresses ? [{ thing, addresses }] : [];
    }),
    // What is there now stands last: what left first is forgotten first.
    kept: Object.fromEntries([...absent.slice(Math.max(0, absent.length - room)), ...now]),
  };
}

/** All properties at the same index: the one that the thing has had, else its own, else the lowest at which all are free. */
function byIndex({ id, properties, index: own }: Thing, had: readonly string[], taken: TakenAddresses) {
  const at = (index: number) => properties.map((each) => ({ ...each, index: String(index) }));
  const isFree = (index: number) => at(index).every((address) => taken.isFreeFor(id, address));
  const before = had[0] === undefined ? undefined : addressOf(had[0]);
  if (before && isFree(Number(before.index))) return at(Number(before.index));
  if (own !== undefined && own <= HIGHEST_INDEX && isFree(own)) return at(own);
  const index = taken.lowestIndex(properties.map(({ service, property }) => `${service}.${property}`).join(), isFree);
  return index === undefined ? undefined : at(index);
}

/** A name that no other thing has, whatever its index: the same name does not stand twice. */
function byName({ id, properties }: Thing, had: readonly string[], taken: TakenAddresses) {
  const before = had.flatMap((key) => addressOf(key) ?? []);
  if (before.length > 0 && before.length === properties.length) return before;
  const given: PropertyAddress[] = [];
  for (const { service, property } of properties) {
    const name = taken.freeName(service, property);
    const index = taken.lowestIndex(service, (each) => taken.countAt(service, each) < MOST_PROPERTIES);
    if (index === undefined) return undefined;
    const address = { service, index: String(index), property: name };
    taken.add(address, id);
    given.push(address);
  }
  return given;
}

/** Which addresses, names and indexes are taken. Nothing is freed, so that each search goes on where the last one ended. */
class TakenAddresses {
  readonly #owners = new Map<string, string>();
  /** `Service.name`, whatever its index. */
  readonly #names = new Set<string>();
  /** Properties at `Service:index`. */
  readonly #counts = new Map<string, number>();
  readonly #searchedTo = new Map<string, number>();

  constructor(kept: ReadonlyMap<string, readonly string[]>) {
    for (const [id, keys] of kept) {
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
    this.#names.add(`${service}.${property}`);
  }

  isFreeFor(id: string, address: PropertyAddress): boolean {
    return (this.#owners.get(addressKey(address)) ?? id) === id;
  }

  countAt(service: string, index: number): number {
    return this.#counts.get(`${service}:${index}`) ?? 0;
  }

  /** The name, or the name with the lowest number from 2 on that the service does not have. */
  freeName(service: string, name: string): string {
    if (!this.#names.has(`${service}.${name}`)) return name;
    const search = `${service}.${name}`;
    let number = this.#searchedTo.get(search) ?? 2;
    while (this.#names.has(`${search}${number}`)) number += 1;
    this.#searchedTo.set(search, number);
    return `${name}${number}`;
  }

  /** @param search names what is searched for: the same for the same `isFree` */
  lowestIndex(search: string, isFree: (index: number) => boolean): number | undefined {
    let index = this.#searchedTo.get(`index ${search}`) ?? 0;
    while (index <= HIGHEST_INDEX && !isFree(index)) index += 1;
    this.#searchedTo.set(`index ${search}`, index);
    return index <= HIGHEST_INDEX ? index : undefined;
  }
}

/** Reads `Service:index.property`, as {@link addressKey} writes it; undefined when the text is no such key. */
function addressOf(key: string): PropertyAddress | undefined {
  const [, service, index, property] = /^([^:]+):(\d{1,3})\.(.+)$/.exec(key) ?? [];
  return service && index && property ? { service, index, property } : undefined;
}
