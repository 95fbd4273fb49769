/**
 * A cache of the multicast DNS records of one service type, with their lifetimes (RFC 6762, section 10). Pure: records and times in,
 * complete services out.
 *
 * Invariants: the cache is bounded; an unwanted service never evicts a service that a driver wants; every refused record is counted by
 * its reason.
 */
import { isIPv4, isIPv6 } from "node:net";
import type { MdnsQuestion, MdnsRecord } from "./mdns-socket.ts";
import { instanceOf, isName, nameKey, readTxt, type Txt, txtStrings } from "./service-names.ts";

/** Why a record is ignored: the names in logs, `status` and tests. */
export type IgnoredRecord = "badName" | "badRecord" | "badTxt" | "tooMany" | "tooManyAddresses";

/** A service with a complete set of records. */
export interface KnownService {
  /** Its full name, such as `Lamp._shelly._tcp.local`. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly txt: readonly Buffer[];
  /** The announced addresses; may be empty. */
  readonly addresses: readonly string[];
  /** When the first of its records expires, monotonic ms. */
  readonly until: number;
}

export interface ServiceCacheDeps {
  /** Such as `_shelly._tcp.local`. */
  readonly type: string;
  /** Which wanted device the service belongs to; undefined when it is not wanted. Wanted services stay when there are too many. */
  readonly wanted: (txt: Txt) => string | undefined;
}

interface Instance {
  readonly name: string;
  announcedUntil: number;
  target: { readonly host: string; readonly port: number; readonly until: number } | undefined;
  text: { readonly strings: readonly Buffer[]; readonly txt: Txt; readonly until: number } | undefined;
}

/** Maximum number of cached instances and hosts. */
const MOST = 512;
const MOST_ADDRESSES = 8;
/** Number of names of one wanted device that other services cannot evict. */
const MOST_NAMES = 4;
/** Maximum number of records that are read from one packet. */
const MOST_RECORDS = 256;
/** Upper bound of a record's time to live, ms. */
const LONGEST_TTL = 2 * 3_600_000;
/** Interval between deletions of expired records while answers come in, ms. */
const FORGET_MS = 1000;
/** A withdrawn record is deleted after this time, ms: its owner may announce it again. RFC 6762, section 10.1. */
const GOODBYE_MS = 1000;
/** Maximum number of questions about incomplete services in one packet. */
const MOST_QUESTIONS = 16;

export class ServiceCache {
  readonly ignored: Partial<Record<IgnoredRecord, number>> = {};
  readonly #deps: ServiceCacheDeps;
  readonly #instances = new Map<string, Instance>();
  /** Addresses of hosts, each with its expiry. */
  readonly #hosts = new Map<string, Map<string, number>>();
  #forgottenAt = Number.NEGATIVE_INFINITY;

  constructor(deps: ServiceCacheDeps) {
    this.#deps = deps;
  }

