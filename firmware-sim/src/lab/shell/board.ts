/** The board at the other end of the shell's line: sends requests and measures them, and reports what the board sends on its own. */
import { type Value, valuesEqual } from "@porchlight/shared/model";
import { type Message, type MessageOf, wireAddress } from "@porchlight/shared/wire";
import type { Heard } from "../conform/line-endpoint.ts";
import { NodeBench, type NodeBenchOptions } from "../conform/node-bench.ts";
import type { Violation } from "../conform/rule.ts";
import type { ShellTarget } from "./command.ts";
import { type RequestTime, Times } from "./times.ts";

/** A request is sent up to three times, with 500 ms for each try (B2). */
const TRIES = 3;
const TRY_MS = 500;
/** Time to wait for the effects of raw bytes, ms. */
const RAW_MS = 500;

export interface ShellBoardOptions extends NodeBenchOptions {
  /** Called with messages that the board sends on its own, and with the rules that it breaks. */
  readonly onEvent: (event: BoardEvent) => void;
  /** Called for every completed request, with the type of its message. */
  readonly onRequest?: ((kind: string, time: RequestTime) => void) | undefined;
}

export type BoardEvent =
  | { readonly kind: "report"; readonly message: MessageOf<"REPORT"> }
  | { readonly kind: "changed"; readonly message: MessageOf<"CHANGED"> }
  | { readonly kind: "greeted"; readonly message: MessageOf<"HELLO"> }
  | { readonly kind: "broken"; readonly violation: Violation }
  | { readonly kind: "frame"; readonly from: "hub" | "node"; readonly message: Message };

/** The answer to a request, or the fact that none arrived. */
export interface RequestEnd {
  readonly answer: Message | undefined;
  /** Time from the first byte of the first try to the answer, ms. */
  readonly ms: number;
  /** Number of tries. */
  readonly tries: number;
}

export class ShellBoard extends NodeBench {
  readonly times = new Times();
  /** Whether every frame is reported, not only the board's own messages. */
  isWatched = false;
  /** Whether the board has booted or its devices have changed since the last description. */
  isStale = true;
  readonly #onEvent: ShellBoardOptions["onEvent"];
  readonly #onRequest: ShellBoardOptions["onRequest"];
  #isCalling = false;

  constructor(options: ShellBoardOptions) {
    super(options);
    this.#onEvent = options.onEvent;
    this.#onRequest = options.onRequest;
  }

  /** Greets and describes the board when necessary. @throws Unreachable */
  async learnWhenStale(): Promise<void> {
    if (!this.isStale) return;
    await this.learn();
    this.isStale = false;
  }

  override async call(seconds: number): ReturnType<NodeBench["call"]> {
    this.#isCalling = true;
    try {
      return await super.call(seconds);
    } finally {
      this.#isCalling = false;
    }
  }

  /** Sends a request as a hub does (B2), and records its duration. */
  async request(make: (seq: number) => Message): Promise<RequestEnd> {
    const message = make(this.newSeq());
    const from = this.clock.monotonic();
    const mark = this.mark;
    let heard: Heard | undefined;
    let tries = 0;
    while (!heard && tries < TRIES && this.closed === undefined) {
      tries += 1;
      await this.say(message);
      heard = await this.answerTo(message.seq, mark, TRY_MS);
    }
    const ms = (heard?.at ?? this.clock.monotonic()) - from;
    const time = { ms: heard && ms, tries, isError: heard?.message.type === "ERROR" };
    this.times.add(message.type, time);
    this.#onRequest?.(message.type, time);
    return { answer: heard?.message, ms, tries };
  }

  readProperty({ device, address }: ShellTarget): Promise<RequestEnd> {
    return this.request((seq) => ({ type: "READ", seq, ...wireAddress(device.place, address) }));
  }

  writeProperty({ device, address }: ShellTarget, value: Value): Promise<RequestEnd> {
    return this.request((seq) => ({ type: "WRITE", seq, ...wireAddress(device.place, address), value }));
  }

  /** Waits up to this number of ms for a report of that value. */
  reportOf({ device, address }: ShellTarget, value: Value, within: number): Promise<Heard | undefined> {
    const wanted = wireAddress(device.place, address);
    return this.next(this.mark, within, ({ message }) => {
      if (message.type !== "REPORT" || message.device !== wanted.device || message.service !== wanted.service)
        return false;
      return (
        message.index === wanted.index && message.property === wanted.property && valuesEqual(message.value, value)
      );
    });
  }

  /** Sends raw bytes and returns the messages of the next half second. */
  async after(bytes: Uint8Array): Promise<readonly Heard[]> {
    const { mark } = this;
    await this.send(bytes);
    await this.pass(RAW_MS);
    return this.since(mark);
  }

  /** Reports the violations observed so far. */
  tellBroken(): void {
    for (const violation of this.takeViolations()) this.#onEvent({ kind: "broken", violation });
  }

  protected override saying(message: Message): void {
    super.saying(message);
    if (this.isWatched) this.#onEvent({ kind: "frame", from: "hub", message });
  }

  protected override react(message: Message): void {
    if (this.isWatched) this.#onEvent({ kind: "frame", from: "node", message });
    else if (message.type === "REPORT") this.#onEvent({ kind: "report", message });
    if (message.type === "CHANGED") this.#changed(message);
    super.react(message);
    if (message.type === "HELLO" && !this.#isCalling) this.#greeted(message);
  }

  #changed(message: MessageOf<"CHANGED">): void {
    this.isStale = true;
    this.#onEvent({ kind: "changed", message });
  }

  /** Handles an unsolicited HELLO: the board has booted, or has lost its hub. */
  #greeted(message: MessageOf<"HELLO">): void {
    this.hello = message.info;
    this.isStale = true;
    this.#onEvent({ kind: "greeted", message });
    void this.acknowledge(message.seq);
  }
}
