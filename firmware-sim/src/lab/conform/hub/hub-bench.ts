/** The bench for a hub: the node's end of its line. It plays nodes and records the hub's requests. */
import { randomInteger } from "@porchlight/shared/kernel";
import type { Value } from "@porchlight/shared/model";
import { frameSize, type HelloInfo, HUB_FRAME_LIMIT, type Message, type MessageOf } from "@porchlight/shared/wire";
import type { Heard, LineEndpointOptions } from "../line-endpoint.ts";
import type { Stimulus } from "../node-bench.ts";
import { Partner } from "../partner.ts";
import type { ProfileFault } from "../profile.ts";
import { Broken, NotApplicable, Unreachable } from "../rule.ts";
import {
  type Check,
  edgeIdFaults,
  errorFields,
  fault,
  field,
  isMap,
  isUnsigned,
  keyOrder,
  none,
  shapeFaultsBy,
} from "../shapes.ts";
import { HubTalk, isWindowed } from "./hub-talk.ts";
import { NODE_ID, type Persona, PLAIN, playedValue } from "./persona.ts";

/** The hub describes a link at most once in 5 s (X1), and played nodes answer at once. */
const DESCRIBED_WITHIN = 15_000;
/** Five seconds of silence, three PINGs, and WHO. */
const CALLS_WITHIN = 12_000;

/** What the bench, as the node, does automatically while a rule is proved. */
interface Manners {
  /** Answers WHO with HELLO. */
  greets: boolean;
  /** Answers PING with PONG. */
  pongs: boolean;
}

/** The bench's answers in place of an honest node's; undefined for the honest answer. */
export type Script = (message: Message) => readonly Message[] | undefined;

/** Answers like an honest node. */
export const HONEST: Script = () => undefined;

export interface HubBenchOptions extends LineEndpointOptions {
  /** Commands that each make the hub set a property of the first played device. */
  readonly stimuli?: readonly Stimulus[] | undefined;
  readonly quick?: boolean | undefined;
}

export class HubBench extends Partner {
  readonly quick: boolean;
  readonly stimuli: readonly Stimulus[];
  readonly limit = HUB_FRAME_LIMIT;
  readonly manners: Manners = { greets: false, pongs: true };
  #script: Script = HONEST;
  /**
   * Whether a script has left requests unanswered or rejected since the hub last read the whole plain node: the hub keeps asking for
   * those values (B3).
   */
  #isOwed = false;
  /** The hub's edgeId in the last HELLO_ACK. */
  hubId: string | undefined;
  /** Content of the last HELLO. */
  hello: HelloInfo | undefined;
  #persona: Persona = PLAIN;
  /** Whether the hub has acknowledged a HELLO of the persona. */
  #isKnown = false;
  /** Requests of the hub after it last greeted the plain node. */
  askedPlain: readonly string[] = [];
  readonly #askedAs = new Map<Persona, readonly string[]>();
  readonly #talk: HubTalk;

  set script(script: Script) {
    this.#script = script;
    if (script !== HONEST) this.#isOwed = true;
  }

  constructor(options: HubBenchOptions) {
    super(options, "node");
    this.quick = options.quick ?? false;
    this.stimuli = options.stimuli ?? [];
    this.#talk = new HubTalk(options.jitter);
  }

  /** Waits until the plain node is described and read, as far as reports need that. @throws NotApplicable */
  async described(): Promise<void> {
    await this.live();
    const missing = wanted(PLAIN).filter((each) => !this.askedPlain.includes(each));
    if (missing.length > 0)
      throw new NotApplicable(`The device is not described and read: ${missing[0]} did not come.`);
  }

