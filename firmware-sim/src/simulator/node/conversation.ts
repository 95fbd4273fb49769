/**
 * A node's conversation with its hub: greeting, keep-alive, reports, and passing on of requests. It runs the pure decisions of
 * greeting, life and `reports`: receives frames, calls them, sends, and owns the one timer. DP5.
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
  /** The current HELLO. */
  hello(seq: number): Message;
  /** The message of a report. */
  report(item: OutgoingReport | Changed, seq: number): Message;
  /** Serves a request for a device. */
  serve(request: DeviceRequest, body: Uint8Array): void;
  /** Answers with ERROR 9, also when the request is repeated. */
  turnAway(request: DeviceRequest, body: Uint8Array, why: string): void;
  /** Called when the node returns to HELLO or receives WHO: the remembered answers are dropped. */
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
  /** Seqs of all HELLOs of this boot: a HELLO_ACK to any of them counts. */
  readonly #hellos = new Set<number>();
  #timer: Timer | undefined;

  /** @param seq first seq of this boot */
  constructor(deps: ConversationDeps, seq: number) {
    this.#deps = deps;
    this.#seq = seq;
  }

  get state(): Session["kind"] {
    return this.#session.kind;
  }

  /** Number of reports and changes that no ACK has settled. */
  get untold(): number {
    return this.#reports.queue.length;
  }

  /** A line is available: returns to HELLO. */
  connected(): void {
    this.#backToHello();
  }

  /** No line is left; pending reports stay queued. */
  disconnected(): void {
    this.#session = { kind: "unplugged" };
    this.#deps.forget();
    this.#run();
  }

  /** Returns to HELLO with the same boot, as after silence of its hub (A3). */
  relapse(): void {
    if (this.#session.kind === "live") this.#backToHello();
  }

  /** Starts a new boot: pending reports are lost. */
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

  /** Handles a frame with a good CRC. */
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

  /**
   * Whether a message is an echo: one that only a node sends, or the node's own unanswered PING. An echoing line proves nothing about
   * the hub.
   */
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
        // Reject while greeting: the node has forgotten its answers, so this may be a repetition (R6).
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

  /** Sends what is due and sets the timer for the next message. */
  #run(): void {
    this.#timer?.cancel();
    const at = this.#session.kind === "greeting" ? this.#sayHello(this.#session.greeting) : this.#live();
    if (at === undefined) return;
    this.#timer = this.#deps.clock.timer("node", Math.max(0, at - this.#deps.clock.monotonic()), () => this.#run());
  }

  /** Sends HELLO when it is due; returns the time of the next. */
  #sayHello(greeting: Greeting): number {
    const now = this.#deps.clock.monotonic();
    if (now < greeting.nextAt) return greeting.nextAt;
    const next = greeted(greeting, now);
    this.#session = { kind: "greeting", greeting: next };
    this.#deps.send(this.#deps.hello(greeting.seq));
    return next.nextAt;
  }

  /** Sends the PING or the report that is due; returns the time of the next. */
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

/** Decides whether the other side is alive, without I/O. DP5, "Life". Times are monotonic ms. */
interface Life {
  /** Arrival time of the last frame with a good CRC. */
  readonly heardAt: number;
  /** Seqs of the PINGs since the last received frame, oldest first. */
  readonly pings: readonly number[];
  readonly pingedAt: number;
}

/** A frame with a good CRC has arrived. */
function heard(now: number): Life {
  return { heardAt: now, pings: [], pingedAt: now };
}

/** A PING was sent. */
function pinged(life: Life, seq: number, now: number): Life {
  return { ...life, pings: [...life.pings, seq], pingedAt: now };
}

/** The next action and its time: another PING, or closing the link. */
function lifeDue(life: Life): { readonly at: number; readonly what: "ping" | "down" } {
  if (life.pings.length === 0) return { at: life.heardAt + TIMES.silence, what: "ping" };
  return { at: life.pingedAt + TIMES.pong, what: life.pings.length < PINGS ? "ping" : "down" };
}

/**
 * Decides when a node sends HELLO, without I/O, so that a table can test the times: the state of a node that has not been acknowledged
 * since it booted, received WHO or lost its hub. Times are monotonic ms.
 */
interface Greeting {
  /** Seq of this greeting's HELLO, the same for every repetition. */
  readonly seq: number;
  readonly since: number;
  /** Time of the next HELLO. */
  readonly nextAt: number;
}

/** A greeting that starts now. */
function greet(seq: number, now: number): Greeting {
  return { seq, since: now, nextAt: now };
}

/** HELLO was sent: repeat it in a second, after a minute in ten. DP5, "Start". */
function greeted(greeting: Greeting, now: number): Greeting {
  const patient = now - greeting.since < TIMES.helloPatience;
  return { ...greeting, nextAt: now + (patient ? TIMES.hello : TIMES.helloSlow) };
}

/** HELLO was answered with ERROR 11 or 12: repeat it after a minute, unless a WHO arrives. */
function turnedAway(greeting: Greeting, now: number): Greeting {
  return { ...greeting, nextAt: now + TIMES.helloRefused };
}

/** A WHO arrived: HELLO is due at once, and the minute of fast HELLOs starts again. */
function asked(greeting: Greeting, now: number): Greeting {
  return { ...greeting, since: now, nextAt: now };
}
