/** A line to the party that is fuzzed: bytes go in, messages come out, and neither may take for ever. */
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

/** What passes; `isInput`: it is said to see what comes of it. */
export type OnPassed = (from: "us" | "them", bytes: Uint8Array, isInput: boolean) => void;

export interface LineOptions {
  readonly clock: Clock;
  readonly link: ByteLink;
  /** A good message has come: what is answered at once. */
  readonly onMessage: (message: Message) => void;
  readonly onPassed: OnPassed;
}

/** How long a line may take to let bytes go, ms. Who does not read them any more hangs, and is looked at. */
const LEAVES_WITHIN = 3000;
/** Ends what the reader was in the middle of. */
const FRESH = Uint8Array.of(0xc0, 0xc0);

export class FuzzLine {
  /** Why the line is down. */
  closed: string | undefined;
  readonly #options: LineOptions;
  readonly #waiters = new Set<(message: Message | undefined) => void>();
  /** Bytes have not left in time: they hold up all that follows. */
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

  /** Sends bytes; settles when they have left, or are not going to. */
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

  /** Says something in a frame that nothing before it can spoil, and waits for what is wanted; undefined when it does not come in time. */
  async ask(message: Message, within: number, isWanted: (message: Message) => boolean): Promise<Message | undefined> {
    const answer = this.next(within, isWanted);
    void this.send(FRESH);
    void this.say(message);
    return answer;
  }

  /** The next message that is wanted; undefined when `within` ms have passed without it, or the line is down. */
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

  /** Takes it down. Safe to repeat. */
  close(): void {
    this.#down("closed");
    this.#options.link.close();
  }

  #frame(body: Uint8Array): void {
    const said = decodeBody(body);
    if (said.kind !== "message" || this.closed !== undefined) return;
    this.#options.onMessage(said.message);
    for (const take of [...this.#waiters]) take(said.message);
  }

  #down(reason: string): void {
    if (this.closed !== undefined) return;
    this.closed = reason;
    for (const take of [...this.#waiters]) take(undefined);
  }
}
