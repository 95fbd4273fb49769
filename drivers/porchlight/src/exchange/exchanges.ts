/** The hub's requests to one boot of a node: the window, the seqs, the timers of every exchange. It makes no decisions itself. */
import { NotTouched } from "@porchlight/driver-kit";
import { type Clock, isNamed } from "@porchlight/shared/kernel";
import { encodeFrame, encodeMessage, frameSize, type Message } from "@porchlight/shared/wire";
import type { FrameWriter, Outgoing } from "../line/frame-writer.ts";
import type { Line } from "../line/line.ts";
import type { LineCounters } from "../line/line-counters.ts";
import type { FrameTap } from "../line/line-frames.ts";
import { Alarm } from "./alarm.ts";
import {
  beginExchange,
  type ExchangeEnd,
  type ExchangeInput,
  type ExchangeState,
  exchangeTimerAt,
  stepExchange,
} from "./exchange-state.ts";
import { type Ask, RequestQueue } from "./request-queue.ts";
import type { Seqs } from "./seqs.ts";

export interface ExchangesDeps {
  readonly clock: Clock;
  readonly line: Pick<Line, "heardByteAt"> & { readonly writer: Pick<FrameWriter, "send"> };
  readonly counters: LineCounters;
  readonly seqs: Seqs;
  /** How long a try may stay unanswered, ms. */
  readonly timeoutMs: number;
  /** Number of requests that the node accepts at once. */
  readonly win: number;
  /** The node's largest frame, bytes. */
  readonly max: number;
  readonly tap?: FrameTap | undefined;
}

interface Exchange {
  readonly ask: Ask;
  readonly settle: (end: ExchangeEnd) => void;
  state: ExchangeState;
  /** Assigned when the line takes the first try. */
  seq: number | undefined;
  /** Its id among the acting requests. */
  act: number | undefined;
  frame: Uint8Array | undefined;
  /** The message in the frame. */
  message: Message | undefined;
  /** The try that waits for the line or is leaving; an earlier one is void. */
  outgoing: Outgoing | undefined;
  readonly alarm: Alarm;
}

export class Exchanges {
  readonly #deps: ExchangesDeps;
  readonly #acts: ActWindow;
  /** Exchanges in the node's window; `#bySeq` has those with a seq. */
  readonly #open = new Set<Exchange>();
  readonly #bySeq = new Map<number, Exchange>();
  readonly #pausing = new Set<Exchange>();
  readonly #queue: RequestQueue<Exchange>;
  /** Repetitions that wait until the node is certain to recognise them. */
  readonly #held = new Set<Exchange>();
  #lost = false;

  constructor(deps: ExchangesDeps) {
    this.#deps = deps;
    this.#acts = new ActWindow(deps.win);
    this.#queue = new RequestQueue(deps.clock);
  }

