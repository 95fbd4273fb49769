/**
 * A node's talk with its hub: greeting, staying alive, reporting, and handing requests on. The runner of the decision
 * files `greeting`, `life` and `reports`: it hears, asks them, sends, and keeps the one timer. DP5.
 */
import type { Clock, Timer } from "@porchlight/shared/kernel";
import type { PropertyAddress, Value } from "@porchlight/shared/model";
import {
  decodeBody,
  ERROR_CODE,
  isRequest,
  type Message,
  mayCome,
  nextSeq,
  PINGS,
  TIMES,
} from "@porchlight/shared/wire";
import {
  type Changed,
  departed,
  NO_REPORTS,
  nextReport,
  type OutgoingReport,
  offer,
  putOff,
  type Reports,
  resumed,
  sent,
  settled,
  written,
} from "./reports.ts";
import { type DeviceRequest, errorAnswer } from "./requests.ts";

export interface ConversationDeps {
  readonly clock: Clock;
  send(message: Message): void;
  /** HELLO as it is now. */
  hello(seq: number): Message;
  /** A report as it goes on the wire. */
  report(item: OutgoingReport | Changed, seq: number): Message;
  /** Serves a request for a device. */
  serve(request: DeviceRequest, body: Uint8Array): void;
  /** Answers with ERROR 9, and a repetition of the request too. */
  turnAway(request: DeviceRequest, body: Uint8Array, why: string): void;
  /** The node goes back to HELLO, or heard WHO: remembered answers are forgotten. */
  forget(): void;
}

type Session =
  | { readonly kind: "unplugged" }
  | { readonly kind: "greeting"; readonly greeting: Greeting }
  | { readonly kind: "live"; readonly life: Life };

export class Conversation {
  readonly #deps: ConversationDeps;
  #session: Session = { kind: "unplugged" };
  #reports: Reports = NO_REPORTS;
  #seq: number;
  /** Seqs of every HELLO of this boot: a HELLO_ACK to any of them counts. */
  readonly #hellos = new Set<number>();
  #timer: Timer | undefined;

  /** @param seq where this boot's seqs start */
  constructor(deps: ConversationDeps, seq: number) {
    this.#deps = deps;
    this.#seq = seq;
  }

  get state(): Session["kind"] {
    return this.#session.kind;
  }

  /** Reports and changes that no ACK has settled yet. */
  get untold(): number {
    return this.#reports.queue.length;
  }

  /** A line is there: back to HELLO. */
  connected(): void {
    this.#backToHello();
  }

  /** No line is there; what waits to be reported goes on waiting. */
  disconnected(): void {
    this.#session = { kind: "unplugged" };
    this.#deps.forget();
    this.#run();
  }

  /** Its hub counts as silent: back to HELLO with the same boot (A3). */
  relapse(): void {
    if (this.#session.kind === "live") this.#backToHello();
  }

  /** A new boot: all that was waiting is lost. */
  reboot(seq: number): void {
    this.#seq = seq;
    this.#hellos.clear();
    this.#reports = NO_REPORTS;
    if (this.#session.kind !== "unplugged") this.#backToHello();
  }

  end(): void {
    this.#session = { kind: "unplugged" };
    this.#timer?.cancel();
  }

  tell(item: OutgoingReport | Changed): void {
    this.#reports = offer(this.#reports, item);
    this.#run();
  }

  written(place: number, address: PropertyAddress, value: Value): void {
    this.#reports = written(this.#reports, place, address, value);
  }

  departed(place: number): void {
    this.#reports = departed(this.#reports, place);
  }

  /** A frame with a good CRC has come. */
  received(body: Uint8Array): void {
    const decoded = decodeBody(body);
    if (decoded.kind === "message" && this.#isEcho(decoded.message)) return;
    if (this.#session.kind === "live") this.#session = { kind: "live", life: heard(this.#deps.clock.monotonic()) };
    if (decoded.kind === "message") this.#message(decoded.message, body);
    else if (decoded.kind === "unknown_type")
      this.#deps.send(errorAnswer(decoded.seq, ERROR_CODE.unknownType, "Unknown type."));
    else if (decoded.kind === "malformed" && isRequest(decoded.type) && mayCome(decoded.type, "hub")) {
      this.#deps.send(errorAnswer(decoded.seq, ERROR_CODE.malformed, "A field is missing or wrong."));
    }
  }

  /** What only a node sends, or one's own unanswered PING: a line that echoes says nothing of the hub. */
  #isEcho(message: Message): boolean {
    if (!mayCome(message.type, "hub")) return true;
    const pings = this.#session.kind === "live" ? this.#session.life.pings : [];
    return message.type === "PING" && pings.includes(message.seq);
  }

  #message(message: Message, body: Uint8Array): void {
    switch (message.type) {
      case "WHO":
        this.#who();
        break;
      case "HELLO_ACK":
        if (this.#session.kind === "greeting" && this.#hellos.has(message.seq)) this.#acknowledged();
        break;
      case "PING":
        this.#deps.send({ type: "PONG", seq: message.seq });
        break;
      case "ACK":
        this.#reports = settled(this.#reports, message.seq);
        this.#run();
        break;
      case "ERROR":
        this.#error(message.seq, message.code);
        break;
      case "WRITE":
      case "IDENTIFY":
        // It has forgotten what it did: this may be a repetition (R6).
        if (this.#session.kind === "live") this.#deps.serve(message, body);
        else this.#deps.turnAway(message, body, "Busy: no hub has acknowledged this boot yet.");
        break;
      case "DESCRIBE":
      case "READ":
        this.#deps.serve(message, body);
        break;
    }
  }

  #acknowledged(): void {
    const now = this.#deps.clock.monotonic();
    this.#session = { kind: "live", life: heard(now) };
    this.#reports = resumed(this.#reports, now);
    this.#run();
  }

  #who(): void {
    if (this.#session.kind !== "greeting") {
      this.#backToHello();
      return;
    }
    this.#deps.forget();
    this.#session = { kind: "greeting", greeting: asked(this.#session.greeting, this.#deps.clock.monotonic()) };
    this.#run();
  }

  #error(seq: number, code: number): void {
    const now = this.#deps.clock.monotonic();
    if (this.#session.kind === "greeting" && this.#hellos.has(seq)) {
      const away = code === ERROR_CODE.versionNotSupported || code === ERROR_CODE.notAdmitted;
      if (away) this.#session = { kind: "greeting", greeting: turnedAway(this.#session.greeting, now) };
    } else {
      this.#reports = code === ERROR_CODE.busy ? putOff(this.#reports, seq, now) : settled(this.#reports, seq);
    }
    this.#run();
  }

  #backToHello(): void {
    this.#deps.forget();
    const seq = this.#nextSeq();
    this.#hellos.add(seq);
    this.#session = { kind: "greeting", greeting: greet(seq, this.#deps.clock.monotonic()) };
    this.#run();
  }

