/** The hub's requests to one boot of a node: the window, the seqs, the timers of every exchange. Decides nothing itself. */
import { type Attempt, NotTouched } from "@porchlight/driver-kit";
import { type Clock, isNamed } from "@porchlight/shared/kernel";
import { encodeFrame, encodeMessage, frameSize, type Message } from "@porchlight/shared/wire";
import type { FrameTap } from "../frames/line-frames.ts";
import type { FrameWriter, Outgoing } from "../line/frame-writer.ts";
import type { Line } from "../line/line.ts";
import type { LineCounters } from "../line/line-counters.ts";
import { Alarm } from "./alarm.ts";
import type { Ask } from "./ask.ts";
import {
  beginExchange,
  type ExchangeEnd,
  type ExchangeInput,
  type ExchangeState,
  exchangeTimerAt,
  stepExchange,
} from "./exchange-state.ts";
import type { Seqs } from "./seqs.ts";

export interface ExchangesDeps {
  readonly clock: Clock;
  readonly line: Pick<Line, "heardByteAt"> & { readonly writer: Pick<FrameWriter, "send"> };
  readonly counters: LineCounters;
  readonly seqs: Seqs;
  /** How long a try may be silent, ms. */
  readonly timeoutMs: number;
  /** Requests that the node takes at once. */
  readonly win: number;
  /** Its largest frame, bytes. */
  readonly max: number;
  readonly tap?: FrameTap | undefined;
}

interface Exchange {
  readonly ask: Ask;
  readonly settle: (end: ExchangeEnd) => void;
  state: ExchangeState;
  /** Given by the line when it takes the first try. */
  seq: number | undefined;
  /** Its id among the requests that act. */
  act: number | undefined;
  frame: Uint8Array | undefined;
  /** What the frame says. */
  message: Message | undefined;
  /** Its try that waits for the line or is leaving: one before it is void. */
  outgoing: Outgoing | undefined;
  readonly alarm: Alarm;
}

export class Exchanges {
  readonly #deps: ExchangesDeps;
  readonly #acts: ActWindow;
  /** In the node's window, and those of them that have a seq, by that. */
  readonly #open = new Set<Exchange>();
  readonly #bySeq = new Map<number, Exchange>();
  readonly #pausing = new Set<Exchange>();
  readonly #queue: RequestQueue<Exchange>;
  /** Repetitions that wait until the node is sure to know them as such. */
  readonly #held = new Set<Exchange>();
  #lost = false;

  constructor(deps: ExchangesDeps) {
    this.#deps = deps;
    this.#acts = new ActWindow(deps.win);
    this.#queue = new RequestQueue(deps.clock);
  }

  /** Asks as soon as the window allows. Never rejects. */
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

  /** Hands an answer in; false when its seq is not awaited. */
  answer(message: Message): boolean {
    const exchange = this.#bySeq.get(message.seq);
    if (!exchange) return false;
    const before = exchange.state;
    this.#step(exchange, { kind: "came", at: this.#deps.clock.monotonic(), message });
    return exchange.state !== before;
  }

