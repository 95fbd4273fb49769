/** A node on a bench: the hub's end of its line, and what a node may never do. */
import type { Message, MessageOf } from "@porchlight/shared/wire";
import type { LineEndpointOptions } from "./line-endpoint.ts";
import { Partner } from "./partner.ts";
import type { ProfileFault } from "./watch/profile.ts";
import { shapeFaults } from "./watch/shapes.ts";
import { TalkWatch } from "./watch/talk-watch.ts";

/** What the hub does by itself while a rule is proved. */
export interface Manners {
  /** Answers REPORT and CHANGED with ACK. */
  acknowledges: boolean;
  /** Answers PING with PONG. */
  pongs: boolean;
}

export abstract class Bench extends Partner {
  readonly manners: Manners = { acknowledges: true, pongs: true };
  /** Whether a property can be read; set when the node is described. */
  isReadable: (report: MessageOf<"REPORT">) => boolean | undefined = () => undefined;
  readonly #talk: TalkWatch;

  constructor(options: LineEndpointOptions) {
    super(options, "hub");
    this.#talk = new TalkWatch({ jitter: options.jitter, isReadable: (report) => this.isReadable(report) });
  }

  /** A HELLO_ACK is about to leave as bytes. */
  hasAcknowledged(): void {
    this.#talk.acknowledged();
  }

  protected override saying(message: Message): void {
    if (message.type === "HELLO_ACK") this.#talk.acknowledged();
    if (message.type === "ACK" || (message.type === "ERROR" && message.code !== 9)) this.#talk.settled(message.seq);
  }

  protected override judge(body: Uint8Array, message: Message | undefined, at: number): readonly ProfileFault[] {
    return [...shapeFaults(body), ...(message ? this.#talk.heard(message, body, at) : [])];
  }

  protected override react({ type, seq }: Message): void {
    const isTold = type === "REPORT" || type === "CHANGED";
    if (isTold && this.manners.acknowledges) void this.say({ type: "ACK", seq });
    if (type === "PING" && this.manners.pongs) void this.say({ type: "PONG", seq });
  }

  protected override forgetTalk(): void {
    this.#talk.reset();
  }
}
