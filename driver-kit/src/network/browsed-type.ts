/**
 * The services of one type, listed by the library's browser. The browser receives what our cache knows in full: a complete answer for
 * each new or changed service, preceded by a goodbye when it has changed, and a goodbye for each service that is gone. What the library
 * lacks, and why: docs/adr/0024-bonjour-service-over-our-own-cache.md.
 */
import { EventEmitter } from "node:events";
import { Browser } from "bonjour-service";
import type { MdnsQuestion, MdnsRecord } from "./mdns-socket.ts";
import type { AddressProblem, Place } from "./node-address.ts";
import { type IgnoredRecord, type KnownService, ServiceCache } from "./service-cache.ts";
import { instanceOf, nameKey, readTxt, type Txt } from "./service-names.ts";

/** A service that is announced now. */
export interface AnnouncedService {
  /** Its instance name, without the type. */
  readonly instance: string;
  /** Its announced addresses that the hub may connect to, IPv4 first, link-local addresses with their zone; may be empty. */
  readonly addresses: readonly string[];
  readonly port: number;
  readonly txt: Txt;
}

/** An announced place that the hub does not connect to. */
export interface RefusedPlace {
  /** The full name of the service. */
  readonly name: string;
  readonly address: string;
  readonly port: number;
  readonly why: AddressProblem;
}

export interface BrowsedTypeDeps {
  /** Such as `_shelly._tcp`. */
  readonly type: string;
  readonly wanted: (txt: Txt) => string | undefined;
  /** Whether the hub may connect to the address; undefined while there is no interface. */
  readonly place: (address: string, port: number) => Place | undefined;
  /** Called once for each refused place of a service. */
  readonly refused: (place: RefusedPlace) => void;
}

export interface Settled {
  /** The list has changed since the last call. */
  readonly hasChanged: boolean;
  /** The list is complete; otherwise `settle` must be called again soon. */
  readonly isDone: boolean;
  /** When the first known record expires, monotonic ms; infinite when nothing is known. */
  readonly until: number;
}

/** Maximum number of services that one call adds to the library's list, and that it removes from it. */
const MOST_CHANGES = 32;
/** Maximum number of refused places of one service that are counted and reported. */
const MOST_REFUSED = 8;
/** The library only receives records that are valid; the cache decides when they expire. */
const HOLDS = { ttl: 120, flush: false };

export class BrowsedType {
  readonly #deps: BrowsedTypeDeps;
  readonly #domain: string;
  readonly #cache: ServiceCache;
  readonly #feed = new Feed();
  readonly #browser: Browser;
  /** The services in the library's list, by the key of the name. */
  readonly #reported = new Map<string, { readonly name: string; readonly print: string }>();
  /** Places that are already counted as refused, by the name of the service. */
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

  /** Numbers of ignored records and addresses, by reason. */
  get ignored(): Readonly<Partial<Record<IgnoredRecord | AddressProblem, number>>> {
    return { ...this.#cache.ignored, ...this.#refusals };
  }

  /** @param at monotonic ms */
  take(records: readonly MdnsRecord[], at: number): void {
    this.#cache.take(records, at);
  }

  /** Deletes expired records, and brings the library's list closer to the cache: each change costs a walk through the list. */
  settle(at: number): Settled {
    this.#cache.forget(at);
    const services = this.#cache.services(at);
    const gone = [...this.#reported].filter(([key]) => !services.has(key));
    const changed = [...services].flatMap(([key, service]) => {
      const print = printOf(service);
      return this.#reported.get(key)?.print === print ? [] : [{ key, service, print }];
    });
    for (const [key, { name }] of gone.slice(0, MOST_CHANGES)) {
      this.#reported.delete(key);
      this.#feed.goodbye(this.#domain, name);
    }
    const isLate = changed.length > MOST_CHANGES;
    // A sender that invents services must not keep a driver from its own devices.
    const wanted = isLate ? changed.filter(({ service }) => this.#isWanted(service)) : [];
    for (const { key, service, print } of [...new Set([...wanted, ...changed])].slice(0, MOST_CHANGES)) {
      const reported = this.#reported.get(key);
      // The library does not notice a changed address or some changes of the TXT record: the service is removed and added again.
      if (reported) this.#feed.goodbye(this.#domain, reported.name);
      this.#reported.set(key, { name: service.name, print });
      this.#feed.answer(this.#domain, service);
    }
    return {
      hasChanged: gone.length + changed.length > 0,
      isDone: !isLate && gone.length <= MOST_CHANGES,
      until: Math.min(...[...services.values()].map(({ until }) => until)),
    };
  }

  /** The library's question for all services, and ours for records that are missing or expire before `until`. */
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
    // IPv4 first: of IPv6, a hub's network often has only link-local addresses.
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

/** The library's stand-in for a multicast DNS socket: it collects the library's questions and delivers our answers. */
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

/** A fingerprint of a service: equal for two states only when the library needs no update. */
function printOf({ host, port, txt, addresses }: KnownService): string {
  return JSON.stringify([host, port, txt.map((each) => each.toString("latin1")), [...addresses].sort()]);
}

/** The library sets this property, but its types do not declare it. */
function rawTxtOf(service: object): readonly Buffer[] {
  const raw: unknown = "rawTxt" in service ? service.rawTxt : undefined;
  return Array.isArray(raw) ? raw.filter((each) => Buffer.isBuffer(each)) : [];
}
