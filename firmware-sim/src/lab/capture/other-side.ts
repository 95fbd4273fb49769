/** The other side of a replay: buffers its messages, and performs the protocol's automatic answers, which scripts omit. */
import type { Clock } from "@porchlight/shared/kernel";
import { type ByteLink, encodeFrame, encodeMessage, isRequest, type Message, mayCome } from "@porchlight/shared/wire";
import type { Sender } from "./capture.ts";
import type { Damage } from "./cutter.ts";
import { type DecodedFrame, Decoder } from "./decode.ts";
import { meaningOf, slotOf } from "./script.ts";

export interface OtherSideOptions {
  readonly clock: Clock;
  readonly link: ByteLink;
  readonly me: Sender;
  onDamage(damage: Damage): void;
}

export class OtherSide {
  /** Why the line is down. */
  closed: string | undefined;
  readonly #options: OtherSideOptions;
  readonly #decoder = new Decoder();
  #requests: Message[] = [];
  readonly #answers = new Map<string, Message>();
  /** The last request of each slot with its answer: a repetition gets the same answer. */
  readonly #known = new Map<string, { readonly meaning: string; answer: Uint8Array | undefined }>();
  #hello: Uint8Array | undefined;
  #lastHello: number | undefined;
  #isSynced = false;
  readonly #waiters = new Set<() => void>();

  constructor(options: OtherSideOptions) {
    this.#options = options;
    options.link.listen(
      (bytes) => this.#arrived(bytes),
      (reason) => {
        this.closed = reason;
        this.#wake();
      },
    );
  }

  /** The seq of the newest HELLO: a HELLO_ACK that the capture assigns to no HELLO answers it. */
  get lastHello(): number | undefined {
    return this.#lastHello;
  }

  /** @param answered slot of the request that it answers */
  async say(frame: Uint8Array, answered: string | undefined): Promise<void> {
    const known = answered === undefined ? undefined : this.#known.get(answered);
    if (known) known.answer = frame;
    const [stated] = new Decoder().push({ t: undefined, dir: this.#options.me, bytes: frame });
    if (stated?.message?.type === "HELLO") this.#hello = frame;
    await this.#options.link.write(frame).catch((failure: unknown) => {
      this.closed ??= failure instanceof Error ? failure.message : String(failure);
    });
  }

  /** Removes and returns the oldest received request that `isWanted`. */
  takeRequest(isWanted: (message: Message) => boolean): Message | undefined {
    const at = this.#requests.findIndex(isWanted);
    return at < 0 ? undefined : this.#requests.splice(at, 1)[0];
  }

  takeAnswer(slot: string): Message | undefined {
    const answer = this.#answers.get(slot);
    this.#answers.delete(slot);
    return answer;
  }

  /** Drops an earlier answer in a slot: it does not answer the request that is sent now. */
  forget(slot: string): void {
    this.#answers.delete(slot);
  }

  /** Resolves when something has arrived, or after `ms`. */
  wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        timer.cancel();
        this.#waiters.delete(wake);
        resolve();
      };
      const timer = this.#options.clock.timer("replay", ms, wake);
      this.#waiters.add(wake);
    });
  }

  #arrived(bytes: Uint8Array): void {
    const dir = this.#options.me === "hub" ? "node" : "hub";
    for (const frame of this.#decoder.push({ t: undefined, dir, bytes })) this.#frame(frame);
    this.#wake();
  }

  #frame({ message, damage }: DecodedFrame): void {
    // The first piece may be the rest of a frame that was in transit when the line was opened.
    if (damage && this.#isSynced) this.#options.onDamage(damage);
    this.#isSynced = true;
    if (!message || damage || !mayCome(message.type, this.#options.me === "hub" ? "node" : "hub")) return;
    const { type, seq } = message;
    if (type === "PING") void this.say(encodeFrame(encodeMessage({ type: "PONG", seq })), undefined);
    else if (type === "WHO") {
      if (this.#hello) void this.say(this.#hello, undefined);
    } else if (isRequest(type)) this.#request(message);
    else this.#answers.set(slotOf(message), message);
  }

  #request(message: Message): void {
    if (message.type === "HELLO") this.#lastHello = message.seq;
    const slot = slotOf(message);
    const meaning = `${message.seq} ${meaningOf(message)}`;
    const known = this.#known.get(slot);
    if (known?.meaning === meaning) {
      if (known.answer) void this.say(known.answer, undefined);
      return;
    }
    this.#known.set(slot, { meaning, answer: undefined });
    // A newer HELLO replaces a waiting one: any ACK is for the last.
    if (message.type === "HELLO") this.#requests = this.#requests.filter(({ type }) => type !== "HELLO");
    this.#requests.push(message);
  }

  #wake(): void {
    for (const wake of [...this.#waiters]) wake();
  }
}
