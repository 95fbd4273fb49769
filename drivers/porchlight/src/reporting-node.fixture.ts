/** A scripted node with a will of its own: it reports what changes until that is acknowledged, falls silent, refuses, and floods. */
import type { CrowdDevice } from "@porchlight/driver-kit/judge/world.suite.ts";
import { type Clock, randomInteger, seededRandom, type Timer } from "@porchlight/shared/kernel";
import type { Value } from "@porchlight/shared/model";
import {
  ERROR_CODE,
  encodeFrame,
  encodeMessage,
  type HelloInfo,
  MAX_PLACES,
  type Message,
  TIMES,
} from "@porchlight/shared/wire";
import { SWITCH } from "./hub-and-node.fixture.ts";
import { LAMP, LAMP_SERVICES, ScriptedNode } from "./scripted-node.fixture.ts";

interface Report {
  /** `Switch.on`. */
  readonly property: string;
  readonly isEvent: boolean;
  value: Value;
  seq: number | undefined;
}

const END = 0xc0;
const MEBIBYTE = 1024 * 1024;

export class ReportingNode {
  readonly node: ScriptedNode;
  isSilent = false;
  refuses = false;
  /** How long it takes to act and answer, ms. */
  delayMs = 0;
  /** It answers a READ with what was so when the READ came (against B10). */
  samplesEarly = false;
  readonly #clock: Clock;
  /** Devices that are silent, by place. */
  readonly #silentPlaces = new Set<number>();
  /** The first is on its way. */
  readonly #reports: Report[] = [];
  #again: Timer | undefined;

  constructor(clock: Clock, info: Partial<HelloInfo> = {}) {
    this.#clock = clock;
    this.node = new ScriptedNode(clock, info);
    this.node.script = (message) => this.#answer(message);
  }

  /** Writes that the first device has heard. */
  get touched(): number {
    return this.node.got("WRITE").filter(({ device }) => device === 0).length;
  }

  get actual(): Value {
    return this.node.values.get("Switch.on") ?? null;
  }

  change(value: Value): void {
    this.node.values.set("Switch.on", value);
    this.#report({ property: "Switch.on", isEvent: false, value, seq: undefined });
  }

  /** Reports a value, whether it has changed or not. @param property `Switch.on` */
  tell(property: string, value: Value): void {
    this.node.values.set(property, value);
    this.#report({ property, isEvent: false, value, seq: undefined });
  }

  /** The first device has switches at these indexes from now on, in this order, and says so as after an update of its firmware. */
  describeSwitches(indexes: readonly number[]): void {
    const [on] = LAMP_SERVICES.filter(({ service }) => service === "Switch");
    const others = LAMP_SERVICES.filter(({ service }) => service !== "Switch");
    const switches = indexes.flatMap((index) => (on ? [{ ...on, index: String(index) }] : []));
    this.node.services.set(LAMP, [...switches, ...others]);
    this.node.info = { ...this.node.info, boot: this.node.info.boot + 1 };
    this.node.hello();
  }

  happen(value: Value): void {
    this.#report({ property: "Button.event", isEvent: true, value, seq: undefined });
  }

  /** More devices behind it, each with a switch, as far as there are places. */
  bridge(count: number): CrowdDevice[] {
    const free = Math.min(count, MAX_PLACES - this.node.info.devices.length);
    const edgeIds = Array.from({ length: free }, (_, at) => edgeIdAt(at));
    const first = this.node.info.devices.length;
    this.node.info = { ...this.node.info, devices: [...this.node.info.devices, ...edgeIds] };
    return edgeIds.map((edgeId, at) => ({
      edgeId,
      property: SWITCH,
      silence: () => void this.#silentPlaces.add(first + at),
    }));
  }

  /** 10,000 reports of a level, none of which it repeats. */
  floodReports(): number {
    const many = 10_000;
    for (let at = 0; at < many; at++) this.node.report("LightLevel.level", at % 100);
    return many;
  }