  /** Sends the request as soon as the window allows. Never rejects. */
  request(ask: Ask): Promise<ExchangeEnd> {
    return new Promise((resolve) => {
      if (this.#lost) return resolve({ kind: "lost", sent: false });
      const state = beginExchange(this.#deps.clock.monotonic());
      const alarm = new Alarm(this.#deps.clock, "request to a node", () => this.#look(exchange));
      const exchange: Exchange = {
        ask,
        settle: resolve,
        alarm,
        state,
        seq: undefined,
        act: undefined,
        frame: undefined,
        message: undefined,
        outgoing: undefined,
      };
      if (this.#mayStart(exchange)) return this.#start(exchange);
      this.#wait(exchange, false);
    });
  }

  /** Passes an answer to its exchange; false when no exchange waits for its seq. */
  answer(message: Message): boolean {
    const exchange = this.#bySeq.get(message.seq);
    if (!exchange) return false;
    const before = exchange.state;
    this.#step(exchange, { kind: "came", at: this.#deps.clock.monotonic(), message });
    return exchange.state !== before;
  }

  /** The node has sent HELLO in the same boot: S5. */
  hello(): void {
    const at = this.#deps.clock.monotonic();
    const isInDoubt = ({ state }: Exchange) => state.kind === "ready" && state.inDoubt;
    const open = [...this.#open, ...this.#pausing];
    for (let next = this.#queue.takeFirst(isInDoubt); next; next = this.#queue.takeFirst(isInDoubt)) open.push(next);
    for (const exchange of open) this.#step(exchange, { kind: "hello", at });
  }

  /** Ends all exchanges: their node has rebooted or is gone. */
  lose(): void {
    this.#lost = true;
    const waiting = [...this.#open, ...this.#pausing, ...this.#queue.takeAll()];
    for (const exchange of waiting) this.#step(exchange, { kind: "lost" });
  }

  #wait(exchange: Exchange, first: boolean): void {
    const tooLate = () => this.#step(exchange, { kind: "withheld" });
    this.#queue.add(exchange, exchange.ask.attempt, first, tooLate);
  }

  #fill(): void {
    for (const exchange of this.#held) this.#tryAgain(exchange);
    const mayStart = (exchange: Exchange) => this.#mayStart(exchange);
    while (this.#open.size < this.#deps.win) {
      const exchange = this.#queue.takeFirst(mayStart);
      if (!exchange) return;
      this.#start(exchange);
    }
  }

  #mayStart({ ask }: Exchange): boolean {
    return this.#open.size < this.#deps.win && (!ask.acts || this.#acts.mayBegin());
  }

  /** Gives the exchange its place in the window, and sends it. */
  #start(exchange: Exchange): void {
    const since = this.#deps.clock.monotonic();
    exchange.state = exchange.state.kind === "ready" ? { ...exchange.state, since } : exchange.state;
    if (exchange.ask.acts) exchange.act = this.#acts.begin();
    this.#open.add(exchange);
    this.#send(exchange);
  }

  /** Sends one try: permission is checked when the line takes it, and not before. */
  #send(exchange: Exchange): void {
    const { clock, line } = this.#deps;
    const outgoing: Outgoing = {
      take: () =>
        exchange.outgoing === outgoing && exchange.state.kind === "ready" ? this.#take(exchange) : undefined,
      left: () => {
        if (exchange.outgoing === outgoing) this.#step(exchange, { kind: "left", at: clock.monotonic() });
      },
    };
    exchange.outgoing = outgoing;
    if (!line.writer.send(outgoing)) this.#step(exchange, { kind: "withheld" });
    else if (exchange.outgoing === outgoing && exchange.state.kind === "ready") this.#arm(exchange);
  }

  /** The line is free: returns the bytes, or undefined when they must not leave. */
  #take(exchange: Exchange): Uint8Array | undefined {
    const at = this.#deps.clock.monotonic();
    const { attempt } = exchange.ask;
    // A repetition that waited for the line while the process was suspended waits for the input too.
    if (exchange.act !== undefined && exchange.frame !== undefined && exchange.alarm.isLate) {
      exchange.outgoing = undefined;
      this.#held.add(exchange);
      return undefined;
    }
    try {
      return attempt ? attempt.touch(() => this.#bytes(exchange, at)) : this.#bytes(exchange, at);
    } catch (failure) {
      if (!(failure instanceof NotTouched)) throw failure;
      this.#step(exchange, { kind: "late", at });
      return undefined;
    }
  }

  #bytes(exchange: Exchange, at: number): Uint8Array | undefined {
    if (exchange.frame === undefined && !this.#frame(exchange)) return undefined;
    const { message, frame, ask } = exchange;
    if (message && frame) this.#deps.tap?.asked(message, frame, ask.attempt?.command);
    this.#step(exchange, { kind: "taken", at });
    return exchange.frame;
  }

  /**
   * Encodes the frame and assigns the seq: not earlier, since a request that never leaves would leave a gap. False when the request is
   * rejected.
   */
  #frame(exchange: Exchange): boolean {
    const { seqs, max } = this.#deps;
    const message = exchange.ask.make(seqs.next);
    const frame = requestFrame(message, max);
    if (frame.kind === "rejected") {
      this.#finish(exchange, frame);
      return false;
    }
    exchange.frame = frame.bytes;
    exchange.message = message;
    exchange.seq = seqs.take();
    this.#bySeq.set(exchange.seq, exchange);
    exchange.ask.watch?.left();
    return true;
  }

  #step(exchange: Exchange, input: ExchangeInput): void {
    const before = exchange.state;
    const { answer, acts = false } = exchange.ask;
    const rules = { answer, acts, timeoutMs: this.#deps.timeoutMs };
    const state = stepExchange(before, input, rules);
    exchange.state = state;
    if (state === before) return;
    switch (state.kind) {
      case "ended":
        this.#finish(exchange, state.end);
        break;
      case "pausing":
        this.#release(exchange);
        this.#pausing.add(exchange);
        this.#arm(exchange);
        this.#fill();
        break;
      case "ready":
        if (before.kind === "pausing") this.#askAgain(exchange);
        else this.#tryAgain(exchange);
        break;
      case "leaving":
      case "waiting":
      case "settling":
        this.#held.delete(exchange);
        this.#arm(exchange);
        break;
    }
  }

  #tryAgain(exchange: Exchange): void {
    const { act, alarm } = exchange;
    if (act !== undefined && (alarm.isLate || !this.#acts.mayRepeat(act))) {
      this.#held.add(exchange);
      this.#arm(exchange);
      return;
    }
    this.#held.delete(exchange);
    if (act !== undefined) this.#acts.repeat(act);
    this.#deps.counters.triedAgain += 1;
    this.#send(exchange);
  }

  #askAgain(exchange: Exchange): void {
    this.#pausing.delete(exchange);
    this.#wait(exchange, true);
    this.#fill();
  }

  #look(exchange: Exchange): void {
    const before = exchange.state;
    const heardAt = this.#deps.line.heardByteAt;
    this.#step(exchange, { kind: "time", at: this.#deps.clock.monotonic(), heardAt });
    if (exchange.state !== before) return;
    if (this.#held.has(exchange)) this.#tryAgain(exchange);
    else this.#arm(exchange);
  }

  /** At most one timeout ahead, so that one timer serves a successful exchange through all its states. */
  #arm({ state, alarm }: Exchange): void {
    const { clock, timeoutMs, line } = this.#deps;
    const due = exchangeTimerAt(state, line.heardByteAt, { timeoutMs });
    if (due !== undefined) alarm.ringBy(Math.min(due, clock.monotonic() + timeoutMs));
  }

