/** What a hub may never do, in any proof: its seqs, its window, how soon and how often it asks again. */
import { type Message, nextSeq, TRIES } from "@porchlight/shared/wire";
import type { ProfileFault } from "../watch/profile.ts";

/** Silence after which a try has failed, ms: the least of B2. */
export const TRY = 500;
/** After which a try has failed despite other bytes, ms: the least of B2. */
const LONGEST_TRY = TRY + 1500;
/** What counts against a node's window. */
const WINDOWED: readonly Message["type"][] = ["DESCRIBE", "READ", "WRITE", "IDENTIFY"];

/** By how much two clocks of one machine differ in a sum of fractions, ms. */
const ROUNDING = 1;

/** Bytes to the hub that are looked back upon, ms. */
const LOOK_BACK = 2000;

interface Asked {
  readonly body: string;
  readonly isOfThisBoot: boolean;
  /** A WRITE or IDENTIFY, of which no copy leaves after a HELLO (S5). */
  readonly acts: boolean;
  /** Its last try is under way. */
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
  /** When bytes left for the hub, of the last seconds. */
  #spoken: readonly number[] = [];
  #asked = new Map<number, Asked>();

  /** @param jitter by how much an arrival may be off, ms */
  constructor(jitter: number) {
    this.#jitter = jitter + ROUNDING;
  }

  /** A new boot that takes so many requests at once: what was asked before is lost. */
  boots(window: number): void {
    this.#window = window;
    for (const [seq, asked] of this.#asked) this.#asked.set(seq, { ...asked, isOpen: false, isOfThisBoot: false });
  }

  /** A HELLO leaves: the try of what acts, and has left, is the last. */
  greets(): void {
    for (const asked of this.#asked.values()) if (asked.acts) asked.isLastTry = true;
  }

  /** Bytes leave for the hub. */
  speaks(at: number): void {
    this.#spoken = [...this.#spoken.filter((before) => before > at - LOOK_BACK), at];
  }

  /** An answer to that seq leaves. */
  answers(seq: number): void {
    const asked = this.#asked.get(seq);
    if (asked) asked.isOpen = false;
  }

  /** Frames may have been lost: what came before binds nothing. */
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
    // What left within the jitter may have been on its way still when this left the hub.
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
