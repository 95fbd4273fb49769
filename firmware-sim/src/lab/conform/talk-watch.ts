/** Violations that a node must never commit: seqs, places, and the order and pace of its own messages. */
import { type Message, type MessageOf, nextSeq, type Places } from "@porchlight/shared/wire";

export interface TalkFault {
  readonly rule: string;
  readonly what: string;
}

type Telling = MessageOf<"REPORT" | "CHANGED">;

/** Number of report times to remember of one property. */
const LOOK_BACK = 8;

export interface TalkOptions {
  /** Uncertainty of an arrival time, ms. */
  readonly jitter: number;
  /** Whether a property can be read, so that a report of it may be replaced; undefined when it is not described. */
  isReadable(report: MessageOf<"REPORT">): boolean | undefined;
}

export class TalkWatch {
  readonly #options: TalkOptions;
  #isLive = false;
  #boot: number | undefined;
  #seq: number | undefined;
  /** Bodies of this boot's requests by seq, to recognise repetitions. */
  readonly #stated = new Map<number, string>();
  #places: string[] = [];
  #unanswered: Telling | undefined;
  readonly #times = new Map<string, number[]>();

  constructor(options: TalkOptions) {
    this.#options = options;
  }

  /** Records that a HELLO_ACK has left. */
  acknowledged(): void {
    this.#isLive = true;
  }

  /** Forgets earlier traffic: frames may have been lost, or the line has changed. */
  reset(): void {
    this.#seq = undefined;
    this.#unanswered = undefined;
  }

  /** Records that the hub's ACK or ERROR for that seq has left. */
  settled(seq: number): void {
    if (this.#unanswered?.seq === seq) this.#unanswered = undefined;
  }

  /** @param body the message's bytes @param at monotonic ms */
  heard(message: Message, body: Uint8Array, at: number): TalkFault[] {
    if (message.type === "HELLO") this.#hello(message);
    const faults: TalkFault[] = [];
    const asks = message.type === "HELLO" || message.type === "PING" || isTelling(message);
    if (asks) faults.push(...this.#requested(message, Buffer.from(body).toString("hex")));
    if (asks && message.type !== "HELLO" && !this.#isLive)
      faults.push({ rule: "S2", what: `The node sent ${message.type} before its HELLO was acknowledged.` });
    if (message.type === "HELLO") faults.push(...this.#seats(message.info.devices));
    if (message.type === "CHANGED") faults.push(...this.#seats(message.devices));
    if (isTelling(message)) faults.push(...this.#reportFaults(message, at));
    return faults;
  }

  #hello({ info }: MessageOf<"HELLO">): void {
    this.#isLive = false;
    // Messages of another boot do not count. A node with boot 0 may have booted, and may repeat its earlier messages.
    if (this.#boot !== info.boot) this.#stated.clear();
    if (this.#boot !== info.boot || info.boot === 0) {
      this.#seq = undefined;
      this.#unanswered = undefined;
      this.#places = [];
    }
    this.#boot = info.boot;
  }

  /** M2: seqs increase by one; a repetition is equal, byte for byte. */
  #requested(message: Message, body: string): TalkFault[] {
    const { seq, type } = message;
    if (this.#stated.get(seq) === body) return [];
    const last = this.#seq;
    const wasUsed = this.#stated.has(seq);
    this.#stated.set(seq, body);
    if (wasUsed && type !== "HELLO" && seq === last)
      return [{ rule: "M2", what: `${type} has the seq ${seq}, which another message of this boot has used.` }];
    this.#seq = seq;
    if (last === undefined || seq === nextSeq(last) || (type === "HELLO" && seq === last)) return [];
    return [{ rule: "M2", what: `${type} has the seq ${seq} after ${last}; the seq must increase by one.` }];
  }

  /** M7: the rules on places. */
  #seats(devices: Places): TalkFault[] {
    const faults: TalkFault[] = [];
    devices.forEach((edgeId, place) => {
      const before = this.#places[place];
      if (edgeId === null) return;
      if (before !== undefined && before !== edgeId)
        faults.push({ rule: "M7", what: `Place ${place} belonged to ${before} and was given to ${edgeId}.` });
      this.#places[place] = edgeId;
    });
    return faults;
  }

  #reportFaults(message: Telling, at: number): TalkFault[] {
    const before = this.#unanswered;
    if (before?.seq === message.seq) return [];
    this.#unanswered = message;
    const faults: TalkFault[] = before && !this.#mayReplace(before, message) ? [overtaken(before, message)] : [];
    if (message.type === "REPORT") faults.push(...this.#paced(message, at));
    return faults;
  }

  /** P5: while a report is unanswered, only a newer value of the same property may follow. */
  #mayReplace(before: Telling, message: Telling): boolean {
    if (before.type === "CHANGED" || message.type === "CHANGED") return before.type === message.type;
    return addressOf(before) === addressOf(message) && this.#options.isReadable(message) !== false;
  }

  /** P8: the minimum interval of reports. */
  #paced(message: MessageOf<"REPORT">, at: number): TalkFault[] {
    const key = addressOf(message);
    const times = [...(this.#times.get(key) ?? []), at].slice(-LOOK_BACK);
    this.#times.set(key, times);
    const fifth = times.at(-5);
    if (fifth === undefined || at - fifth >= 1000 - this.#options.jitter) return [];
    return [{ rule: "P8", what: `${message.property} was reported five times in ${Math.round(at - fifth)} ms.` }];
  }
}

function isTelling(message: Message): message is Telling {
  return message.type === "REPORT" || message.type === "CHANGED";
}

function overtaken(before: Telling, message: Telling): TalkFault {
  return { rule: "P2", what: `${nameOf(message)} came while ${nameOf(before)} was unanswered.` };
}

function nameOf(message: Telling): string {
  return message.type === "CHANGED" ? `CHANGED ${message.seq}` : `REPORT ${message.seq} of ${message.property}`;
}

function addressOf({ device, service, index, property }: MessageOf<"REPORT">): string {
  return `${device} ${service}:${index}.${property}`;
}
