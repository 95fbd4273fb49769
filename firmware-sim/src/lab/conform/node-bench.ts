/** The bench operations of rules for nodes: greet the node, send requests, check what it ignores, read what it declares. */
import type { DeviceAbout, DeviceDescription } from "@porchlight/shared/model";
import { decodeServices, type HelloInfo, type Message, type MessageOf } from "@porchlight/shared/wire";
import type { Heard, LineEndpointOptions } from "./line-endpoint.ts";
import { answerInWords, PATIENCE, Partner } from "./partner.ts";
import type { ProfileFault } from "./profile.ts";
import { Broken, Unreachable } from "./rule.ts";
import { shapeFaults } from "./shapes.ts";
import { TalkWatch } from "./talk-watch.ts";

/** What the bench, as the hub, does automatically while a rule is proved. */
interface Manners {
  /** Answers REPORT and CHANGED with ACK. */
  acknowledges: boolean;
  /** Answers PING with PONG. */
  pongs: boolean;
}

abstract class Bench extends Partner {
  readonly manners: Manners = { acknowledges: true, pongs: true };
  /** Whether a property can be read; set when the node has been described. */
  isReadable: (report: MessageOf<"REPORT">) => boolean | undefined = () => undefined;
  readonly #talk: TalkWatch;

  constructor(options: LineEndpointOptions) {
    super(options, "hub");
    this.#talk = new TalkWatch({ jitter: options.jitter, isReadable: (report) => this.isReadable(report) });
  }

  /** Records that a HELLO_ACK is about to be sent as bytes. */
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
    const isReported = type === "REPORT" || type === "CHANGED";
    if (isReported && this.manners.acknowledges) void this.say({ type: "ACK", seq });
    if (type === "PING" && this.manners.pongs) void this.say({ type: "PONG", seq });
  }

  protected override forgetTalk(): void {
    this.#talk.reset();
  }
}

/** edgeId of the hub that the bench plays. */
export const HUB_ID = "02-50-4C-00-00-FE";

export interface DeclaredDevice {
  readonly place: number;
  readonly edgeId: string;
  /** The received DESCRIPTIONs, in the order of their parts. */
  readonly parts: readonly MessageOf<"DESCRIPTION">[];
  readonly services: DeviceDescription;
  readonly about: DeviceAbout;
  readonly problems: readonly string[];
}

/** An action at the device, such as a press of its button, that must cause a report. */
export interface Stimulus {
  /** Its name for people: the command. */
  readonly name: string;
  run(): Promise<void>;
}

export interface NodeBenchOptions extends LineEndpointOptions {
  readonly stimuli?: readonly Stimulus[] | undefined;
  /** Resets the board, like its button. */
  readonly reset?: (() => Promise<void>) | undefined;
  /** Opens another line to the node, when its kind of line allows that. */
  readonly connect?: (() => Promise<LineEndpointOptions["link"]>) | undefined;
  readonly quick?: boolean | undefined;
  /** Numbers of the selected rules. */
  readonly only?: readonly string[] | undefined;
}

type Hello = Heard & { readonly message: MessageOf<"HELLO"> };
type Answer = MessageOf<"DESCRIPTION" | "VALUE" | "WRITTEN" | "ACK" | "PONG" | "ERROR">;

export class NodeBench extends Bench {
  readonly stimuli: readonly Stimulus[];
  readonly reset: (() => Promise<void>) | undefined;
  readonly connect: NodeBenchOptions["connect"];
  readonly quick: boolean;
  /** The node must stay greeting during the proof: it answers PING all the same (A2). */
  isGreeting = false;
  readonly #only: readonly string[];
  /** Content of the last HELLO. */
  hello: HelloInfo | undefined;
  devices: readonly DeclaredDevice[] = [];
  /** Values that rules have changed and the bench must restore. */
  readonly changed = new Map<string, MessageOf<"WRITE">>();

  constructor(options: NodeBenchOptions) {
    super(options);
    this.stimuli = options.stimuli ?? [];
    this.reset = options.reset;
    this.connect = options.connect;
    this.quick = options.quick ?? false;
    this.#only = options.only ?? [];
    this.isReadable = ({ device, service, index, property }) => this.#access(device, service, index, property);
  }

  /**
   * Sends WHO every second until a HELLO arrives, as a hub does when it opens a link (S3); undefined when none arrives within this
   * number of seconds.
   */
  async call(seconds: number): Promise<Hello | undefined> {
    for (let second = 0; second < seconds; second++) {
      const mark = this.mark;
      await this.say({ type: "WHO", seq: this.newSeq() });
      await this.next(mark, 1000, ({ message }) => message.type === "HELLO");
      const [hello] = this.all("HELLO", mark);
      if (!hello) continue;
      this.hello = hello.message.info;
      return hello;
    }
    return undefined;
  }

  /** Sends WHO until a HELLO arrives. @throws Unreachable */
  async greet(): Promise<Hello> {
    const hello = await this.call(12);
    if (hello) return hello;
    const isNoise = this.mark === 0 && this.bytes > 0;
    const hint = isNoise ? ` ${this.bytes} bytes came, without a valid frame: check the baud rate.` : "";
    throw new Unreachable(`No HELLO came within 12 s, although the hub sent WHO every second.${hint}`, "S3");
  }

  override get limit(): number {
    return this.hello?.max ?? 128;
  }

  async acknowledge(seq: number): Promise<void> {
    await this.say({ type: "HELLO_ACK", seq, info: { v: 1, hub: HUB_ID } });
  }

  /** Whether a rule was selected by its number: then its proof may take long. */
  isAskedFor(rule: string): boolean {
    return this.#only.includes(rule);
  }

  /** Brings the node to the live state, without memory of earlier requests. @throws Unreachable */
  override async live(): Promise<void> {
    if (this.isGreeting) return this.fence();
    const { message } = await this.greet();
    await this.acknowledge(message.seq);
    await this.fence();
  }

  /** The answer to a request; undefined when none arrived. */
  async ask(message: Message, within = PATIENCE): Promise<Answer | undefined> {
    const mark = this.mark;
    await this.say(message);
    return (await this.answerTo(message.seq, mark, within))?.message as Answer | undefined;
  }

  /** The answer to a request. @throws Broken when none arrives, or one of another type (ERROR too, unless wanted) */
  async expect<N extends Answer["type"]>(message: Message, wanted: N): Promise<MessageOf<N>> {
    const from = this.log.end;
    const answer = await this.ask(message);
    if (answer?.type === wanted) return answer as MessageOf<N>;
    const what = `${message.type} must be answered with ${wanted}; ${answerInWords(answer)}`;
    throw new Broken(what, this.log.since(from));
  }

  /** Whether the node counts itself as acknowledged, by R6: an IDENTIFY of 0 s is not answered with ERROR 9. */
  async isLive(place: number): Promise<boolean> {
    const answer = await this.ask({ type: "IDENTIFY", seq: this.newSeq(), device: place, seconds: 0 });
    return answer !== undefined && !(answer.type === "ERROR" && answer.code === 9);
  }

  /** Reads the complete description of every device; a device that does not answer is left out. */
  async learn(): Promise<void> {
    await this.live();
    const devices: DeclaredDevice[] = [];
    for (const [place, edgeId] of (this.hello?.devices ?? []).entries()) {
      if (edgeId === null) continue;
      const parts = await this.describe(place);
      const { services, about, problems } = decodeServices(
        parts.map((part) => ({ services: part.services, about: part.about ?? {} })),
      );
      devices.push({ place, edgeId, parts, services, about, problems });
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

  /** Restores the values that rules have changed, with the hub's own manners. @throws Unreachable */
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
}
