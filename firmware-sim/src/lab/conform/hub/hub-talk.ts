/** Violations that a hub must never commit, in any proof: its seqs, its window, and the times of its repetitions. */
import { type Message, nextSeq, TRIES } from "@porchlight/shared/wire";
import type { ProfileFault } from "../profile.ts";

/** Silence after which a try fails, ms: the minimum of B2. */
export const TRY = 500;
/** Time after which a try fails despite other bytes, ms: the minimum of B2. */
const LONGEST_TRY = TRY + 1500;
/** Requests that count against a node's window. */
const WINDOWED: readonly Message["type"][] = ["DESCRIBE", "READ", "WRITE", "IDENTIFY"];

/** Difference between two clocks of one machine through rounding of fractions, ms. */
const ROUNDING = 1;

/** How long to remember bytes sent to the hub, ms. */
const LOOK_BACK = 2000;

interface Asked {
  readonly body: string;
  readonly isOfThisBoot: boolean;
  /** A WRITE or IDENTIFY, of which no copy may leave after a HELLO (S5). */
  readonly acts: boolean;
  /** Whether its last try is running. */
  isLastTry: boolean;
  isOpen: boolean;
  tries: number;
  lastAt: number;
}

/** Whether a message is a request that counts against the window. */
export function isWindowed({ type }: Message): boolean {
  return WINDOWED.includes(type);
}

export class HubTalk {
  readonly #jitter: number;
  #window = 1;
  #seq: number | undefined;
  /** Times at which bytes left for the hub, in the last seconds. */
  #spoken: readonly number[] = [];
  #asked = new Map<number, Asked>();

  /** @param jitter uncertainty of an arrival time, ms */
  constructor(jitter: number) {
    this.#jitter = jitter + ROUNDING;
  }

  /** Records a new boot with this window: earlier requests are lost. */
  boots(window: number): void {
    this.#window = window;
    for (const [seq, asked] of this.#asked) this.#asked.set(seq, { ...asked, isOpen: false, isOfThisBoot: false });
  }

  /** Records that a HELLO leaves: the current try of each WRITE and IDENTIFY is its last. */
  greets(): void {
    for (const asked of this.#asked.values()) if (asked.acts) asked.isLastTry = true;
  }

  /** Records that bytes leave for the hub. */
  speaks(at: number): void {
    this.#spoken = [...this.#spoken.filter((before) => before > at - LOOK_BACK), at];
  }

  /** Records that an answer to that seq leaves. */
  answers(seq: number): void {
    const asked = this.#asked.get(seq);
    if (asked) asked.isOpen = false;
  }

  /** Forgets earlier traffic, because frames may have been lost. */
  reset(): void {
    this.#seq = undefined;
    this.#asked = new Map();
  }

  /** @param body the message's bytes @param at monotonic ms */
  heard(message: Message, body: Uint8Array, at: number): ProfileFault[] {
    const isCall = message.type === "WHO" || message.type === "PING";
    if (!isCall && !isWindowed(message)) return [];
    const hex = Buffer.from(body).toString("hex");
    const known = this.#asked.get(message.seq);
    const isNext = this.#seq !== undefined && message.seq === nextSeq(this.#seq);
    if (known && !isNext) return this.#repeated(message, known, hex, at);
    const faults = this.#counted(message);
    if (isWindowed(message)) faults.push(...this.#windowed(at));
    this.#seq = message.seq;
    const acts = message.type === "WRITE" || message.type === "IDENTIFY";
    const fresh = { body: hex, isOfThisBoot: true, acts, isLastTry: false, tries: 1, lastAt: at };
    this.#asked.set(message.seq, { ...fresh, isOpen: isWindowed(message) });
    return faults;
  }

  #counted({ type, seq }: Message): ProfileFault[] {
    if (this.#seq === undefined || seq === nextSeq(this.#seq)) return [];
    return [{ rule: "M2", what: `${type} has the seq ${seq} after ${this.#seq}; the seq must increase by one.` }];
  }

  #windowed(at: number): ProfileFault[] {
    const open = [...this.#asked.values()].filter((each) => {
      const hasFailed = (each.isLastTry || each.tries >= TRIES) && at - each.lastAt >= TRY - this.#jitter;
      return each.isOpen && !hasFailed;
    });
    if (open.length < this.#window) return [];
    const what = `${open.length + 1} requests are unanswered; the node accepts ${this.#window} at once.`;
    return [{ rule: "B1", what }];
  }

  #repeated({ type, seq }: Message, asked: Asked, hex: string, at: number): ProfileFault[] {
    if (asked.body !== hex)
      return [{ rule: "M10", what: `${type} has the seq ${seq}, which the hub has used for another request.` }];
    if (type === "PING") return [{ rule: "A2", what: "A PING was repeated with its old seq; it must have a new one." }];
    if (type === "WHO") return [];
    if (!asked.isOfThisBoot)
      return [{ rule: "S7", what: `${type} ${seq} was repeated although the node has booted since it was sent.` }];
    // Bytes that left within the jitter may not have reached the hub before it sent this message.
    const heardAt = Math.max(...this.#spoken.filter((spoken) => spoken <= at - this.#jitter));
    const sinceCopy = at - asked.lastAt;
    const since = Math.min(sinceCopy, at - heardAt);
    asked.tries += 1;
    asked.lastAt = at;
    if (asked.tries > TRIES) return [{ rule: "B2", what: `${type} ${seq} was sent a fourth time.` }];
    if (!asked.isOpen || since >= TRY - this.#jitter || sinceCopy >= LONGEST_TRY - this.#jitter) return [];
    return [{ rule: "B2", what: `${type} ${seq} was sent again ${Math.round(since)} ms after the last byte.` }];
  }
}