  /** The node has said HELLO in the same boot: S5. */
  hello(): void {
    const at = this.#deps.clock.monotonic();
    const isInDoubt = ({ state }: Exchange) => state.kind === "ready" && state.inDoubt;
    const open = [...this.#open, ...this.#pausing];
    for (let next = this.#queue.takeFirst(isInDoubt); next; next = this.#queue.takeFirst(isInDoubt)) open.push(next);
    for (const exchange of open) this.#step(exchange, { kind: "hello", at });
  }

  /** Ends everything: the node is not the one any more that was asked. */
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

  /** Gives it its place in the window, and lets it go. */
  #start(exchange: Exchange): void {
    const since = this.#deps.clock.monotonic();
    exchange.state = exchange.state.kind === "ready" ? { ...exchange.state, since } : exchange.state;
    if (exchange.ask.acts) exchange.act = this.#acts.begin();
    this.#open.add(exchange);
    this.#send(exchange);
  }

  /** One try: permission is asked for when the line takes it, and not before. */
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

  /** The line is free: its bytes, or undefined when it is not to leave. */
  #take(exchange: Exchange): Uint8Array | undefined {
    const at = this.#deps.clock.monotonic();
    const { attempt } = exchange.ask;
    // A repetition that waited for the line while the process stood still waits for the input too.
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

  /** Makes its frame and gives it its seq: not before, since one that never leaves would leave a gap. False when it is rejected. */
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

  /** Never further away than one timeout: so one timer carries an exchange that goes well through all its states. */
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

/** A request as the bytes of its frame, or why it has none: the hub itself rejects what the node could not take. */
type RequestFrame =
  | { readonly kind: "frame"; readonly bytes: Uint8Array }
  | { readonly kind: "rejected"; readonly detail: string };

/**
 * DP5, "Values".
 * @param max the largest frame that the node takes, bytes
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

/**
 * Which requests that act may be under way at once, so that a repetition is always known as one: a node need remember its
 * answers to no more than the last `win` WRITEs and IDENTIFYs, in the order in which it carried them out. DP5, "Repetitions".
 */

interface Act {
  readonly id: number;
  /** Those that the node may have carried out after it: with `win` of them its answer is forgotten. */
  readonly after: number[];
}

export class ActWindow {
  readonly #win: number;
  readonly #open: Act[] = [];
  #last = 0;

  /** @param win requests that the node takes at once, which is also how many answers it remembers */
  constructor(win: number) {
    this.#win = win;
  }

  /** Whether a fresh one could push none out of the node's memory that may still have to be repeated. */
  mayBegin(): boolean {
    return this.#open.every((act) => this.#hasRoom(act));
  }

  /** A fresh one leaves; gives its id. */
  begin(): number {
    this.#last += 1;
    for (const act of this.#open) act.after.push(this.#last);
    this.#open.push({ id: this.#last, after: [] });
    return this.#last;
  }

  /** Whether it may leave again: its first bytes may never have come, and then it is carried out after later ones. */
  mayRepeat(id: number): boolean {
    return this.#open.every((act) => act.id <= id || act.after.includes(id) || this.#hasRoom(act));
  }

  /** It leaves again. */
  repeat(id: number): void {
    for (const act of this.#open) if (act.id > id && !act.after.includes(id)) act.after.push(id);
  }

  /** It is answered, or will not be repeated any more. Safe to repeat. */
  end(id: number): void {
    const at = this.#open.findIndex((act) => act.id === id);
    if (at !== -1) this.#open.splice(at, 1);
  }

  #hasRoom({ after }: Act): boolean {
    return after.length < this.#win - 1;
  }
}

/** Requests that wait for the window: commands before what the hub asks by itself, and none past its deadline. */
interface Waiting<T> {
  readonly item: T;
  /** Ends the watch on its deadline and its asker. */
  readonly forget: () => void;
}

class RequestQueue<T> {
  readonly #clock: Clock;
  #commands: Waiting<T>[] = [];
  #background: Waiting<T>[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Lets it wait.
   * @param attempt none for what the hub asks by itself
   * @param first before the others of its kind: it has had its turn
   * @param tooLate called, with the item taken out, at its deadline or when its asker goes
   */
  add(item: T, attempt: Attempt | undefined, first: boolean, tooLate: () => void): void {
    if (!attempt) {
      put(this.#background, { item, forget: () => undefined }, first);
      return;
    }
    const end = () => {
      waiting.forget();
      this.#commands = this.#commands.filter((other) => other !== waiting);
      tooLate();
    };
    const left = attempt.deadline - this.#clock.monotonic();
    const timer = this.#clock.timer("request that waits for its turn", left, end);
    attempt.signal?.addEventListener("abort", end, { once: true });
    const forget = () => {
      timer.cancel();
      attempt.signal?.removeEventListener("abort", end);
    };
    const waiting = { item, forget };
    put(this.#commands, waiting, first);
  }

  /** Takes out the first that may go. */
  takeFirst(mayGo: (item: T) => boolean): T | undefined {
    for (const queue of [this.#commands, this.#background]) {
      const at = queue.findIndex(({ item }) => mayGo(item));
      if (at === -1) continue;
      const [waiting] = queue.splice(at, 1);
      waiting?.forget();
      return waiting?.item;
    }
    return undefined;
  }

  /** Takes out all. */
  takeAll(): T[] {
    const all = [...this.#commands, ...this.#background];
    this.#commands = [];
    this.#background = [];
    for (const { forget } of all) forget();
    return all.map(({ item }) => item);
  }
}

function put<T>(queue: Waiting<T>[], waiting: Waiting<T>, first: boolean): void {
  if (first) queue.unshift(waiting);
  else queue.push(waiting);
}
