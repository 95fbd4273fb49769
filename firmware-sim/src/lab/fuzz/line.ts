/** The fuzzer's line to the other side: sends bytes and parses messages, and bounds the time of both. */
import type { Clock } from "@porchlight/shared/kernel";
import {
  type ByteLink,
  decodeBody,
  encodeFrame,
  encodeMessage,
  FrameReader,
  HUB_FRAME_LIMIT,
  type Message,
} from "@porchlight/shared/wire";

/** Receives all traffic; `isInput`: an input of the fuzzer. */
export type OnPassed = (from: "us" | "them", bytes: Uint8Array, isInput: boolean) => void;

export interface LineOptions {
  readonly clock: Clock;
  readonly link: ByteLink;
  /** Called with each good message, for immediate answers. */
  readonly onMessage: (message: Message) => void;
  readonly onPassed: OnPassed;
}

/** Time limit for sending bytes, ms. A peer that stops reading hangs, and the next check notices it. */
const LEAVES_WITHIN = 3000;
/** Ends any frame that the receiver is in the middle of. */
const FRESH = Uint8Array.of(0xc0, 0xc0);

export class FuzzLine {
  /** Why the line is down. */
  closed: string | undefined;
  readonly #options: LineOptions;
  readonly #waiters = new Set<(message: Message | undefined) => void>();
  /** Whether bytes did not leave in time: they hold up everything after them. */
  #isStuck = false;

  constructor(options: LineOptions) {
    this.#options = options;
    const reader = new FrameReader(HUB_FRAME_LIMIT);
    options.link.listen(
      (bytes) => {
        options.onPassed("them", bytes, false);
        for (const event of reader.push(bytes)) if (event.kind === "frame") this.#frame(event.body);
      },
      (reason) => this.#down(reason),
    );
  }

  /** Sends bytes; resolves when they have left, or will not leave any more. */
  async send(bytes: Uint8Array, isInput = false): Promise<void> {
    if (this.#isStuck || this.closed !== undefined) return;
    const { clock, link, onPassed } = this.#options;
    onPassed("us", bytes, isInput);
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = clock.timer("bytes to leave", LEAVES_WITHIN, () => {
      this.#isStuck = true;
      resolve();
    });
    const gone = () => {
      this.#isStuck = false;
      timer.cancel();
      resolve();
    };
    link.write(bytes).then(gone, (failure: unknown) => {
      this.#down(failure instanceof Error ? failure.message : String(failure));
      gone();
    });
    await promise;
  }

  say(message: Message): Promise<void> {
    return this.send(encodeFrame(encodeMessage(message)));
  }

  /**
   * Sends a message in a frame that earlier bytes cannot damage, and waits for the wanted answer; undefined when it does not arrive in
   * time.
   */
  async ask(message: Message, within: number, isWanted: (message: Message) => boolean): Promise<Message | undefined> {
    const answer = this.next(within, isWanted);
    void this.send(FRESH);
    void this.say(message);
    return answer;
  }

  /** The next wanted message; undefined after `within` ms without one, or when the line is down. */
  next(within: number, isWanted: (message: Message) => boolean): Promise<Message | undefined> {
    return new Promise((resolve) => {
      if (this.closed !== undefined) return resolve(undefined);
      const take = (message: Message | undefined) => {
        if (message !== undefined && !isWanted(message)) return;
        timer.cancel();
        this.#waiters.delete(take);
        resolve(message);
      };
      const timer = this.#options.clock.timer("answer", within, () => take(undefined));
      this.#waiters.add(take);
    });
  }

  /** Closes the line. Safe to repeat. */
  close(): void {
    this.#down("closed");
    this.#options.link.close();
  }

  #frame(body: Uint8Array): void {
    const stated = decodeBody(body);
    if (stated.kind !== "message" || this.closed !== undefined) return;
    this.#options.onMessage(stated.message);
    for (const take of [...this.#waiters]) take(stated.message);
  }

  #down(reason: string): void {
    if (this.closed !== undefined) return;
    this.closed = reason;
    for (const take of [...this.#waiters]) take(undefined);
  }
}
