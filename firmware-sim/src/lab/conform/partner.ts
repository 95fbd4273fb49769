/** The party under test, node or hub, as the rules of framing and encoding use it: it answers PING, and ignores damaged frames. */
import { encodeFrame, type Message } from "@porchlight/shared/wire";
import { frameOf, pingWith } from "./bytes.ts";
import { type Heard, LineEndpoint } from "./line-endpoint.ts";
import { Broken, NotApplicable, Unreachable } from "./rule.ts";

/** How long to wait for an answer, ms: longer than a hub waits (B2), so that a late answer can be distinguished from a missing one. */
export const PATIENCE = 2500;

const ANSWERS: readonly Message["type"][] = ["HELLO_ACK", "DESCRIPTION", "VALUE", "WRITTEN", "ACK", "PONG", "ERROR"];

export abstract class Partner extends LineEndpoint {
  /** The largest frame that the party accepts, bytes (F7). */
  abstract get limit(): number;

  /** Work to do while a rule waits; set by the runner of the rules. */
  meanwhile: () => Promise<void> = async () => undefined;

  /** Brings the party to a state in which it answers. @throws Unreachable */
  abstract live(): Promise<void>;

  /** Sends a frame with a PING of that seq, in any form, which must be answered. @throws Broken */
  async pongs(frame: Uint8Array, seq: number, what: string, within = PATIENCE): Promise<void> {
    const from = this.log.end;
    const mark = this.mark;
    await this.send(frame);
    const pong = await this.next(mark, within, ({ message }) => message.seq === seq && message.type === "PONG");
    if (!pong) throw new Broken(what, this.log.since(from));
  }

  /** Checks that a PING with a further field is answered (M3), which other rules need for their PINGs. @throws NotApplicable */
  async takesFurtherFields(): Promise<void> {
    const seq = this.newSeq();
    const from = this.log.end;
    const mark = this.mark;
    await this.send(frameOf(pingWith(seq, "01")));
    if (await this.next(mark, PATIENCE, ({ message }) => message.seq === seq && message.type === "PONG")) return;
    this.blame("M3", "A PING with a further field must be answered with PONG.", this.log.since(from));
    throw new NotApplicable("A PING with a further field is not answered, which breaks M3.");
  }

  /** Sends bytes that must have no effect, and checks that the next good frame is answered. @throws Broken */
  async ignores(bytes: Uint8Array, what: string): Promise<void> {
    const mark = this.mark;
    const from = this.log.end;
    const strangeBefore = this.strange;
    await this.send(bytes);
    const isFenced = await this.#ping();
    const answers = this.since(mark).filter(({ message }) => isAnswer(message));
    if (!isFenced)
      throw new Broken(
        `${what} must have no effect, and the next valid frame must be answered. It was not.`,
        this.log.since(from),
      );
    if (answers.length > 1)
      throw new Broken(`${what} must not be answered; ${answerInWords(answers[0]?.message)}`, this.log.since(from));
    if (this.strange > strangeBefore)
      throw new Broken(`${what} must not be answered; a frame came that is not a message.`, this.log.since(from));
  }

  /** @throws Broken when the answer is not an ERROR with that code */
  async expectError(bytes: Uint8Array | Message, seq: number, code: number, what: string): Promise<void> {
    const mark = this.mark;
    const from = this.log.end;
    if (bytes instanceof Uint8Array) await this.send(encodeFrame(bytes));
    else await this.say(bytes);
    const answer = (await this.answerTo(seq, mark, PATIENCE))?.message;
    if (answer?.type === "ERROR" && answer.code === code) return;
    throw new Broken(`${what} must be answered with ERROR ${code}; ${answerInWords(answer)}`, this.log.since(from));
  }

  /** Sends a PING and waits for its PONG: everything sent before has then been processed. @throws Unreachable */
  async fence(): Promise<void> {
    const mark = this.mark;
    for (let attempt = 0; attempt < 3; attempt++) if (await this.#ping()) return;
    if (this.closed !== undefined) throw new Unreachable(`The line is closed: ${this.closed}.`);
    const [pong] = this.all("PONG", mark);
    if (pong) throw new Unreachable("PINGs were answered with a PONG of another seq.", "M2");
    throw new Unreachable("Three PINGs were not answered.", "A2");
  }

  /** The answer to the request with that seq; undefined when there is none. */
  protected answerTo(seq: number, mark: number, within: number): Promise<Heard | undefined> {
    return this.next(mark, within, ({ message }) => message.seq === seq && isAnswer(message));
  }

  async #ping(): Promise<boolean> {
    const seq = this.newSeq();
    const mark = this.mark;
    await this.say({ type: "PING", seq });
    return (await this.answerTo(seq, mark, PATIENCE))?.message.type === "PONG";
  }
}

function isAnswer({ type }: Message): boolean {
  return ANSWERS.includes(type);
}

/** Describes the answer, as the end of a sentence. */
export function answerInWords(answer: Message | undefined): string {
  if (!answer) return "nothing came.";
  return answer.type === "ERROR" ? `ERROR ${answer.code} came.` : `${answer.type} came.`;
}