  /** Does what is due and sets the timer for what comes next. */
  #run(): void {
    this.#timer?.cancel();
    const at = this.#session.kind === "greeting" ? this.#sayHello(this.#session.greeting) : this.#live();
    if (at === undefined) return;
    this.#timer = this.#deps.clock.timer("node", Math.max(0, at - this.#deps.clock.monotonic()), () => this.#run());
  }

  /** Says HELLO when it is due; gives when the next is. */
  #sayHello(greeting: Greeting): number {
    const now = this.#deps.clock.monotonic();
    if (now < greeting.nextAt) return greeting.nextAt;
    const next = greeted(greeting, now);
    this.#session = { kind: "greeting", greeting: next };
    this.#deps.send(this.#deps.hello(greeting.seq));
    return next.nextAt;
  }

  /** Sends the PING or the report that is due; gives when the next is. */
  #live(): number | undefined {
    if (this.#session.kind !== "live") return undefined;
    const now = this.#deps.clock.monotonic();
    const due = lifeDue(this.#session.life);
    if (due.at <= now && due.what === "down") {
      this.#backToHello();
      return undefined;
    }
    if (due.at <= now) this.#ping(this.#session.life, now);
    this.#sendReport(now);
    return Math.min(lifeDue(this.#session.life).at, nextReport(this.#reports)?.at ?? Number.POSITIVE_INFINITY);
  }

  #ping(life: Life, now: number): void {
    const seq = this.#nextSeq();
    this.#session = { kind: "live", life: pinged(life, seq, now) };
    this.#deps.send({ type: "PING", seq });
  }

  #sendReport(now: number): void {
    const next = nextReport(this.#reports);
    if (!next || next.at > now) return;
    const seq = next.seq ?? this.#nextSeq();
    this.#reports = sent(this.#reports, seq, now);
    this.#deps.send(this.#deps.report(next.item, seq));
  }

  #nextSeq(): number {
    this.#seq = nextSeq(this.#seq);
    return this.#seq;
  }
}

// Whether the other side is still there: a decision without I/O. DP5, "Life".

/** Instants are monotonic ms. */
interface Life {
  /** When the last frame with a good CRC came. */
  readonly heardAt: number;
  /** The seqs of the PINGs that nothing has come after, oldest first. */
  readonly pings: readonly number[];
  readonly pingedAt: number;
}

/** A frame with a good CRC has come. */
function heard(now: number): Life {
  return { heardAt: now, pings: [], pingedAt: now };
}

/** A PING has been sent. */
function pinged(life: Life, seq: number, now: number): Life {
  return { ...life, pings: [...life.pings, seq], pingedAt: now };
}

/** When something must be done, and what: another PING, or to take the link as down. */
function lifeDue(life: Life): { readonly at: number; readonly what: "ping" | "down" } {
  if (life.pings.length === 0) return { at: life.heardAt + TIMES.silence, what: "ping" };
  return { at: life.pingedAt + TIMES.pong, what: life.pings.length < PINGS ? "ping" : "down" };
}

// When a node says HELLO: a decision without I/O, so that its seconds and minutes stand in one table of tests.

/** A node that has not been acknowledged since it booted, heard WHO or lost its hub. Instants are monotonic ms. */
interface Greeting {
  /** The seq of this greeting's HELLO, the same at every repetition. */
  readonly seq: number;
  readonly since: number;
  /** When HELLO must be said next. */
  readonly nextAt: number;
}

/** A greeting that begins now. */
function greet(seq: number, now: number): Greeting {
  return { seq, since: now, nextAt: now };
}

/** HELLO has been said: again in a second, after a minute in ten. DP5, "Start". */
function greeted(greeting: Greeting, now: number): Greeting {
  const patient = now - greeting.since < TIMES.helloPatience;
  return { ...greeting, nextAt: now + (patient ? TIMES.hello : TIMES.helloSlow) };
}

/** HELLO was answered with ERROR 11 or 12: not again for a minute, unless a WHO asks. */
function turnedAway(greeting: Greeting, now: number): Greeting {
  return { ...greeting, nextAt: now + TIMES.helloRefused };
}

/** A WHO asks: HELLO is due at once, and somebody is there to be patient with. */
function asked(greeting: Greeting, now: number): Greeting {
  return { ...greeting, since: now, nextAt: now };
}
