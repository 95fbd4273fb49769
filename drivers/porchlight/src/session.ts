/** The hub's side of one opened line, from WHO to its end: passes input to the state machine, and executes its effects. */
import type { SharedHost } from "@porchlight/driver-kit";
import { type Clock, type Log, TokenBucket } from "@porchlight/shared/kernel";
import {
  type ByteLink,
  ERROR_CODE,
  type HelloInfo,
  type Message,
  type MessageOf,
  PINGS,
  PROTOCOL_VERSION,
  REPORT_BURST,
  REPORT_RATE,
} from "@porchlight/shared/wire";
import type { DeviceLife } from "./device/device-life.ts";
import { Reports } from "./device/reports.ts";
import { Alarm } from "./exchange/alarm.ts";
import { Exchanges } from "./exchange/exchanges.ts";
import type { Seqs } from "./exchange/seqs.ts";
import { type Heard, Line, sortIncoming } from "./line/line.ts";
import type { LineCounters } from "./line/line-counters.ts";
import type { FrameTap } from "./line/line-frames.ts";
import { NodeDevices } from "./node-devices.ts";
import {
  openSession,
  type SessionEffect,
  type SessionInput,
  type SessionState,
  sessionTimerAt,
  stepSession,
} from "./session-state.ts";

interface SessionDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly host: SharedHost;
  readonly hubEdgeId: string;
  readonly counters: LineCounters;
  /** The path to the devices of this line, for people. */
  readonly transport: string;
  /** How long a try of a request may stay unanswered, ms. */
  readonly timeoutMs: number;
  /** Whether the node may be on this line. */
  readonly admits: (node: HelloInfo) => boolean;
  readonly seqs: Seqs;
  /** Notified of the frames; absent: none are kept. */
  readonly tap?: FrameTap | undefined;
}

export class Session {
  readonly #deps: SessionDeps;
  readonly #line: Line;
  readonly #devices: NodeDevices;
  readonly #reports: Reports;
  readonly #pings = new OwnPings();
  readonly #onClosed: (reason: string) => void;
  readonly #alarm: Alarm;
  #state: SessionState;
  #exchanges: Exchanges | undefined;
  #isClosed = false;

  constructor(link: ByteLink, deps: SessionDeps, onClosed: (reason: string) => void) {
    this.#deps = deps;
    this.#onClosed = onClosed;
    this.#line = new Line(link, deps.clock, deps.counters, deps.tap);
    this.#alarm = new Alarm(deps.clock, "life of a line", () => this.#guard(() => this.#look()));
    this.#state = openSession(deps.clock.monotonic());
    this.#devices = new NodeDevices({ ...deps, onSettled: () => this.#step({ kind: "described" }) });
    const reports = {
      ...deps,
      deviceAt: (place: number) => this.#devices.at(place),
      acknowledge: (seq: number) => this.#line.send({ type: "ACK", seq }),
      refuse: (seq: number, code: number, text: string) => this.#refuse(seq, code, text),
    };
    this.#reports = new Reports(reports, reportBucket(deps.clock.monotonic()));
  }

  get phase(): SessionState["kind"] {
    return this.#state.kind;
  }

  /** edgeIds of the live devices. */
  live(): string[] {
    return this.#devices.live();
  }

  device(edgeId: string): DeviceLife | undefined {
    const life = this.#devices.get(edgeId);
    return life?.isLive ? life : undefined;
  }

  /** Starts to receive and to send WHO. `onClosed` is called once, whichever side closes the line. */
  open(): void {
    const heard = (body: Heard) => this.#guard(() => this.#heard(body));
    this.#line.open({ heard, closed: (reason) => this.close(reason) });
    this.#guard(() => this.#deps.host.opened(this.#deps.transport));
    this.#look();
  }

