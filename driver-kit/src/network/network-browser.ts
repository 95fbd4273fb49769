/**
 * Browses one interface for the services that drivers subscribe to: one socket for all types and all drivers, open while there is a
 * subscriber. The runner around `browsed-type.ts`. Failures are retried without end.
 */
import { Backoff, type Clock, type Log, type Random, type Timer, TokenBucket } from "@porchlight/shared/kernel";
import type { NetworkServices, NetworkTrouble } from "../devices/announced-places.ts";
import { type AnnouncedService, BrowsedType, type RefusedPlace } from "./browsed-type.ts";
import type { HomeInterface, MdnsListener, MdnsQuestion, MdnsSocket } from "./mdns-socket.ts";
import type { Place } from "./node-address.ts";
import type { Txt } from "./service-names.ts";

export interface NetworkBrowserDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** The current interface; undefined while there is none. */
  readonly findInterface: () => HomeInterface | undefined;
  readonly open: (on: HomeInterface, listener: MdnsListener) => Promise<MdnsSocket>;
}

export interface BrowseOptions {
  /**
   * Which of the driver's devices a service belongs to; undefined when it is none that the driver wants. The first few services of each
   * wanted device are kept, however many others are announced.
   */
  readonly wanted?: ((txt: Txt) => string | undefined) | undefined;
}

/** Services of one type, shared by all drivers: listed while there is a subscriber. */
export interface BrowsedServices extends NetworkServices {
  /** All services with all addresses of each, including services without a known address. */
  announced(): readonly AnnouncedService[];
  /** Calls the listener when the list has changed, and at each round of questions: at least once a minute. */
  subscribe(listener: () => void): Disposable;
  trouble(): NetworkTrouble | undefined;
  /** Numbers of ignored records of the type, by reason. */
  ignored(): Readonly<Record<string, number>>;
}

interface Subscriber {
  readonly listener: () => void;
  readonly wanted: BrowseOptions["wanted"];
}

interface Entry {
  readonly browsed: BrowsedType;
  readonly subscribers: Set<Subscriber>;
}

/** Waits between questions: short after a start, then doubled each time. RFC 6762, section 5.2. */
const FIRST_QUESTION_MS = 1000;
const SLOWEST_QUESTION_MS = 60_000;
/** Announcements within this time are processed together, ms. */
const GATHER_MS = 100;
/** Rate of packets that are processed: a sender that is missed in a flood repeats its announcement. */
const PACKETS = { perSecond: 100, burst: 300 };
/** Maximum number of questions about missing records in one packet. */
const MOST_QUESTIONS = 16;
/** Maximum number of names whose refused places are logged: a sender that invents names must not fill the log. */
const MOST_LOGGED = 50;
const REOPEN = { firstMs: 500, capMs: 30_000, stableMs: 60_000 };

export class NetworkBrowser {
  readonly #deps: NetworkBrowserDeps;
  readonly #backoff: Backoff;
  readonly #rate: TokenBucket;
  readonly #types = new Map<string, Entry>();
  readonly #packets = { badPackets: 0, foreignPackets: 0, floods: 0 };
  readonly #logged = new Set<string>();
  #interface: HomeInterface | undefined;
  #socket: MdnsSocket | undefined;
  #openedAt = 0;
  /** When the last announcement arrived. */
  #heardAt = 0;
  #problem: string | undefined;
  #next: Timer | undefined;
  #gathering: Timer | undefined;
  /** Fires when the first known record expires. */
  #runsOut: { readonly at: number; readonly timer: Timer } | undefined;
  /** A socket whose opening ends in a later generation is closed again. */
  #generation = 0;
  #askedMoreAt = Number.NEGATIVE_INFINITY;

  constructor(deps: NetworkBrowserDeps) {
    this.#deps = deps;
    this.#backoff = new Backoff(REOPEN, deps.random);
    this.#rate = new TokenBucket(PACKETS, deps.clock.monotonic());
  }

