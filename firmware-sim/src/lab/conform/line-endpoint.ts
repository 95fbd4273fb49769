/** One end of a line: everything that the other side says, and the rules of framing and encoding that it breaks unasked. */
import { type Clock, type Random, randomInteger } from "@porchlight/shared/kernel";
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
import { ConformFrameLog, type LoggedFrame } from "./frame-log.ts";
import type { Violation } from "./rule.ts";
import { type ProfileFault, profileFaults } from "./watch/profile.ts";
import { StreamWatch } from "./watch/stream-watch.ts";

export interface LineEndpointOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly link: ByteLink;
  /** By how much the arrival of a frame may be off, ms: 0 on a virtual clock. */
  readonly jitter: number;
}

/** A good frame of the other side that is a message. */
export interface Heard {
  readonly message: Message;
  readonly body: Uint8Array;
  /** Monotonic ms. */
  readonly at: number;
  readonly frame: LoggedFrame;
}

/** How long an open frame may want its END before that counts as never sent, ms. */
const END_WITHIN = 300;

export abstract class LineEndpoint {
  readonly clock: Clock;
  readonly random: Random;
  readonly jitter: number;
  readonly log: ConformFrameLog;
  /** Why the line is down. */
  closed: string | undefined;
  /** Lines before this one that are down. */
  closedLines = 0;
  /** Good frames so far that are no message. */
  strange = 0;
  #link: ByteLink;
  /** Lines before this one. */
  readonly #former: ByteLink[] = [];
  #heard: Heard[] = [];
  /** Heard before those, and forgotten. */
  #forgotten = 0;
  #violations: Violation[] = [];
  #seq: number;
  #bytes = 0;
  /** Monotonic, ms. */
  #arrivedAt = 0;
  #isBooting = true;
  readonly #waiters = new Set<() => void>();
  readonly #stream = new StreamWatch(HUB_FRAME_LIMIT);
  readonly #me: "hub" | "node";

  /** @param me which end it is */
  constructor({ clock, random, link, jitter }: LineEndpointOptions, me: "hub" | "node") {
    this.clock = clock;
    this.random = random;
    this.jitter = jitter;
    this.log = new ConformFrameLog(clock);
    this.#seq = randomInteger(random, 0x10000);
    this.#me = me;
    this.#link = link;
    this.#listen(link);
  }

  /** Bytes heard so far, good or not. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The place of what is heard next: {@link next} and {@link since} look from there. */
  get mark(): number {
    return this.#forgotten + this.#heard.length;
  }

  newSeq(): number {
    this.#seq = nextSeq(this.#seq);
    return this.#seq;
  }

  async say(message: Message): Promise<void> {
    // Before it leaves: on a quick line the other side has acted upon it by then.
    this.saying(message);
    await this.send(encodeFrame(encodeMessage(message)));
  }

  /** Puts bytes on the line as they are. */
  async send(bytes: Uint8Array): Promise<void> {
    this.log.add(this.#me, bytes);
    await this.#link.write(bytes).catch((failure: unknown) => {
      this.closed ??= failure instanceof Error ? failure.message : String(failure);
    });
  }

  /** What was heard since a mark, oldest first. */
  since(mark: number): readonly Heard[] {
    return this.#heard.slice(Math.max(0, mark - this.#forgotten));
  }

  /** Keeps nothing of what was heard so far: a line may be open for days. */
  forget(): void {
    this.#forgotten = this.mark;
    this.#heard = [];
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
      for (; at < this.mark; at++) {
        const heard = this.#heard[at - this.#forgotten];
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

  /** Goes on at another line; the one before stays open, as far as this side goes. */
  turnTo(link: ByteLink): void {
    this.#former.push(this.#link);
    this.#link = link;
    this.closed = undefined;
    this.expectLosses();
    this.#listen(link);
  }

  /** Frames of the other side may be lost from here on: its seqs bind nothing until the next. */
  expectLosses(): void {
    this.#stream.reset();
    this.forgetTalk();
  }

  /** The other side boots: what its boot loader prints before the first good frame is no frame of it. */
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
      if (event.kind === "fault") this.blame(event.rule, event.what, [this.log.add(this.#other, event.raw)]);
    const taken = this.#violations;
    this.#violations = [];
    return taken;
  }

  /** Takes the line down. */
  close(): void {
    this.#link.close();
  }

  /** Takes every line down, the earlier ones too: the proof is over. */
  end(): void {
    for (const link of [...this.#former, this.#link]) link.close();
  }

  /** A message is about to leave. */
  protected abstract saying(message: Message): void;

  /** What is wrong with a good frame for what it says and when. @param message undefined when it says nothing that is known */
  protected abstract judge(body: Uint8Array, message: Message | undefined, at: number): readonly ProfileFault[];

  /** A message has come: what this end does by itself. */
  protected abstract react(message: Message): void;

  /** Seqs and order of what came before bind nothing any more. */
  protected abstract forgetTalk(): void;

  get #other(): "hub" | "node" {
    return this.#me === "hub" ? "node" : "hub";
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
    this.#arrivedAt = this.clock.monotonic();
    for (const event of this.#stream.push(bytes)) {
      const frame = this.log.add(this.#other, event.raw);
      if (event.kind === "fault") this.blame(event.rule, event.what, [frame]);
      else this.#frame(event.body, frame);
    }
    this.#wake();
  }

  #frame(body: Uint8Array, frame: LoggedFrame): void {
    if (this.#isBooting) this.#violations = [];
    this.#isBooting = false;
    const said = decodeBody(body);
    const message = said.kind === "message" ? said.message : undefined;
    const at = this.clock.monotonic();
    if (message) this.#heard.push({ message, body, at, frame });
    else this.strange += 1;
    const faults = [...profileFaults(body), ...this.judge(body, message, at)];
    if (message) this.react(message);
    for (const { rule, what } of faults) this.blame(rule, what, [frame]);
  }

  /** A good frame whose END does not come: F4. */
  #look(): void {
    // A slow line may be in the middle of it.
    const isQuiet = this.clock.monotonic() - this.#arrivedAt >= END_WITHIN;
    if (!isQuiet || !this.#stream.unended) return;
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
        this.#look();
        resolve();
      };
      const timer = this.clock.timer("bench", ms, wake);
      this.#waiters.add(wake);
    });
  }
}
