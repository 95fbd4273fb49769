/**
 * What the hub has heard of nodes by multicast DNS, and how long it holds. Pure: packets and times in, nodes out.
 *
 * Invariants: what is kept is bounded; a node that is wanted is never pushed out by one that is not; every
 * record that is not taken is counted by the reason why.
 */
import { isIPv4, isIPv6 } from "node:net";
import type { AddressProblem, MdnsQuestion, MdnsRecord, Place } from "../../links/index.ts";
import { type Announcement, type AnnouncementProblem, readAnnouncement, SERVICE } from "./announcement.ts";

/** A node as it is announced now. */
export interface Sighting extends Announcement {
  /** Where it says that it is, likeliest first. */
  readonly endpoints: readonly Endpoint[];
}

export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

/** Why something that was heard is left aside, as logs, `status` and tests call it. */
export type Ignored = AnnouncementProblem | AddressProblem | "badName" | "badRecord" | "tooMany" | "tooManyAddresses";

interface Instance {
  readonly name: string;
  announcedUntil: number;
  target: { readonly host: string; readonly port: number; readonly until: number } | undefined;
  text: { readonly said: Announcement | AnnouncementProblem; readonly until: number } | undefined;
  /** Places of it that have been counted as refused. */
  readonly refused: Set<string>;
}

/** A place to which the hub does not connect. */
export interface RefusedPlace extends Endpoint {
  /** As which the node is announced. */
  readonly name: string;
  readonly why: AddressProblem;
}

export interface SightingsDeps {
  /** Whether a node of that edgeId is one that the hub speaks to: it stays when there are too many. */
  readonly isWanted: (edgeId: string) => boolean;
  /** Whether a node may be there; undefined while there is no interface. */
  readonly place: (address: string, port: number) => Place | undefined;
  /** Told of each place of a name once. */
  readonly refused: (place: RefusedPlace) => void;
}

/** Most instances and hosts that are remembered. */
const MOST = 512;
const MOST_ADDRESSES = 8;
/** Refused places of one name that are counted and told of. */
const MOST_REFUSED = 8;
/** Names of one wanted node that others cannot push out. */
const MOST_NAMES = 4;
/** Records that are looked at in one packet. */
const MOST_RECORDS = 256;
/** Upper bound of a record's time to live, ms. */
const LONGEST_TTL = 2 * 3_600_000;
/** How often what does not hold any more is looked for while answers come in, ms. */
const FORGET_MS = 1000;
/** A record that is taken back is gone after this long, ms: its owner may say it again. RFC 6762, section 10.1. */
const GOODBYE_MS = 1000;
/** Questions in one packet about what has not been told in full. */
const MOST_QUESTIONS = 16;

export class Sightings {
  readonly ignored: Partial<Record<Ignored, number>> = {};
  readonly #deps: SightingsDeps;
  readonly #instances = new Map<string, Instance>();
  /** Addresses of hosts, each with the time until which it holds. */
  readonly #hosts = new Map<string, Map<string, number>>();
  #forgottenAt = Number.NEGATIVE_INFINITY;

  constructor(deps: SightingsDeps) {
    this.#deps = deps;
  }

  /** Instances that are remembered. */
  get size(): number {
    return this.#instances.size;
  }