  /** Noise between frames, good frames of nonsense, and frames of which one bit is wrong. */
  floodGarbage(): number {
    const random = seededRandom(5);
    const many = 1500;
    for (let at = 0; at < many; at++) {
      const noise = random.bytes(1 + randomInteger(random, 60)).map((byte) => (byte === END ? 0 : byte));
      const frame = encodeFrame(encodeMessage({ type: "VALUE", seq: at, value: "garbage" }));
      const bit = 2 + randomInteger(random, frame.length - 4);
      const flipped = frame.map((byte, place) => (place === bit && byte !== END ? byte ^ 1 || 2 : byte));
      if (at % 3 === 0) this.node.raw(Uint8Array.of(END, ...noise, END));
      else if (at % 3 === 1) this.node.raw(encodeFrame(Uint8Array.of(0xff, ...noise)));
      else this.node.raw(flipped);
    }
    return many;
  }

  /** Ten times a mebibyte without an end. */
  floodLong(): number {
    const many = 10;
    for (let at = 0; at < many; at++) this.node.raw(Buffer.concat([Buffer.alloc(MEBIBYTE, 0x55), Buffer.of(END)]));
    return many;
  }

  #answer(message: Message): readonly Message[] | undefined {
    if (message.type === "ACK" || message.type === "ERROR") this.#settled(message);
    if (message.type === "HELLO_ACK") this.#tell();
    if (this.isSilent || ("device" in message && this.#silentPlaces.has(message.device))) return [];
    if (this.delayMs === 0) return this.#refusal(message);
    const sampled = this.#sampled(message);
    this.#clock.timer("a slow node acts", this.delayMs, () => {
      if (sampled) return this.node.say(sampled);
      const refusal = this.#refusal(message);
      if (refusal) for (const each of refusal) this.node.say(each);
      else this.node.answerHonestly(message);
    });
    return [];
  }

  #sampled(message: Message): Message | undefined {
    if (!this.samplesEarly || message.type !== "READ") return undefined;
    const value = this.node.values.get(`${message.service}.${message.property}`) ?? null;
    return { type: "VALUE", seq: message.seq, value };
  }

  #refusal({ type, seq }: Message): readonly Message[] | undefined {
    if (type !== "WRITE" || !this.refuses) return undefined;
    return [{ type: "ERROR", seq, code: ERROR_CODE.valueRefused, text: "no" }];
  }

  /** Of values the newest waits, of events each one. */
  #report(report: Report): void {
    const [, ...waiting] = this.#reports;
    const older = report.isEvent ? undefined : waiting.find(({ property }) => property === report.property);
    if (older) older.value = report.value;
    else this.#reports.push(report);
    if (this.#reports.length === 1) this.#tell();
  }

  #settled(message: ({ readonly type: "ACK" } & Message) | Extract<Message, { type: "ERROR" }>): void {
    const [first] = this.#reports;
    if (first === undefined || first.seq !== message.seq) return;
    if (message.type === "ERROR" && message.code === ERROR_CODE.busy) return;
    this.#reports.shift();
    this.#tell();
  }

  /** Says the first report, and again in a while. */
  #tell(): void {
    this.#again?.cancel();
    const [first] = this.#reports;
    if (!first) return;
    first.seq ??= this.node.nextSeq();
    if (!this.isSilent) this.node.report(first.property, first.value, first.seq);
    this.#again = this.#clock.timer("report that is sent again", TIMES.reportAgain, () => this.#tell());
  }
}

/** Of the many: 02-00-00-00-01-00 and those after it. */
export function edgeIdAt(at: number): string {
  return `02-00-00-00-01-${at.toString(16).padStart(2, "0").toUpperCase()}`;
}

/** Names under which a line counts what it left aside. */
export const LINE_ASIDE: readonly string[] = [
  ...["badCrc", "badEscape", "tooLong", "tooShort", "badCbor", "trailingBytes", "badMessage"],
  ...["unknownType", "malformed", "ignored"],
  ...["reportsRepeated", "reportsRefused", "reportsPutOff", "reportsOverRate"],
];
