/**
 * The services of one type as the library's browser lists them. It is handed what our cache knows in full: a complete answer for each
 * service that is new or has changed, and a goodbye before it and for each that is gone. What the library lacks and why is in
 * docs/adr/0024-bonjour-service-over-our-own-cache.md.
 */
import { EventEmitter } from "node:events";
import { Browser } from "bonjour-service";
import type { MdnsQuestion, MdnsRecord } from "./mdns-socket.ts";
import { instanceOf, nameKey } from "./names.ts";
import type { AddressProblem, Place } from "./node-address.ts";
import { type IgnoredRecord, type KnownService, ServiceCache } from "./service-cache.ts";
import { readTxt, type Txt } from "./txt.ts";

/** A service that is announced now. */
export interface AnnouncedService {
  /** Its own name, without the type. */
  readonly instance: string;
  /** Where it says that it is and may be, IPv4 first, with the zone that an address of the link needs; perhaps nowhere. */
  readonly addresses: readonly string[];
  readonly port: number;
  readonly txt: Txt;
}

/** A place to which the hub does not connect. */
export interface RefusedPlace {
  /** The whole name of the service. */
  readonly name: string;
  readonly address: string;
  readonly port: number;
  readonly why: AddressProblem;
}

export interface BrowsedTypeDeps {
  /** Such as `_shelly._tcp`. */
  readonly type: string;
  readonly wanted: (txt: Txt) => string | undefined;
  /** Whether a service may be there; undefined while there is no interface. */
  readonly place: (address: string, port: number) => Place | undefined;
  /** Told of each place of a service once. */
  readonly refused: (place: RefusedPlace) => void;
}

export interface Settled {
  /** The list is another since the last time. */
  readonly hasChanged: boolean;
  /** The list is what is known; otherwise it must be settled again soon. */
  readonly isDone: boolean;
  /** When the first of what is known does not hold any more, monotonic ms; infinite when nothing is known. */
  readonly until: number;
}

/** Services that are added to the library's list at once, and that are taken from it. */
const MOST_CHANGES = 32;
/** Refused places of one service that are counted and told of. */
const MOST_REFUSED = 8;
/** The library is handed what holds; when that ends is ours to say. */
const HOLDS = { ttl: 120, flush: false };

export class BrowsedType {
  readonly #deps: BrowsedTypeDeps;
  readonly #domain: string;
  readonly #cache: ServiceCache;
  readonly #feed = new Feed();
  readonly #browser: Browser;
  /** What the library has been told, by the key of the name. */
  readonly #told = new Map<string, { readonly name: string; readonly print: string }>();
  /** Places that have been counted as refused, by the name of the service. */
  readonly #refused = new Map<string, Set<string>>();
  readonly #refusals: Partial<Record<AddressProblem, number>> = {};

  constructor(deps: BrowsedTypeDeps) {
    this.#deps = deps;
    this.#domain = nameKey(`${deps.type}.local`);
    this.#cache = new ServiceCache({ type: this.#domain, wanted: deps.wanted });
    const [name = "", protocol] = deps.type.split(".").map((label) => label.replace(/^_/, ""));
    this.#browser = new Browser(this.#feed, { type: name, protocol: protocol === "udp" ? "udp" : "tcp" });
    this.#feed.asked.splice(0);
  }

