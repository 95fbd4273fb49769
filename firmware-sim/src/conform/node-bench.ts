/** What a rule asks of a node, in the words of a hub: greet it, ask it, see that it ignores, and what it declares. */
import type { DeviceDescription } from "@porchlight/shared/model";
import { decodeServices, encodeFrame, type HelloInfo, type Message, type MessageOf } from "@porchlight/shared/wire";
import { Bench, type BenchOptions, type Heard } from "./bench.ts";
import { Broken, Unreachable } from "./rule.ts";

/** The hub that the bench plays. */
export const HUB_ID = "02-50-4C-00-00-FE";

/** How long an answer is waited for, ms: longer than a hub waits (B2), so that one that is late is told from one that never comes. */
const PATIENCE = 2500;

export interface DeclaredDevice {
  readonly place: number;
  readonly edgeId: string;
  /** Its DESCRIPTIONs as they came, in the order of their parts. */
  readonly parts: readonly MessageOf<"DESCRIPTION">[];
  readonly services: DeviceDescription;
  readonly problems: readonly string[];
}

/** Something that happens at the device, as a press of its button, and is to be reported. */
export interface Stimulus {
  /** What a person calls it: the command. */
  readonly name: string;
  run(): Promise<void>;
}

export interface NodeBenchOptions extends BenchOptions {
  readonly stimuli?: readonly Stimulus[] | undefined;
  /** Resets the board, as its button does. */
  readonly reset?: (() => Promise<void>) | undefined;
  /** Opens another line to the node, when its kind of line allows that. */
  readonly connect?: (() => Promise<BenchOptions["link"]>) | undefined;
  readonly quick?: boolean | undefined;
}

type Answer = MessageOf<"DESCRIPTION" | "VALUE" | "WRITTEN" | "ACK" | "PONG" | "ERROR">;

export class NodeBench extends Bench {
  readonly stimuli: readonly Stimulus[];
  readonly reset: (() => Promise<void>) | undefined;
  readonly connect: NodeBenchOptions["connect"];
  readonly quick: boolean;
  /** What the last HELLO said. */
  hello: HelloInfo | undefined;
  devices: readonly DeclaredDevice[] = [];
  /** Values that rules have changed, to be put back. */
  readonly changed = new Map<string, MessageOf<"WRITE">>();

  constructor(options: NodeBenchOptions) {
    super(options);
    this.stimuli = options.stimuli ?? [];
    this.reset = options.reset;
    this.connect = options.connect;
    this.quick = options.quick ?? false;
    this.isReadable = ({ device, service, index, property }) => this.#access(device, service, index, property);
  }

  /** Asks WHO until a HELLO comes. @throws Unreachable */
  async greet(): Promise<Heard & { readonly message: MessageOf<"HELLO"> }> {
    for (let second = 0; second < 12; second++) {
      const mark = this.mark;
      await this.say({ type: "WHO", seq: this.newSeq() });
      await this.next(mark, 1000, ({ message }) => message.type === "HELLO");
      const hello = this.all("HELLO", mark)[0];
      if (!hello) continue;
      this.hello = hello.message.info;
      return hello;
    }
    throw new Unreachable("No HELLO came in twelve seconds of WHO.", "S3");
  }

  async acknowledge(seq: number): Promise<void> {
    await this.say({ type: "HELLO_ACK", seq, info: { v: 1, hub: HUB_ID } });
  }

  /** Greeted and acknowledged, with no memory of what was asked before. @throws Unreachable */
  async live(): Promise<void> {
    const { message } = await this.greet();
    await this.acknowledge(message.seq);
    await this.fence();
  }