  #release(exchange: Exchange): void {
    this.#open.delete(exchange);
    if (exchange.seq !== undefined) this.#bySeq.delete(exchange.seq);
    if (exchange.act !== undefined) this.#acts.end(exchange.act);
    exchange.seq = undefined;
    exchange.frame = undefined;
    exchange.message = undefined;
    exchange.outgoing = undefined;
    exchange.act = undefined;
    this.#held.delete(exchange);
  }

  #finish(exchange: Exchange, end: ExchangeEnd): void {
    exchange.state = { kind: "ended", end };
    exchange.alarm.cancel();
    this.#release(exchange);
    this.#pausing.delete(exchange);
    if (end.kind === "silence") this.#deps.counters.silences += 1;
    if (end.kind === "answered") exchange.ask.watch?.answered();
    exchange.settle(end);
    this.#fill();
  }
}

/** The encoded frame of a request, or the reason why there is none: the hub itself rejects a request that the node could not accept. */
type RequestFrame =
  | { readonly kind: "frame"; readonly bytes: Uint8Array }
  | { readonly kind: "rejected"; readonly detail: string };

/**
 * DP5, "Values".
 * @param max the largest frame that the node accepts, bytes
 */
function requestFrame(message: Message, max: number): RequestFrame {
  try {
    const body = encodeMessage(message);
    if (frameSize(body) <= max) return { kind: "frame", bytes: encodeFrame(body) };
    return { kind: "rejected", detail: `The request is larger than the ${max} bytes that the device takes.` };
  } catch (error) {
    if (isNamed(error, "Device Rejected")) return { kind: "rejected", detail: error.message };
    throw error;
  }
}

interface Act {
  readonly id: number;
  /** Ids of acts that the node may have executed after this one: with `win` of them the node forgets its answer. */
  readonly after: number[];
}

/**
 * Decides which acting requests may be pending at once, so that a repetition is always recognised: a node need remember its answers to no
 * more than the last `win` WRITEs and IDENTIFYs, in the order in which it executed them. DP5, "Repetitions".
 */
export class ActWindow {
  readonly #win: number;
  readonly #open: Act[] = [];
  #last = 0;

  /** @param win number of requests that the node accepts at once, and of answers that it remembers */
  constructor(win: number) {
    this.#win = win;
  }

  /** Whether a new act evicts no answer that may still be needed from the node's memory. */
  mayBegin(): boolean {
    return this.#open.every((act) => this.#hasRoom(act));
  }

  /** A new act leaves; returns its id. */
  begin(): number {
    this.#last += 1;
    for (const act of this.#open) act.after.push(this.#last);
    this.#open.push({ id: this.#last, after: [] });
    return this.#last;
  }

  /** Whether the act may be sent again: if its first bytes were lost, the node executes it after later acts. */
  mayRepeat(id: number): boolean {
    return this.#open.every((act) => act.id <= id || act.after.includes(id) || this.#hasRoom(act));
  }

  /** The act is sent again. */
  repeat(id: number): void {
    for (const act of this.#open) if (act.id > id && !act.after.includes(id)) act.after.push(id);
  }

  /** The act is answered, or will not be repeated any more. It can be called repeatedly. */
  end(id: number): void {
    const at = this.#open.findIndex((act) => act.id === id);
    if (at !== -1) this.#open.splice(at, 1);
  }

  #hasRoom({ after }: Act): boolean {
    return after.length < this.#win - 1;
  }
}