  /** @param type such as `_shelly._tcp` */
  services(type: string, { wanted }: BrowseOptions = {}): BrowsedServices {
    const announced = () => this.#types.get(type)?.browsed.announced() ?? [];
    return {
      announced,
      current: () =>
        announced().flatMap(({ addresses: [address], ...service }) => (address ? [{ ...service, address }] : [])),
      subscribe: (listener) => this.#subscribe(type, { listener, wanted }),
      trouble: () => networkTrouble(this.#problem, this.#socket && this.#deps.clock.monotonic() - this.#heardAt),
      ignored: () => this.#types.get(type)?.browsed.ignored ?? {},
    };
  }

  /** Whether the hub may connect there, by the current interface; undefined while there is none. */
  place(address: string, port: number): Place | undefined {
    return this.#deps.findInterface()?.place(address, port);
  }

  /** For `status`: the interface, the problem if there is one, and the numbers of ignored packets. */
  status() {
    const ignored = Object.fromEntries(Object.entries(this.#packets).filter(([, count]) => count > 0));
    const { name, address } = this.#interface ?? {};
    return { interface: name, address, listening: this.#socket !== undefined, problem: this.#problem, ignored };
  }

  #subscribe(type: string, subscriber: Subscriber): Disposable {
    const isFirst = this.#types.size === 0;
    const entry = this.#types.get(type) ?? { browsed: this.#browse(type), subscribers: new Set() };
    const isNew = !this.#types.has(type);
    this.#types.set(type, entry);
    entry.subscribers.add(subscriber);
    if (isFirst) void this.#open();
    else if (isNew && this.#socket) this.#ask(FIRST_QUESTION_MS);
    return {
      [Symbol.dispose]: () => {
        entry.subscribers.delete(subscriber);
        if (entry.subscribers.size > 0 || this.#types.get(type) !== entry) return;
        this.#types.delete(type);
        entry.browsed.end();
        if (this.#types.size === 0) this.#close();
      },
    };
  }

  #browse(type: string): BrowsedType {
    return new BrowsedType({
      type,
      place: (address, port) => this.#interface?.place(address, port),
      refused: (place) => this.#refused(place),
      wanted: (txt) => {
        for (const { wanted } of this.#types.get(type)?.subscribers ?? []) {
          const device = wanted?.(txt);
          if (device !== undefined) return device;
        }
        return undefined;
      },
    });
  }

  #close(): void {
    this.#generation += 1;
    this.#next?.cancel();
    this.#gathering?.cancel();
    this.#gathering = undefined;
    this.#runsOut?.timer.cancel();
    this.#runsOut = undefined;
    this.#socket?.[Symbol.dispose]();
    this.#socket = undefined;
  }

  async #open(): Promise<void> {
    const { clock, log, findInterface, open } = this.#deps;
    this.#generation += 1;
    const generation = this.#generation;
    const current = () => generation === this.#generation;
    const found = findInterface();
    if (!found) {
      this.#failed("there is no such interface, or it has no address");
      return;
    }
    this.#interface = found;
    const listener: MdnsListener = {
      answer: (records) => {
        if (!current()) return;
        this.#heardAt = clock.monotonic();
        if (!this.#rate.take(clock.monotonic())) {
          this.#packets.floods += 1;
          return;
        }
        for (const { browsed } of this.#types.values()) browsed.take(records, clock.monotonic());
        this.#gather();
      },
      ignored: (what) => {
        this.#packets[what] += 1;
      },
      failed: (reason) => {
        if (current()) this.#failed(reason);
      },
    };
    let socket: MdnsSocket;
    try {
      socket = await open(found, listener);
    } catch (failure) {
      if (current()) this.#failed(failure instanceof Error ? failure.message : String(failure));
      return;
    }
    if (!current()) {
      socket[Symbol.dispose]();
      return;
    }
    this.#socket = socket;
    this.#openedAt = clock.monotonic();
    this.#heardAt = this.#openedAt;
    this.#problem = undefined;
    log.info({ interface: found.name, address: found.address }, "looking for devices on the network");
    this.#ask(FIRST_QUESTION_MS);
  }

  /** Asks for all types, for missing records and for records that expire, and schedules the next round. */
  #ask(waitMs: number): void {
    const { clock, findInterface } = this.#deps;
    this.#next?.cancel();
    // An address that is gone, for example with an expired lease of the router, takes the group membership with it.
    if (findInterface()?.address !== this.#interface?.address) {
      this.#failed("the interface has a new address");
      return;
    }
    for (const entry of this.#types.values()) {
      this.#settle(entry, clock.monotonic());
      this.#tell(entry);
    }
    // The notified subscribers may have unsubscribed.
    if (!this.#socket) return;
    const now = clock.monotonic();
    const next = Math.min(waitMs * 2, SLOWEST_QUESTION_MS);
    this.#socket.ask([...this.#types.values()].flatMap(({ browsed }) => browsed.questions(now, now + waitMs)));
    this.#next = clock.timer("question to the network", waitMs, () => this.#ask(next));
  }

  #failed(reason: string): void {
    const { clock, log } = this.#deps;
    const lasted = this.#socket ? clock.monotonic() - this.#openedAt : 0;
    this.#close();
    if (this.#problem !== reason)
      log.warn({ reason }, "the hub cannot look for devices on the network; it tries again");
    this.#problem = reason;
    this.#next = clock.timer("network to be listened to again", this.#backoff.next(lasted), () => void this.#open());
  }

  /** Logs each name once: an announcement is repeated as long as it holds. */
  #refused(place: RefusedPlace): void {
    if (this.#logged.has(place.name) || this.#logged.size >= MOST_LOGGED) return;
    this.#logged.add(place.name);
    this.#deps.log.warn(
      { ...place },
      "a device is announced at an address to which the hub does not connect; the announcement is ignored",
    );
  }

  /** Delays processing, so that an announcement that flaps or arrives in pieces is complete. */
  #gather(): void {
    this.#gathering ??= this.#deps.clock.timer("announcements on the network", GATHER_MS, () => {
      this.#gathering = undefined;
      const now = this.#deps.clock.monotonic();
      for (const entry of this.#types.values()) if (this.#settle(entry, now)) this.#tell(entry);
      const questions = [...this.#types.values()].flatMap(({ browsed }) => browsed.missing(now));
      if (questions.length > 0) this.#askMore(questions.slice(0, MOST_QUESTIONS));
    });
  }

  /** Updates the list of a type. Returns whether it has changed. */
  #settle({ browsed }: Entry, now: number): boolean {
    const { hasChanged, isDone, until } = browsed.settle(now);
    if (!isDone) this.#gather();
    if (until < (this.#runsOut?.at ?? Number.POSITIVE_INFINITY)) {
      this.#runsOut?.timer.cancel();
      const timer = this.#deps.clock.timer("what is announced runs out", until - now, () => {
        this.#runsOut = undefined;
        this.#gather();
      });
      this.#runsOut = { at: until, timer };
    }
    return hasChanged;
  }