  /** The answer to a request; undefined when none came. */
  async ask(message: Message, within = PATIENCE): Promise<Answer | undefined> {
    const mark = this.mark;
    await this.say(message);
    return (await this.#answerTo(message.seq, mark, within))?.message as Answer | undefined;
  }

  /** The answer to a request. @throws Broken when none comes, or one of another type (ERROR too, unless wanted) */
  async expect<N extends Answer["type"]>(message: Message, wanted: N): Promise<MessageOf<N>> {
    const from = this.log.end;
    const answer = await this.ask(message);
    if (answer?.type === wanted) return answer as MessageOf<N>;
    const what = `${message.type} is to be answered with ${wanted}; ${toldOf(answer)}`;
    throw new Broken(what, this.log.since(from));
  }

  /** @throws Broken when the answer is no ERROR with that code */
  async expectError(bytes: Uint8Array | Message, seq: number, code: number, what: string): Promise<void> {
    const mark = this.mark;
    const from = this.log.end;
    if (bytes instanceof Uint8Array) await this.send(encodeFrame(bytes));
    else await this.say(bytes);
    const answer = (await this.#answerTo(seq, mark, PATIENCE))?.message;
    if (answer?.type === "ERROR" && answer.code === code) return;
    throw new Broken(`${what} is to be answered with ERROR ${code}; ${toldOf(answer)}`, this.log.since(from));
  }

  /** Sends bytes that are to lead to nothing, and sees that the next good frame is answered. @throws Broken */
  async ignores(bytes: Uint8Array, what: string): Promise<void> {
    const mark = this.mark;
    const from = this.log.end;
    await this.send(bytes);
    const isFenced = await this.#ping();
    const answers = this.since(mark).filter(({ message }) => isAnswer(message));
    if (!isFenced)
      throw new Broken(
        `${what} leads to nothing, and the next good frame is to be answered. It was not.`,
        this.log.since(from),
      );
    if (answers.length > 1)
      throw new Broken(`${what} is to lead to no answer; ${toldOf(answers[0]?.message)}`, this.log.since(from));
  }

  /** Sends a PING and waits for its PONG: all that was sent before has been dealt with. @throws Unreachable */
  async fence(): Promise<void> {
    for (let attempt = 0; attempt < 3; attempt++) if (await this.#ping()) return;
    throw new Unreachable(this.closed ? `The line is down: ${this.closed}.` : "Three PINGs were not answered.");
  }

  /** Whether a hub has acknowledged it, by R6: an IDENTIFY of 0 s that is not answered with ERROR 9. */
  async isLive(place: number): Promise<boolean> {
    const answer = await this.ask({ type: "IDENTIFY", seq: this.newSeq(), device: place, seconds: 0 });
    return answer !== undefined && !(answer.type === "ERROR" && answer.code === 9);
  }

  /** Reads the whole description of every device; what does not answer is left out. */
  async learn(): Promise<void> {
    await this.live();
    const devices: DeclaredDevice[] = [];
    for (const [place, edgeId] of (this.hello?.devices ?? []).entries()) {
      if (edgeId === null) continue;
      const parts = await this.describe(place);
      const { services, problems } = decodeServices(
        parts.map(({ services, about }) => ({ services, about: about ?? {} })),
      );
      devices.push({ place, edgeId, parts, services, problems });
    }
    this.devices = devices;
  }

  /** The parts of a description, as far as they are answered. */
  async describe(place: number): Promise<MessageOf<"DESCRIPTION">[]> {
    const parts: MessageOf<"DESCRIPTION">[] = [];
    for (let part = 0; part < (parts[0]?.parts ?? 1) && part < 64; part++) {
      const answer = await this.ask({ type: "DESCRIBE", seq: this.newSeq(), device: place, part });
      if (answer?.type !== "DESCRIPTION") break;
      parts.push(answer);
    }
    return parts;
  }

  /** Writes back what rules have changed, with the hub's own manners. @throws Unreachable */
  async tidy(): Promise<void> {
    this.manners.acknowledges = true;
    this.manners.pongs = true;
    if (this.changed.size === 0) return this.fence();
    await this.live();
    for (const write of this.changed.values()) await this.ask({ ...write, seq: this.newSeq() });
    this.changed.clear();
  }

  #access(place: number, service: string, index: number, property: string): boolean | undefined {
    const found = this.devices
      .find((device) => device.place === place)
      ?.services.find((each) => each.service === service && each.index === String(index))
      ?.properties.find((each) => each.property === property);
    return found?.access.includes("read");
  }

  async #ping(): Promise<boolean> {
    const seq = this.newSeq();
    const answer = await this.ask({ type: "PING", seq });
    return answer?.type === "PONG";
  }

  #answerTo(seq: number, mark: number, within: number): Promise<Heard | undefined> {
    return this.next(mark, within, ({ message }) => message.seq === seq && isAnswer(message));
  }
}

function isAnswer({ type }: Message): boolean {
  return ["DESCRIPTION", "VALUE", "WRITTEN", "ACK", "PONG", "ERROR"].includes(type);
}

/** What came, in words that end a sentence. */
function toldOf(answer: Message | undefined): string {
  if (!answer) return "nothing came.";
  return answer.type === "ERROR" ? `ERROR ${answer.code} came.` : `${answer.type} came.`;
}