  /** Takes in an answer. @param at monotonic ms */
  take(records: readonly MdnsRecord[], at: number): void {
    if (at - this.#forgottenAt >= FORGET_MS) this.forget(at);
    const taken = records.slice(0, MOST_RECORDS);
    if (records.length > taken.length) this.#ignore("tooMany");
    for (const record of taken) if (record.type === "PTR") this.#pointer(record, at);
    for (const record of taken) if (record.type === "SRV" || record.type === "TXT") this.#facts(record, at);
    // Last, when it is known which hosts matter; a flush takes away what this very packet does not say again.
    const some = taken.filter(({ type }) => type === "A" || type === "AAAA");
    if (some.length === 0) return;
    const hosts = new Set([...this.#instances.values()].map(({ target }) => target?.host));
    const addresses = some.filter(({ name }) => hosts.has(key(name)));
    for (const record of addresses) if (record.flush) this.#flush(record);
    for (const record of addresses) this.#address(record, at);
  }

  /** Lets go of what does not hold any more. */
  forget(at: number): void {
    this.#forgottenAt = at;
    for (const [key, instance] of this.#instances) if (instance.announcedUntil <= at) this.#instances.delete(key);
    for (const [host, addresses] of this.#hosts) {
      for (const [address, until] of addresses) if (until <= at) addresses.delete(address);
      if (addresses.size === 0) this.#hosts.delete(host);
    }
  }

  /** Every node that can be made out, by edgeId. */
  nodes(at: number): ReadonlyMap<string, Sighting> {
    const nodes = new Map<string, Sighting>();
    for (const instance of this.#instances.values()) {
      const said = this.#said(instance, at);
      if (!said) continue;
      const endpoints = this.#endpoints(instance, at);
      const other = nodes.get(said.edgeId);
      // Two names for one node: both places are tried, and neither name is the truth.
      nodes.set(
        said.edgeId,
        other ? { ...other, endpoints: [...other.endpoints, ...endpoints] } : { ...said, endpoints },
      );
    }
    return nodes;
  }

  /** What to ask for: nodes that have said their name and no more. */
  questions(at: number): MdnsQuestion[] {
    const questions: MdnsQuestion[] = [];
    for (const { name, target, text } of this.#instances.values()) {
      if (!target || target.until <= at) questions.push({ name, type: "SRV" });
      else if (!this.#hosts.has(target.host))
        questions.push({ name: target.host, type: "A" }, { name: target.host, type: "AAAA" });
      if (!text || text.until <= at) questions.push({ name, type: "TXT" });
      if (questions.length >= MOST_QUESTIONS) break;
    }
    return questions.slice(0, MOST_QUESTIONS);
  }

  #pointer({ name, ttl, data }: MdnsRecord, at: number): void {
    if (key(name) !== SERVICE) return;
    if (typeof data !== "string" || !isInstanceName(data)) {
      this.#ignore("badName");
      return;
    }
    const known = this.#instances.get(key(data));
    if (ttl === 0) {
      if (known) known.announcedUntil = Math.min(known.announcedUntil, at + GOODBYE_MS);
      return;
    }
    const instance = known ?? this.#place(data, at);
    if (!instance) return;
    instance.announcedUntil = at + lifetime(ttl);
    // The map is in the order of who has been silent longest.
    this.#instances.delete(key(data));
    this.#instances.set(key(data), instance);
  }

  #place(name: string, at: number): Instance | undefined {
    if (this.#instances.size >= MOST && !this.#makeRoom(at)) {
      this.#ignore("tooMany");
      return undefined;
    }
    return { name, announcedUntil: at, target: undefined, text: undefined, refused: new Set() };
  }

  /** The longest silent gives way, but not one of the first few names of a node that is wanted. */
  #makeRoom(at: number): boolean {
    const shielded = new Map<string, number>();
    for (const [name, instance] of this.#instances) {
      const said = this.#said(instance, at);
      const names = said && this.#deps.isWanted(said.edgeId) ? (shielded.get(said.edgeId) ?? 0) : MOST_NAMES;
      if (said && names < MOST_NAMES) {
        shielded.set(said.edgeId, names + 1);
        continue;
      }
      this.#ignore("tooMany");
      return this.#instances.delete(name);
    }
    return false;
  }

  #facts({ name, type, ttl, data }: MdnsRecord, at: number): void {
    const instance = this.#instances.get(key(name));
    if (!instance) return;
    const until = at + (ttl === 0 ? GOODBYE_MS : lifetime(ttl));
    if (type === "TXT") {
      const said = readAnnouncement(data);
      if (typeof said === "string") this.#ignore(said);
      instance.text = { said, until };
      return;
    }
    const place = readPlace(data);
    if (place) instance.target = { ...place, until };
    else this.#ignore("badRecord");
  }

  /** All addresses of one kind are told anew. */
  #flush({ name, type }: MdnsRecord): void {
    const known = this.#hosts.get(key(name));
    for (const address of known?.keys() ?? []) if (isIPv6(address) === (type === "AAAA")) known?.delete(address);
  }

  #address({ name, ttl, data }: MdnsRecord, at: number): void {
    const host = key(name);
    if (typeof data !== "string" || !(isIPv4(data) || isIPv6(data))) {
      this.#ignore("badRecord");
      return;
    }
    const addresses = this.#hosts.get(host) ?? new Map<string, number>();
    if (!addresses.has(data) && addresses.size >= MOST_ADDRESSES) {
      this.#ignore("tooManyAddresses");
      return;
    }
    addresses.set(data, at + (ttl === 0 ? GOODBYE_MS : lifetime(ttl)));
    this.#hosts.set(host, addresses);
  }

  #said({ text }: Instance, at: number): Announcement | undefined {
    return text && text.until > at && typeof text.said !== "string" ? text.said : undefined;
  }

  #endpoints(instance: Instance, at: number): Endpoint[] {
    const { target } = instance;
    if (!target || target.until <= at) return [];
    const { host, port } = target;
    const addresses = [...(this.#hosts.get(host)?.keys() ?? [])];
    const reachable = addresses.flatMap((address) => {
      const place = this.#deps.place(address, port);
      if (place?.kind === "refused") this.#refuse(instance, { name: instance.name, address, port, why: place.why });
      return place?.kind === "onLink" ? [place.address] : [];
    });
    // IPv4 first: of IPv6 a hub's network often has no more than the link's own.
    reachable.sort((a, b) => Number(a.includes(":")) - Number(b.includes(":")));
    return reachable.map((address) => ({ address, port }));
  }

  #refuse({ refused }: Instance, place: RefusedPlace): void {
    const key = `${place.address} ${place.port}`;
    if (refused.has(key) || refused.size >= MOST_REFUSED) return;
    refused.add(key);
    this.#ignore(place.why);
    this.#deps.refused(place);
  }

  #ignore(reason: Ignored): void {
    this.ignored[reason] = (this.ignored[reason] ?? 0) + 1;
  }
}

function readPlace(data: unknown): { host: string; port: number } | undefined {
  if (typeof data !== "object" || data === null || !("target" in data) || !("port" in data)) return undefined;
  const { target: host, port } = data;
  const isPlace = typeof host === "string" && isName(host) && typeof port === "number" && port > 0 && port < 65_536;
  return isPlace ? { host: key(host), port } : undefined;
}

function isInstanceName(name: string): boolean {
  return isName(name) && key(name).endsWith(`.${SERVICE}`) && name.length > SERVICE.length + 1;
}

/** Whether it can be a name at all: people will see it, and questions will carry it. */
function isName(name: string): boolean {
  return name.length <= 255 && !/[\p{Cc}\p{Cs}\ufffd]/u.test(name);
}

/** Names compare without regard to ASCII case or a trailing dot. */
function key(name: string): string {
  return name.replace(/\.$/, "").replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function lifetime(seconds: number): number {
  return Math.min(seconds * 1000, LONGEST_TTL);
}