  /** Number of cached instances and hosts. */
  get size() {
    return { instances: this.#instances.size, hosts: this.#hosts.size };
  }

  /** Adds the records of an answer. @param at monotonic ms */
  take(records: readonly MdnsRecord[], at: number): void {
    if (at - this.#forgottenAt >= FORGET_MS) this.forget(at);
    const taken = records.slice(0, MOST_RECORDS);
    if (records.length > taken.length) this.#ignore("tooMany");
    for (const record of taken) if (record.type === "PTR") this.#pointer(record, at);
    for (const record of taken) if (record.type === "SRV" || record.type === "TXT") this.#facts(record, at);
    // Addresses come last, when the hosts of all services are known; a flush deletes addresses that this packet does not repeat.
    const some = taken.filter(({ type }) => type === "A" || type === "AAAA");
    if (some.length === 0) return;
    const hosts = this.#targets();
    const addresses = some.filter(({ name }) => hosts.has(nameKey(name)));
    for (const record of addresses) if (record.flush) this.#flush(record);
    for (const record of addresses) this.#address(record, at);
  }

  /** Deletes expired records. */
  forget(at: number): void {
    this.#forgottenAt = at;
    for (const [key, instance] of this.#instances) if (instance.announcedUntil <= at) this.#instances.delete(key);
    // A service that announces ever new hosts leaves its earlier hosts behind.
    const hosts = this.#targets();
    for (const [host, addresses] of this.#hosts) {
      for (const [address, until] of addresses) if (until <= at) addresses.delete(address);
      if (addresses.size === 0 || !hosts.has(host)) this.#hosts.delete(host);
    }
  }

  /** Every complete service, by the key of its name. */
  services(at: number): ReadonlyMap<string, KnownService> {
    const services = new Map<string, KnownService>();
    for (const [key, { name, announcedUntil, target, text }] of this.#instances) {
      if (!target || !text || Math.min(announcedUntil, target.until, text.until) <= at) continue;
      const { host, port } = target;
      const places = [...(this.#hosts.get(host) ?? [])].filter(([, holds]) => holds > at);
      const addresses = places.map(([address]) => address);
      const until = Math.min(announcedUntil, target.until, text.until, ...places.map(([, holds]) => holds));
      services.set(key, { name, host, port, txt: text.strings, addresses, until });
    }
    return services;
  }

  /** The records to ask for: missing ones, and those that expire before `until`. */
  questions(at: number, until = at): MdnsQuestion[] {
    const questions: MdnsQuestion[] = [];
    for (const { name, target, text } of this.#instances.values()) {
      if (!target || target.until <= until) questions.push({ name, type: "SRV" });
      if (target && target.until > at && !this.#hasAddress(target.host, until))
        questions.push({ name: target.host, type: "A" }, { name: target.host, type: "AAAA" });
      if (!text || text.until <= until) questions.push({ name, type: "TXT" });
      if (questions.length >= MOST_QUESTIONS) break;
    }
    return questions.slice(0, MOST_QUESTIONS);
  }

  #targets(): ReadonlySet<string | undefined> {
    return new Set([...this.#instances.values()].map(({ target }) => target?.host));
  }

  #hasAddress(host: string, until: number): boolean {
    return [...(this.#hosts.get(host)?.values() ?? [])].some((each) => each > until);
  }

  #pointer({ name, ttl, data }: MdnsRecord, at: number): void {
    const { type } = this.#deps;
    if (nameKey(name) !== type) return;
    if (typeof data !== "string" || instanceOf(data, type) === undefined) {
      this.#ignore("badName");
      return;
    }
    const known = this.#instances.get(nameKey(data));
    if (ttl === 0) {
      if (known) known.announcedUntil = Math.min(known.announcedUntil, at + GOODBYE_MS);
      return;
    }
    const instance = known ?? this.#place(data, at);
    if (!instance) return;
    instance.announcedUntil = at + lifetime(ttl);
    // Moves the instance to the end: the map is ordered by the time of the last announcement, oldest first.
    this.#instances.delete(nameKey(data));
    this.#instances.set(nameKey(data), instance);
  }

  #place(name: string, at: number): Instance | undefined {
    if (this.#instances.size >= MOST && !this.#makeRoom(at)) {
      this.#ignore("tooMany");
      return undefined;
    }
    return { name, announcedUntil: at, target: undefined, text: undefined };
  }

  /** Evicts the instance that has been silent longest, except the first few names of a wanted device. */
  #makeRoom(at: number): boolean {
    const shielded = new Map<string, number>();
    for (const [key, { text }] of this.#instances) {
      const wanted = text && text.until > at ? this.#deps.wanted(text.txt) : undefined;
      const names = wanted === undefined ? MOST_NAMES : (shielded.get(wanted) ?? 0);
      if (wanted !== undefined && names < MOST_NAMES) {
        shielded.set(wanted, names + 1);
        continue;
      }
      this.#ignore("tooMany");
      return this.#instances.delete(key);
    }
    return false;
  }

  #facts({ name, type, ttl, data }: MdnsRecord, at: number): void {
    const instance = this.#instances.get(nameKey(name));
    if (!instance) return;
    const until = at + (ttl === 0 ? GOODBYE_MS : lifetime(ttl));
    if (type === "TXT") {
      const strings = txtStrings(data);
      if (!strings) this.#ignore("badTxt");
      instance.text = strings && { strings, txt: readTxt(strings), until };
      return;
    }
    const place = readPlace(data);
    if (place) instance.target = { ...place, until };
    else this.#ignore("badRecord");
  }

  /** A record with the flush bit replaces all addresses of its family. */
  #flush({ name, type }: MdnsRecord): void {
    const known = this.#hosts.get(nameKey(name));
    for (const address of known?.keys() ?? []) if (isIPv6(address) === (type === "AAAA")) known?.delete(address);
  }

  #address({ name, ttl, data }: MdnsRecord, at: number): void {
    const host = nameKey(name);
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

  #ignore(reason: IgnoredRecord): void {
    this.ignored[reason] = (this.ignored[reason] ?? 0) + 1;
  }
}

function readPlace(data: unknown): { host: string; port: number } | undefined {
  if (typeof data !== "object" || data === null || !("target" in data) || !("port" in data)) return undefined;
  const { target: host, port } = data;
  const isPlace = typeof host === "string" && isName(host) && typeof port === "number" && port > 0 && port < 65_536;
  return isPlace ? { host: nameKey(host), port } : undefined;
}

function lifetime(seconds: number): number {
  return Math.min(seconds * 1000, LONGEST_TTL);
}
