/** Listens for nodes on one interface and asks for them: the runner around `sightings.ts`. Failures are retried without end. */
import { Backoff, type Clock, type Log, type Random, type Timer } from "@porchlight/shared/kernel";
import type { HomeInterface, MdnsListener, MdnsQuestion, MdnsSocket } from "../../links/index.ts";
import { SERVICE } from "./announcement.ts";
import { type Ignored, type RefusedPlace, type Sighting, Sightings } from "./sightings.ts";

export interface BrowserDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** The interface as it is now; undefined while there is none. */
  readonly findInterface: () => HomeInterface | undefined;
  readonly open: (on: HomeInterface, listener: MdnsListener) => Promise<MdnsSocket>;
  /** Whether the hub speaks to a node of that edgeId. */
  readonly isWanted: (edgeId: string) => boolean;
  /** The nodes have changed, or may have. */
  readonly changed: () => void;
}

/** Waits between questions: quick after a start, then ever slower. RFC 6762, section 5.2. */
const FIRST_QUESTION_MS = 1000;
const SLOWEST_QUESTION_MS = 60_000;
/** After something has been heard it is told within this time, once however much it was, ms. */
const GATHER_MS = 100;
/** Packets that are looked at: a second on average, and at once. */
const PACKETS_PER_SECOND = 100;
const PACKET_BURST = 300;
/** Names whose refused places are logged: a sender that invents names does not fill the log. */
const MOST_LOGGED = 50;
const REOPEN = { firstMs: 500, capMs: 30_000, stableMs: 60_000 };

type Refused = Ignored | "badPackets" | "foreignPackets" | "floods";

export class Browser implements Disposable {
  readonly #deps: BrowserDeps;
  readonly #backoff: Backoff;
  readonly #sightings: Sightings;
  readonly #packets = { badPackets: 0, foreignPackets: 0, floods: 0 };
  #interface: HomeInterface | undefined;
  #socket: MdnsSocket | undefined;
  #openedAt = 0;
  #problem: string | undefined;
  #next: Timer | undefined;
  #gathering: Timer | undefined;
  #room = PACKET_BURST;
  #roomAt = 0;
  #generation = 0;
  readonly #logged = new Set<string>();
  #askedMoreAt = Number.NEGATIVE_INFINITY;

  private constructor(deps: BrowserDeps) {
    this.#deps = deps;
    this.#backoff = new Backoff(REOPEN, deps.random);
    this.#sightings = new Sightings({
      isWanted: deps.isWanted,
      place: (address, port) => this.#interface?.place(address, port),
      refused: (place) => this.#refused(place),
    });
  }

  static start(deps: BrowserDeps): Browser {
    const browser = new Browser(deps);
    void browser.#open();
    return browser;
  }

  /** Nodes that are announced now, by edgeId. */
  nodes(): ReadonlyMap<string, Sighting> {
    return this.#sightings.nodes(this.#deps.clock.monotonic());
  }

  /** For `status`. */
  status() {
    const ignored: Partial<Record<Refused, number>> = { ...this.#sightings.ignored };
    for (const what of ["badPackets", "foreignPackets", "floods"] as const) {
      if (this.#packets[what] > 0) ignored[what] = this.#packets[what];
    }
    const { name, address } = this.#interface ?? {};
    return { interface: name, address, listening: this.#socket !== undefined, problem: this.#problem, ignored };
  }

  [Symbol.dispose](): void {
    this.#generation += 1;
    this.#next?.cancel();
    this.#gathering?.cancel();
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
        if (!current() || !this.#hasRoom()) return;
        this.#sightings.take(records, clock.monotonic());
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
    this.#problem = undefined;
    log.info({ interface: found.name, address: found.address }, "looking for devices on the network");
    this.#ask(FIRST_QUESTION_MS);
  }

  /** Asks for everybody, for what is not known in full, and comes back later each time. */
  #ask(waitMs: number): void {
    const { clock, findInterface } = this.#deps;
    const now = clock.monotonic();
    // An address that has gone, as a lease of the router does, takes the membership of the group with it.
    const found = findInterface();
    if (found?.address !== this.#interface?.address) {
      this.#failed("the interface has a new address");
      return;
    }
    this.#sightings.forget(now);
    this.#deps.changed();
    const everybody: MdnsQuestion = { name: SERVICE, type: "PTR" };
    this.#socket?.ask([everybody, ...this.#sightings.questions(now)]);
    if (this.#socket) {
      const next = Math.min(waitMs * 2, SLOWEST_QUESTION_MS);
      this.#next = clock.timer("question to the network", waitMs, () => this.#ask(next));
    }
  }

  #failed(reason: string): void {
    const { clock, log } = this.#deps;
    const lasted = this.#socket ? clock.monotonic() - this.#openedAt : 0;
    this.#generation += 1;
    this.#next?.cancel();
    this.#socket?.[Symbol.dispose]();
    this.#socket = undefined;
    if (this.#problem !== reason)
      log.warn({ reason }, "the hub cannot look for devices on the network; it tries again");
    this.#problem = reason;
    this.#next = clock.timer("network to be listened to again", this.#backoff.next(lasted), () => void this.#open());
  }

  /** Once for each name: an announcement is repeated for as long as it holds. */
  #refused(place: RefusedPlace): void {
    if (this.#logged.has(place.name) || this.#logged.size >= MOST_LOGGED) return;
    this.#logged.add(place.name);
    this.#deps.log.warn(
      { ...place },
      "a node is announced at an address to which the hub does not connect; the announcement is ignored",
    );
  }

  /** A flood is not worked through: who is missed says it again. */
  #hasRoom(): boolean {
    const now = this.#deps.clock.monotonic();
    this.#room = Math.min(PACKET_BURST, this.#room + ((now - this.#roomAt) / 1000) * PACKETS_PER_SECOND);
    this.#roomAt = now;
    if (this.#room < 1) {
      this.#packets.floods += 1;
      return false;
    }
    this.#room -= 1;
    return true;
  }

  /** An announcement that flaps, or comes in pieces, is looked at when it has had its say. */
  #gather(): void {
    this.#gathering ??= this.#deps.clock.timer("announcements on the network", GATHER_MS, () => {
      this.#gathering = undefined;
      this.#deps.changed();
      const questions = this.#sightings.questions(this.#deps.clock.monotonic());
      if (questions.length > 0) this.#askMore(questions);
    });
  }

  /** At most once a second: nodes that never answer must not make the hub flood the network. */
  #askMore(questions: readonly MdnsQuestion[]): void {
    const now = this.#deps.clock.monotonic();
    if (now - this.#askedMoreAt < FIRST_QUESTION_MS) return;
    this.#askedMoreAt = now;
    this.#socket?.ask(questions);
  }
}