  /** Makes sure that the hub knows the plain node, and answers. @throws Unreachable */
  override async live(): Promise<void> {
    if (this.#isKnown && this.#persona === PLAIN) return this.fence();
    await this.boot(PLAIN);
  }

  /**
   * Boots as a node, and lets the hub describe and read it.
   * @returns the mark at which the hub's requests begin
   * @throws Unreachable
   */
  async boot(persona: Persona, boot?: number): Promise<number> {
    const mark = await this.reboot(persona, boot);
    await this.asks(mark, wanted(persona), DESCRIBED_WITHIN);
    await this.fence();
    if (persona === PLAIN) this.askedPlain = this.asked(mark);
    return mark;
  }

  /** Sends only the HELLO of another boot. @throws Unreachable */
  async reboot(persona: Persona, boot = 1 + randomInteger(this.random, 0xfffffffe)): Promise<number> {
    const mark = this.mark;
    this.#persona = persona;
    this.manners.greets = true;
    const { devices, win, max } = persona;
    this.hello = { v: 1, id: NODE_ID, devices, boot, max, win };
    this.#talk.boots(win);
    for (let attempt = 0; attempt < 3; attempt++) if (await this.greet()) return mark;
    if (this.all("HELLO_ACK", mark).length > 0)
      throw new Unreachable("The HELLO_ACK has another seq than its HELLO.", "M2");
    throw new Unreachable("Three HELLOs were not acknowledged.", "S5");
  }

  /** Sends HELLO with a new seq; returns whether the hub acknowledges it. */
  async greet(): Promise<boolean> {
    const { hello: info } = this;
    if (!info) return false;
    const seq = this.newSeq();
    const mark = this.mark;
    await this.say({ type: "HELLO", seq, info });
    const answer = await this.next(mark, 2500, ({ message }) => message.type === "HELLO_ACK" && message.seq === seq);
    return answer !== undefined;
  }

  /** Waits until the hub has made all of these requests; returns whether it has. */
  async asks(mark: number, wants: readonly string[], within: number): Promise<boolean> {
    const missing = new Set(wants);
    const isLast = ({ message }: Heard) => missing.delete(askedOf(message) ?? "") && missing.size === 0;
    return (await this.next(mark, within, isLast)) !== undefined;
  }

  /** Requests of the hub since a mark, without repetitions: `DESCRIBE 0 part 0`, `READ 1 Battery:0.low`. */
  asked(mark: number): string[] {
    const seqs = new Set<number>();
    return this.since(mark).flatMap(({ message }) => {
      const asked = askedOf(message);
      if (asked === undefined || seqs.has(message.seq)) return [];
      seqs.add(message.seq);
      return [asked];
    });
  }

  /** Requests of the hub to a persona, which is booted once in a proof, however many rules check it. @throws Unreachable */
  async askedAs(persona: Persona): Promise<readonly string[]> {
    const known = this.#askedAs.get(persona);
    if (known) return known;
    await this.live();
    const mark = await this.boot(persona);
    await this.pass(500);
    const asked = this.asked(mark);
    if (!asked.some((each) => each.startsWith("DESCRIBE"))) {
      this.blame(
        "S7",
        "After a new boot everything must be described and read again.",
        this.log.since(this.log.end - 6),
      );
      throw new NotApplicable("A new boot is not described, which breaks S7.");
    }
    this.#askedAs.set(persona, asked);
    return asked;
  }

  /** Stays silent until the hub is back at WHO. @throws Unreachable */
  async lose(): Promise<void> {
    this.manners.pongs = false;
    this.manners.greets = false;
    this.forgetKnown();
    if (await this.next(this.mark, CALLS_WITHIN, ({ message }) => message.type === "WHO")) return;
    // Before its first HELLO the hub had no node to lose.
    const rule = this.hubId === undefined ? "S3" : "A3";
    throw new Unreachable("No WHO came within 12 s, although the node was silent.", rule);
  }

  /** Marks the hub's knowledge of the node as uncertain: the next rule starts with another boot. */
  forgetKnown(): void {
    this.#isKnown = false;
  }

  /** Sends a REPORT that the hub must acknowledge, or reject with a code. @throws Broken */
  async reports(report: Omit<MessageOf<"REPORT">, "type">, outcome: "ACK" | number, what: string): Promise<void> {
    const message: Message = { type: "REPORT", ...report };
    if (outcome !== "ACK") return this.expectError(message, report.seq, outcome, what);
    const from = this.log.end;
    const mark = this.mark;
    await this.say(message);
    const answer = await this.answerTo(report.seq, mark, 2500);
    if (answer?.message.type !== "ACK") throw new Broken(`${what} must be acknowledged.`, this.log.since(from));
  }

  async tidy(): Promise<void> {
    this.script = HONEST;
    this.manners.pongs = true;
    if (this.#isOwed) await this.boot(PLAIN);
    else if (this.#isKnown) await this.fence();
    this.#isOwed = false;
  }

  override async send(bytes: Uint8Array): Promise<void> {
    this.#talk.speaks(this.clock.monotonic());
    await super.send(bytes);
  }

  protected override saying({ type, seq }: Message): void {
    if (type === "HELLO") this.#talk.greets();
    if (type !== "HELLO" && type !== "REPORT" && type !== "CHANGED" && type !== "PING") this.#talk.answers(seq);
  }

  protected override judge(body: Uint8Array, message: Message | undefined, at: number): readonly ProfileFault[] {
    const faults = hubShapeFaults(body);
    const max = this.hello?.max ?? HUB_FRAME_LIMIT;
    if (frameSize(body) > max) faults.push({ rule: "F7", what: `A frame exceeds the node's limit of ${max} bytes.` });
    if (message && isWindowed(message) && !this.hello)
      faults.push({ rule: "S4", what: `${message.type} came before any HELLO.` });
    if (message?.type === "HELLO_ACK" && isOtherTime(message.info.now, this.clock.now()))
      faults.push({ rule: "M11", what: `now is ${message.info.now}; it must be the Unix time in seconds.` });
    return message ? [...faults, ...this.#talk.heard(message, body, at)] : faults;
  }

  protected override react(message: Message): void {
    if (message.type === "HELLO_ACK") {
      this.hubId = message.info.hub;
      this.#isKnown = true;
    }
    for (const answer of this.#script(message) ?? this.#honest(message)) void this.say(answer);
  }

  protected override forgetTalk(): void {
    this.#talk.reset();
  }

  #honest(message: Message): readonly Message[] {
    const { seq } = message;
    switch (message.type) {
      case "WHO":
        return this.manners.greets && this.hello ? [{ type: "HELLO", seq: this.newSeq(), info: this.hello }] : [];
      case "PING":
        return this.manners.pongs ? [{ type: "PONG", seq }] : [];
      case "DESCRIBE": {
        const { device, part } = message;
        const parts = this.#persona.parts[this.hello?.devices[device] ?? ""] ?? [];
        const { services = [], about } = parts[part] ?? {};
        return [{ type: "DESCRIPTION", seq, device, part, parts: parts.length, services, about }];
      }
      case "READ":
        return [{ type: "VALUE", seq, value: playedValue(message.service, message.property) }];
      case "WRITE":
        return [{ type: "WRITTEN", seq, value: message.value }];
      case "IDENTIFY":
        return [{ type: "ACK", seq }];
      default:
        return [];
    }
  }
}

/** Tolerated difference between the clocks of the hub and of this machine, s: a day. */
const SAME_TIME = 86_400;

/** Whether the time in HELLO_ACK differs from this machine's. @param wall ms since 1970 */
function isOtherTime(now: number | undefined, wall: number): boolean {
  return now !== undefined && Math.abs(now - wall / 1000) > SAME_TIME;
}

/** The requests that a hub must send to a node: part 0 of every description, and every readable property. */
export function wanted({ devices, reads }: Persona): string[] {
  return devices.flatMap((edgeId, place) =>
    edgeId === null ? [] : [`DESCRIBE ${place} part 0`, ...readsOf(place, reads[place] ?? [])],
  );
}

/** READs of properties at a place, in the notation of {@link HubBench.asked}. */
export function readsOf(place: number, properties: readonly string[]): string[] {
  return properties.map((property) => `READ ${place} ${property}`);
}

function askedOf(message: Message): string | undefined {
  switch (message.type) {
    case "DESCRIBE":
      return `DESCRIBE ${message.device} part ${message.part}`;
    case "READ":
    case "WRITE":
      return `${message.type} ${message.device} ${message.service}:${message.index}.${message.property}`;
    case "IDENTIFY":
      return `IDENTIFY ${message.device}`;
    default:
      return undefined;
  }
}

/** Check of the `device` field. Each field of a hub's message in the protocol's table has a check with its own rule number. */
const place = (device: Value | undefined) => field("device", isUnsigned(device, 127), "a place");

const address: Check = ([device, service, index, property]) => [
  ...place(device),
  ...field("service", typeof service === "string", "text"),
  ...field("index", isUnsigned(index, 999), "0 to 999"),
  ...field("property", typeof property === "string", "text"),
];

/** Checks of a hub's messages, by type. */
const CHECKS: Readonly<Record<number, Check>> = {
  2: ([info]) => acknowledgement(info),
  3: ([device, part]) => [...place(device), ...field("part", isUnsigned(part), "unsigned")],
  5: address,
  7: (fields) => [...address(fields), ...field("value", fields.length >= 5, "there")],
  10: none,
  11: none,
  12: none,
  13: errorFields,
  15: ([device, seconds]) => [...place(device), ...field("seconds", isUnsigned(seconds), "unsigned")],
  16: none,
};

/** Violations in a hub's message whose body conforms to the CBOR profile. */
function hubShapeFaults(body: Uint8Array): ProfileFault[] {
  return shapeFaultsBy(CHECKS, "hub", body);
}

function acknowledgement(info: Value | undefined): ProfileFault[] {
  if (!isMap(info)) return fault("M4", "HELLO_ACK has no map.");
  return [
    ...field("v", info.v === 1, "1"),
    ...edgeIdFaults("hub", info.hub),
    ...field("now", info.now === undefined || isUnsigned(info.now), "Unix time in seconds, or left out"),
    ...keyOrder("HELLO_ACK", info, ["v", "hub", "now"]),
  ];
}
