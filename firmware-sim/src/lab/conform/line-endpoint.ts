/** One end of a line: records all messages of the other side, and its violations of framing and encoding. */
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
import { type ProfileFault, profileFaults } from "./profile.ts";
import { ConformFrameLog, type LoggedFrame, type Violation } from "./rule.ts";
import { StreamWatch } from "./stream-watch.ts";

export interface LineEndpointOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly link: ByteLink;
  /** Uncertainty of the arrival time of a frame, ms: 0 on a virtual clock. */
  readonly jitter: number;
}

/** A good frame of the other side that holds a message. */
export interface Heard {
  readonly message: Message;
  readonly body: Uint8Array;
  /** Monotonic ms. */
  readonly at: number;
  readonly frame: LoggedFrame;
}

/** Time in which the END of an open frame must arrive; later it counts as never sent, ms. */
const END_WITHIN = 300;

export abstract class LineEndpoint {
  readonly clock: Clock;
  readonly random: Random;
  readonly jitter: number;
  readonly log: ConformFrameLog;
  /** Why the line is down. */
  closed: string | undefined;
  /** Number of earlier lines that are down. */
  closedLines = 0;
  /** Number of good frames so far that hold no message. */
  strange = 0;
  #link: ByteLink;
  /** Earlier lines. */
  readonly #former: ByteLink[] = [];
  #heard: Heard[] = [];
  /** Number of older messages that were forgotten. */
  #forgotten = 0;
  #violations: Violation[] = [];
  #seq: number;
  #bytes = 0;
  /** Monotonic ms of the last arrival. */
  #arrivedAt = 0;
  #isBooting = true;
  readonly #waiters = new Set<() => void>();
  readonly #stream = new StreamWatch(HUB_FRAME_LIMIT);
  readonly #me: "hub" | "node";

  /** @param me the side that this end plays */
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

  /** Number of received bytes, good or not. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Position of the next message: {@link next} and {@link since} start there. */
  get mark(): number {
    return this.#forgotten + this.#heard.length;
  }

  newSeq(): number {
    this.#seq = nextSeq(this.#seq);
    return this.#seq;
  }

  async say(message: Message): Promise<void> {
    // Call it before the message leaves: on a fast line the other side may react before `send` returns.
    this.saying(message);
    await this.send(encodeFrame(encodeMessage(message)));
  }

  /** Sends raw bytes. */
  async send(bytes: Uint8Array): Promise<void> {
    this.log.add(this.#me, bytes);
    await this.#link.write(bytes).catch((failure: unknown) => {
      this.closed ??= failure instanceof Error ? failure.message : String(failure);
    });
  }

  /** The messages since a mark, oldest first. */
  since(mark: number): readonly Heard[] {
    return this.#heard.slice(Math.max(0, mark - this.#forgotten));
  }

  /** Discards all recorded messages: a line may stay open for days. */
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

  /** The first message since a mark that `isWanted`, as soon as it arrives; undefined after `within` ms without one. */
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

  /** Waits, ms. */
  async pass(ms: number): Promise<void> {
    await this.next(this.mark, ms, () => false);
    this.#look();
  }

  /** Continues on another line; this side leaves the earlier one open. */
  turnTo(link: ByteLink): void {
    this.#former.push(this.#link);
    this.#link = link;
    this.closed = undefined;
    this.expectLosses();
    this.#listen(link);
  }

  /** Informs the watch that frames of the other side may now be lost: rules on seqs apply only from the next frame on. */
  expectLosses(): void {
    this.#stream.reset();
    this.forgetTalk();
  }

  /** Informs the watch that the other side boots: output of its boot loader before the first good frame is no violation. */
  expectBoot(): void {
    this.expectLosses();
    this.#isBooting = true;
  }

  /** Records a violation of a rule now. */
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

  /** Closes the line. */
  close(): void {
    this.#link.close();
  }

  /** Closes every line, earlier ones too, at the end of the proof. */
  end(): void {
    for (const link of [...this.#former, this.#link]) link.close();
  }

  /** Called before a message is sent. */
  protected abstract saying(message: Message): void;

  /** Violations of a good frame by its content and time. @param message undefined when the content is not a known message */
  protected abstract judge(body: Uint8Array, message: Message | undefined, at: number): readonly ProfileFault[];

  /** Called for every message: the automatic reactions of this end. */
  protected abstract react(message: Message): void;

  /** Called when seqs and order of earlier messages no longer count. */
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
    const stated = decodeBody(body);
    const message = stated.kind === "message" ? stated.message : undefined;
    const at = this.clock.monotonic();
    if (message) this.#heard.push({ message, body, at, frame });
    else this.strange += 1;
    const faults = [...profileFaults(body), ...this.judge(body, message, at)];
    if (message) this.react(message);
    for (const { rule, what } of faults) this.blame(rule, what, [frame]);
  }

  /** Checks for a good frame without its END: F4. */
  #look(): void {
    // A slow line may still be sending it.
    const isQuiet = this.clock.monotonic() - this.#arrivedAt >= END_WITHIN;
    if (!isQuiet || !this.#stream.unended) return;
    this.blame("F4", "A frame does not end with END: nothing came after its CRC.", this.log.since(this.log.end - 1));
  }

  #wake(): void {
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    for (const wake of waiters) wake();
  }

  /** Resolves when something has arrived, or after `ms`. */
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
