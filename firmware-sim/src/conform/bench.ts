/** A node on a bench: the hub's end of its line, everything that it says, and the rules that it breaks unasked. */
import type { Clock, Random } from "@porchlight/shared/kernel";
import { randomInteger } from "@porchlight/shared/kernel";
import {
  type ByteLink,
  decodeBody,
  encodeFrame,
  encodeMessage,
  HUB_FRAME_LIMIT,
  type Message,
  type MessageName,
  type MessageOf,
  nextSeq,
} from "@porchlight/shared/wire";
import { FrameLog, type LoggedFrame } from "./frame-log.ts";
import type { Violation } from "./rule.ts";
import { profileFaults } from "./watch/profile.ts";
import { shapeFaults } from "./watch/shapes.ts";
import { StreamWatch } from "./watch/stream-watch.ts";
import { TalkWatch } from "./watch/talk-watch.ts";

export interface BenchOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly link: ByteLink;
  /** By how much the arrival of a frame may be off, ms: 0 on a virtual clock. */
  readonly jitter: number;
}

/** A good frame of the node that is a message. */
export interface Heard {
  readonly message: Message;
  readonly body: Uint8Array;
  /** Monotonic ms. */
  readonly at: number;
  readonly frame: LoggedFrame;
}

/** What the hub does by itself while a rule is proved. */
export interface Manners {
  /** Answers REPORT and CHANGED with ACK. */
  acknowledges: boolean;
  /** Answers PING with PONG. */
  pongs: boolean;
}

/** How long an open frame may want its END before that counts as never sent, ms. */
const END_WITHIN = 300;

export class Bench {
  readonly clock: Clock;
  readonly random: Random;
  readonly jitter: number;
  readonly log: FrameLog;
  readonly manners: Manners = { acknowledges: true, pongs: true };
  /** Whether a property can be read; set when the node is described. */
  isReadable: (report: MessageOf<"REPORT">) => boolean | undefined = () => undefined;
  /** Why the line is down. */
  closed: string | undefined;
  /** Lines before this one that are down. */
  closedLines = 0;
  #link: ByteLink;
  #heard: Heard[] = [];
  #violations: Violation[] = [];
  #seq: number;
  #bytes = 0;
  #isBooting = true;
  readonly #waiters = new Set<() => void>();
  readonly #stream = new StreamWatch(HUB_FRAME_LIMIT);
  readonly #talk: TalkWatch;

  constructor({ clock, random, link, jitter }: BenchOptions) {
    this.clock = clock;
    this.random = random;
    this.jitter = jitter;
    this.log = new FrameLog(clock);
    this.#seq = randomInteger(random, 0x10000);
    this.#talk = new TalkWatch({ jitter, isReadable: (report) => this.isReadable(report) });
    this.#link = link;
    this.#listen(link);
  }

  /** Bytes heard so far, good or not. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The place of what is heard next: {@link next} and {@link since} look from there. */
  get mark(): number {
    return this.#heard.length;
  }

  newSeq(): number {
    this.#seq = nextSeq(this.#seq);
    return this.#seq;
  }

  async say(message: Message): Promise<void> {
    // Before it leaves: on a quick line the node has acted upon it by then.
    if (message.type === "HELLO_ACK") this.#talk.acknowledged();
    if (message.type === "ACK" || (message.type === "ERROR" && message.code !== 9)) this.#talk.settled(message.seq);
    await this.send(encodeFrame(encodeMessage(message)));
  }