  /** An error in here, or in the host, ends this line and not the hub. */
  #guard(job: () => void): void {
    try {
      job();
    } catch (error) {
      this.#deps.log.error({ transport: this.#deps.transport, error }, "a line has failed");
      this.close("an internal fault");
    }
  }

  /** Closes the line: the devices are offline, and pending requests are lost. It can be called repeatedly. */
  close(reason: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#alarm.cancel();
    this.#line.close();
    this.#leaveNode();
    this.#onClosed(reason);
  }

  #heard(body: Heard): void {
    const { clock, counters } = this.#deps;
    const incoming = sortIncoming(body, (seq) => this.#pings.has(seq));
    if (incoming.kind === "ignore") {
      counters.ignored += 1;
      return;
    }
    this.#line.nodeLives();
    switch (incoming.kind) {
      case "refuse":
        counters[incoming.counter] += 1;
        this.#refuse(incoming.seq, incoming.code, incoming.text);
        break;
      case "other_version":
        this.#step({ kind: "other_version", at: clock.monotonic(), seq: incoming.seq });
        break;
      case "message":
        if (!this.#takes(incoming.message)) counters.ignored += 1;
        break;
    }
  }

  /** False for a message without a meaning in the present state. */
  #takes(message: Message): boolean {
    switch (message.type) {
      case "HELLO": {
        const { seq, info: node } = message;
        const admitted = this.#deps.admits(node);
        this.#step({ kind: "hello", at: this.#deps.clock.monotonic(), seq, node, admitted });
        return true;
      }
      case "PING":
        this.#line.send({ type: "PONG", seq: message.seq });
        return true;
      case "PONG":
        return this.#pings.answered(message.seq);
      case "REPORT":
        if (!this.#exchanges) return false;
        this.#reports.take(message);
        return true;
      case "CHANGED":
        if (!this.#exchanges) return false;
        this.#changed(message);
        return true;
      default:
        this.#answer(message);
        return true;
    }
  }

  /** The answer belongs to the exchanges of this moment, also when it is passed on slightly later. */
  #answer(message: Message): void {
    const exchanges = this.#exchanges;
    this.#reports.answer(() => {
      const isAwaited = exchanges?.answer(message) ?? false;
      if (!isAwaited) this.#deps.counters.ignored += 1;
      return isAwaited;
    });
  }

  #changed({ seq, devices }: MessageOf<"CHANGED">): void {
    const { clock, log, counters, transport } = this.#deps;
    const at = Math.max(clock.monotonic(), this.#state.describedAt);
    if (this.#devices.change(devices, at)) {
      this.#line.send({ type: "ACK", seq });
      return;
    }
    counters.malformed += 1;
    log.warn({ transport }, "a node assigned the place of one device to another");
    this.#refuse(seq, ERROR_CODE.malformed, "the place belongs to another device");
  }

  #refuse(seq: number, code: number, text: string): void {
    this.#line.send({ type: "ERROR", seq, code, text });
  }

  /** Checks the clock, and sets the alarm for the next check. */
  #look(): void {
    this.#step({ kind: "time", at: this.#deps.clock.monotonic(), heardAt: this.#line.heardFrameAt });
  }

  #step(input: SessionInput): void {
    if (this.#isClosed) return;
    const { state, effects } = stepSession(this.#state, input);
    this.#state = state;
    for (const effect of effects) if (!this.#isClosed) this.#carryOut(effect);
    if (!this.#isClosed) this.#alarm.ringBy(sessionTimerAt(this.#state, this.#line.heardFrameAt));
  }

  #carryOut(effect: SessionEffect): void {
    switch (effect.kind) {
      case "who":
        this.#line.ask(() => ({ type: "WHO", seq: this.#deps.seqs.take() }));
        break;
      case "ping":
        this.#line.ask(() => this.#ping());
        break;
      case "acknowledge": {
        const now = Math.floor(this.#deps.clock.now() / 1000);
        const info = { v: PROTOCOL_VERSION, hub: this.#deps.hubEdgeId, now };
        this.#line.send({ type: "HELLO_ACK", seq: effect.seq, info });
        break;
      }
      case "refuse":
        this.#deps.log.warn({ transport: this.#deps.transport, reason: effect.reason }, "a node cannot be admitted");
        this.#refuse(effect.seq, effect.code, effect.reason);
        break;
      case "same_boot":
        this.#exchanges?.hello();
        break;
      case "forget_reports":
        this.#deps.host.forgetReports(effect.node);
        break;
      case "begin":
        this.#begin(effect.node, effect.at, effect.reboot);
        break;
      case "down":
        this.#down(effect.reason, effect.silent);
        break;
    }
  }

  #ping(): Message {
    const seq = this.#deps.seqs.take();
    this.#pings.sent(seq);
    return { type: "PING", seq };
  }

  #begin(node: HelloInfo, at: number, reboot: boolean): void {
    const { clock, counters, log, seqs, tap, timeoutMs, transport } = this.#deps;
    if (reboot) counters.reboots += 1;
    log.info({ node: node.id, boot: node.boot, transport }, reboot ? "a node has rebooted" : "a node is on the line");
    const before = this.#exchanges;
    const { win, max } = node;
    this.#exchanges = new Exchanges({ clock, line: this.#line, counters, seqs, timeoutMs, win, max, tap });
    this.#reports.of(node);
    // The devices join first, so that commands lost to the reboot find them waiting.
    this.#devices.join(node, this.#exchanges, at);
    before?.lose();
  }

  #down(reason: string, isSilent: boolean): void {
    const { counters, log, transport } = this.#deps;
    counters.downs += 1;
    log.warn({ transport, reason }, "a line is down");
    this.#leaveNode();
    // Bytes that a silent line has accepted and not sent could reach the hardware much later.
    if (isSilent && this.#line.writer.isWriting) this.close("the line does not accept bytes");
  }

  #leaveNode(): void {
    const exchanges = this.#exchanges;
    this.#exchanges = undefined;
    this.#reports.of(undefined);
    this.#devices.clear();
    exchanges?.lose();
  }
}

/** The hub's unanswered PINGs: they distinguish an echo from a node's own PING. */
class OwnPings {
  /** The last ones: earlier PINGs have timed out. */
  #seqs: readonly number[] = [];

  sent(seq: number): void {
    this.#seqs = [...this.#seqs.slice(1 - PINGS), seq];
  }

  has(seq: number): boolean {
    return this.#seqs.includes(seq);
  }

  /** A PONG has come; false when it is not expected. */
  answered(seq: number): boolean {
    if (!this.has(seq)) return false;
    this.#seqs = this.#seqs.filter((other) => other !== seq);
    return true;
  }
}

/** A full bucket. DP5, "Floods". @param now monotonic, ms */
export function reportBucket(now: number): TokenBucket {
  return new TokenBucket({ perSecond: REPORT_RATE, burst: REPORT_BURST }, now);
}