  /** At most once a second: services that never answer must not make the hub flood the network. */
  #askMore(questions: readonly MdnsQuestion[]): void {
    const now = this.#deps.clock.monotonic();
    if (now - this.#askedMoreAt < FIRST_QUESTION_MS) return;
    this.#askedMoreAt = now;
    this.#socket?.ask(questions);
  }

  #tell({ subscribers }: Entry): void {
    for (const { listener } of [...subscribers]) {
      try {
        listener();
      } catch (failure) {
        this.#deps.log.error({ failure: String(failure) }, "a driver has failed at what is announced on the network");
      }
    }
  }
}

/**
 * When no announcement arrives for this long, probably none reaches the hub, ms: devices answer each round of questions, at least one a
 * minute.
 */
const SILENT_MS = 300_000;
const BY_ADDRESS = "or name devices by their address in the settings under `drivers`.";

/**
 * Why announcements do not reach the hub, in words. Pure.
 * @param problem why there is no socket; undefined while there is one
 * @param silentMs time since the last announcement; undefined while the hub does not listen
 */
function networkTrouble(problem: string | undefined, silentMs: number | undefined): NetworkTrouble | undefined {
  if (problem !== undefined)
    return {
      why: "cannot_listen",
      says: `The hub cannot look for devices on the network: ${problem}.`,
      cure: `Check the hub's network, and \`lan\` in its settings, ${BY_ADDRESS}`,
    };
  if (silentMs === undefined || silentMs < SILENT_MS) return undefined;
  return {
    why: "nothing_announced",
    says: "No device announces itself on the network. Multicast may be blocked.",
    cure: `Allow multicast DNS (UDP port 5353, 224.0.0.251) in the hub's firewall and in the access point, ${BY_ADDRESS}`,
  };
}