  /** Puts bytes on the line as they are. */
  async send(bytes: Uint8Array): Promise<void> {
    this.log.add("hub", bytes);
    await this.#link.write(bytes).catch((failure: unknown) => {
      this.closed ??= failure instanceof Error ? failure.message : String(failure);
    });
  }

  /** What was heard since a mark, oldest first. */
  since(mark: number): readonly Heard[] {
    return this.#heard.slice(mark);
  }

  /** Every message of a type since a mark. */
  all<N extends MessageName>(type: N, mark: number): (Heard & { readonly message: MessageOf<N> })[] {
    return this.since(mark).flatMap((heard) =>
      heard.message.type === type ? [{ ...heard, message: heard.message as MessageOf<N> }] : [],
    );
  }

  /** The first since a mark that `isWanted`, as soon as it is there; undefined when `within` ms have passed without it. */
  async next(mark: number, within: number, isWanted: (heard: Heard) => boolean): Promise<Heard | undefined> {
    const end = this.clock.monotonic() + within;
    for (let at = mark; ; ) {
      for (; at < this.#heard.length; at++) {
        const heard = this.#heard[at];
        if (heard && isWanted(heard)) return heard;
      }
      const left = end - this.clock.monotonic();
      if (left <= 0 || this.closed !== undefined) return undefined;
      await this.#change(left);
    }
  }

  /** Lets time go by, ms. */
  async pass(ms: number): Promise<void> {
    await this.next(this.mark, ms, () => false);
    this.#look();
  }

  /** A HELLO_ACK is about to leave as bytes. */
  hasAcknowledged(): void {
    this.#talk.acknowledged();
  }

  /** Goes on at another line; the one before is the caller's to close. */
  turnTo(link: ByteLink): void {
    this.#link = link;
    this.closed = undefined;
    this.#stream.reset();
    this.#talk.reset();
    this.#listen(link);
  }

  /** Frames of the node may be lost from here on: its seqs bind nothing until the next. */
  expectLosses(): void {
    this.#talk.reset();
    this.#stream.reset();
  }

  /** The node boots: what its boot loader prints before the first good frame is no frame of the node's. */
  expectBoot(): void {
    this.expectLosses();
    this.#isBooting = true;
  }

  /** Counts a rule as broken, now. */
  blame(rule: string, what: string, frames: readonly LoggedFrame[]): void {
    this.#violations.push({ rule, what, frames });
  }

  takeViolations(): readonly Violation[] {
    for (const event of this.#stream.finish())
      if (event.kind === "fault") this.blame(event.rule, event.what, [this.log.add("node", event.raw)]);
    const taken = this.#violations;
    this.#violations = [];
    return taken;
  }

  /** Takes the line down. */
  close(): void {
    this.#link.close();
  }

  #listen(link: ByteLink): void {
    link.listen(
      (bytes) => {
        if (link === this.#link) this.#arrived(bytes);
      },
      (reason) => {
        if (link === this.#link) this.closed = reason;
        else this.closedLines += 1;
        this.#wake();
      },
    );
  }

  #arrived(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    for (const event of this.#stream.push(bytes)) {
      const frame = this.log.add("node", event.raw);
      if (event.kind === "fault") this.blame(event.rule, event.what, [frame]);
      else this.#frame(event.body, frame);
    }
    this.#wake();
  }

  #frame(body: Uint8Array, frame: LoggedFrame): void {
    if (this.#isBooting) this.#violations = [];
    this.#isBooting = false;
    const faults = profileFaults(body);
    faults.push(...shapeFaults(body));
    const said = decodeBody(body);
    const at = this.clock.monotonic();
    if (said.kind === "message") {
      this.#heard.push({ message: said.message, body, at, frame });
      faults.push(...this.#talk.heard(said.message, body, at));
      this.#answer(said.message);
    }
    for (const { rule, what } of faults) this.blame(rule, what, [frame]);
  }

  #answer({ type, seq }: Message): void {
    const isTold = type === "REPORT" || type === "CHANGED";
    if (isTold && this.manners.acknowledges) void this.say({ type: "ACK", seq });
    if (type === "PING" && this.manners.pongs) void this.say({ type: "PONG", seq });
  }

  /** A good frame whose END does not come: F4. */
  #look(): void {
    const body = this.#stream.unended;
    if (!body) return;
    this.blame("F4", "A frame does not end with END: nothing came after its CRC.", this.log.since(this.log.end - 1));
  }

  #wake(): void {
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    for (const wake of waiters) wake();
  }

  /** Settles when something has arrived, or `ms` have passed. */
  #change(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        timer.cancel();
        this.#waiters.delete(wake);
        if (ms > END_WITHIN) this.#look();
        resolve();
      };
      const timer = this.clock.timer("bench", ms, wake);
      this.#waiters.add(wake);
    });
  }
}