  /** What was heard and left aside, by reason. */
  get ignored(): Readonly<Partial<Record<IgnoredRecord | AddressProblem, number>>> {
    return { ...this.#cache.ignored, ...this.#refusals };
  }

  /** @param at monotonic ms */
  take(records: readonly MdnsRecord[], at: number): void {
    this.#cache.take(records, at);
  }

  /** Lets go of what does not hold any more, and brings the library's list nearer to what is known: each change costs a walk through it. */
  settle(at: number): Settled {
    this.#cache.forget(at);
    const services = this.#cache.services(at);
    const gone = [...this.#told].filter(([key]) => !services.has(key));
    const changed = [...services].flatMap(([key, service]) => {
      const print = printOf(service);
      return this.#told.get(key)?.print === print ? [] : [{ key, service, print }];
    });
    for (const [key, { name }] of gone.slice(0, MOST_CHANGES)) {
      this.#told.delete(key);
      this.#feed.goodbye(this.#domain, name);
    }
    const isLate = changed.length > MOST_CHANGES;
    // Whoever invents services must not keep a driver from its own.
    const wanted = isLate ? changed.filter(({ service }) => this.#isWanted(service)) : [];
    for (const { key, service, print } of [...new Set([...wanted, ...changed])].slice(0, MOST_CHANGES)) {
      const told = this.#told.get(key);
      // A change of address, and some of the TXT record, it does not see: it is shown another service.
      if (told) this.#feed.goodbye(this.#domain, told.name);
      this.#told.set(key, { name: service.name, print });
      this.#feed.answer(this.#domain, service);
    }
    return {
      hasChanged: gone.length + changed.length > 0,
      isDone: !isLate && gone.length <= MOST_CHANGES,
      until: Math.min(...[...services.values()].map(({ until }) => until)),
    };
  }

  /** The library's question for all, and ours for what is missing or does not hold until then. */
  questions(at: number, until: number): MdnsQuestion[] {
    this.#browser.update();
    return [...this.#feed.asked.splice(0), ...this.missing(at, until)];
  }

  missing(at: number, until = at): MdnsQuestion[] {
    return this.#cache.questions(at, until);
  }

  announced(): readonly AnnouncedService[] {
    const { services } = this.#browser;
    const names = new Set(services.map(({ fqdn }) => nameKey(fqdn)));
    for (const name of this.#refused.keys()) if (!names.has(name)) this.#refused.delete(name);
    return services.flatMap((service) => {
      const { fqdn: name, addresses = [], port } = service;
      const instance = instanceOf(name, this.#domain);
      if (instance === undefined) return [];
      return [{ instance, addresses: this.#reachable(name, addresses, port), port, txt: readTxt(rawTxtOf(service)) }];
    });
  }

  end(): void {
    this.#browser.stop();
  }

  #isWanted({ txt }: KnownService): boolean {
    return this.#deps.wanted(readTxt(txt)) !== undefined;
  }

  #reachable(name: string, addresses: readonly string[], port: number): string[] {
    const reachable = addresses.flatMap((address) => {
      const place = this.#deps.place(address, port);
      if (place?.kind === "refused") this.#refuse({ name, address, port, why: place.why });
      return place?.kind === "onLink" ? [place.address] : [];
    });
    // IPv4 first: of IPv6 a hub's network often has no more than the link's own.
    return reachable.sort((a, b) => Number(a.includes(":")) - Number(b.includes(":")));
  }

  #refuse(place: RefusedPlace): void {
    const { name, address, port, why } = place;
    const refused = this.#refused.get(nameKey(name)) ?? new Set();
    const key = `${address} ${port}`;
    if (refused.has(key) || refused.size >= MOST_REFUSED) return;
    this.#refused.set(nameKey(name), refused.add(key));
    this.#refusals[why] = (this.#refusals[why] ?? 0) + 1;
    this.#deps.refused(place);
  }
}

/** What the library takes for multicast DNS: it asks here, and hears what it is to know. */
class Feed extends EventEmitter {
  readonly asked: MdnsQuestion[] = [];

  /** Called by the library. */
  query(name: string, type: "PTR"): void {
    this.asked.push({ name, type });
  }

  goodbye(type: string, name: string): void {
    this.#hear([{ name: type, type: "PTR", ...HOLDS, ttl: 0, data: name }]);
  }

  answer(type: string, { name, host, port, txt, addresses }: KnownService): void {
    this.#hear([
      { name: type, type: "PTR", ...HOLDS, data: name },
      { name, type: "SRV", ...HOLDS, data: { target: host, port } },
      { name, type: "TXT", ...HOLDS, data: txt },
      ...addresses.map((data) => ({ name: host, type: data.includes(":") ? "AAAA" : "A", ...HOLDS, data })),
    ]);
  }

  #hear(answers: readonly MdnsRecord[]): void {
    this.emit("response", { answers, additionals: [] });
  }
}

/** The same for two services only when the library must not be told of a change. */
function printOf({ host, port, txt, addresses }: KnownService): string {
  return JSON.stringify([host, port, txt.map((each) => each.toString("latin1")), [...addresses].sort()]);
}

/** The library lists it, its types do not say so. */
function rawTxtOf(service: object): readonly Buffer[] {
  const raw: unknown = "rawTxt" in service ? service.rawTxt : undefined;
  return Array.isArray(raw) ? raw.filter((each) => Buffer.isBuffer(each)) : [];
}
