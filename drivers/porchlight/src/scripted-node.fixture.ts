/** The far end of a line for tests: says what its script says, to the byte, and remembers what it heard. No node of the product. */
import type { Clock } from "@porchlight/shared/kernel";
import { type DeviceDescription, standardProperty, type Value } from "@porchlight/shared/model";
import {
  type ByteLink,
  decodeBody,
  encodeFrame,
  encodeMessage,
  encodeServices,
  FrameReader,
  type HelloInfo,
  type Message,
  type MessageName,
  type MessageOf,
} from "@porchlight/shared/wire";

export const HUB = "02-00-00-00-00-01";
export const LAMP = "02-00-00-00-00-0A";
export const OTHER = "02-00-00-00-00-0B";
export const THIRD = "02-00-00-00-00-0C";

/** What a node answers to a message: nothing, one message, or several. */
export type Script = (message: Message, node: ScriptedNode) => Message | readonly Message[] | undefined;

export interface Heard {
  readonly at: number;
  readonly message: Message;
}

function standard(service: string, index: string, ...properties: string[]) {
  return {
    service,
    index,
    properties: properties.map((name) => standardProperty(service, name)).filter((one) => one !== undefined),
  };
}

/** A switch and a button: something to read and write, something that only notifies. */
export const LAMP_SERVICES: DeviceDescription = [
  standard("Switch", "0", "on"),
  standard("LightLevel", "0", "level"),
  standard("Button", "0", "event"),
];

export class ScriptedNode {
  info: HelloInfo;
  /** By edgeId. */
  services = new Map<string, DeviceDescription>();
  /** By `service.property`, of whichever device. */
  values = new Map<string, Value>([
    ["Switch.on", false],
    ["LightLevel.level", 40],
  ]);
  /** Goes first; what it leaves undefined is answered as an honest node would. `silent` answers nothing. */
  script: Script = () => undefined;
  readonly heard: Heard[] = [];
  /** The bytes of the hub, as they came. */
  readonly bytes: Uint8Array[] = [];
  readonly #clock: Clock;
  #link: ByteLink | undefined;
  #seq = 0;

  constructor(clock: Clock, info: Partial<HelloInfo> = {}) {
    this.#clock = clock;
    this.info = { v: 1, id: LAMP, devices: [LAMP], boot: 7, max: 1024, win: 1, ...info };
  }

  /** Plugs the node in. */
  attach(link: ByteLink): void {
    this.#link = link;
    const reader = new FrameReader(4095);
    link.listen(
      (bytes) => {
        this.bytes.push(bytes);
        for (const event of reader.push(bytes)) {
          const body = event.kind === "frame" ? decodeBody(event.body) : undefined;
          if (body?.kind === "message") this.#take(body.message);
        }
      },
      () => {
        this.#link = undefined;
      },
    );
  }

  detach(): void {
    this.#link?.close();
  }

  nextSeq(): number {
    this.#seq += 1;
    return this.#seq;
  }

  say(message: Message): void {
    this.raw(encodeFrame(encodeMessage(message)));
  }

  /** Several messages in one go of bytes. */
  sayTogether(...messages: Message[]): void {
    this.raw(Buffer.concat(messages.map((message) => encodeFrame(encodeMessage(message)))));
  }

  raw(bytes: Uint8Array): void {
    void this.#link?.write(bytes);
  }

  hello(seq = this.nextSeq()): void {
    this.say({ type: "HELLO", seq, info: this.info });
  }

  /** Reports of the first place; gives the seq. */
  report(property: string, value: Value, seq = this.nextSeq(), device = 0): number {
    const [service = "", name = ""] = property.split(".");
    this.say({ type: "REPORT", seq, device, service, index: 0, property: name, value });
    return seq;
  }

  /** Everything of that name that it has heard. */
  got<N extends MessageName>(type: N): MessageOf<N>[] {
    return this.heard.map(({ message }) => message).filter((message) => isOf(message, type));
  }

  /** When it heard each message of that name, virtual ms. */
  times(type: MessageName): number[] {
    return this.heard.filter(({ message }) => message.type === type).map(({ at }) => at);
  }

  /** The hub's answers to a request of that seq. */
  answersTo(seq: number): Message[] {
    return this.heard
      .map(({ message }) => message)
      .filter((message) => message.seq === seq && (message.type === "ACK" || message.type === "ERROR"));
  }

  #take(message: Message): void {
    this.heard.push({ at: this.#clock.monotonic(), message });
    const scripted = this.script(message, this);
    const answers = scripted === undefined ? honest(message, this) : isMany(scripted) ? scripted : [scripted];
    for (const answer of answers) this.say(answer);
  }

  /** Does and answers what a node without faults would. */
  answerHonestly(message: Message): void {
    for (const answer of honest(message, this)) this.say(answer);
  }
}

/** Answers nothing to these. */
export function silentTo(...types: MessageName[]): Script {
  return ({ type }) => (types.includes(type) ? [] : undefined);
}

/** What a node without faults answers. */
function honest(message: Message, node: ScriptedNode): readonly Message[] {
  const { seq } = message;
  switch (message.type) {
    case "WHO":
      return [{ type: "HELLO", seq: node.nextSeq(), info: node.info }];
    case "PING":
      return [{ type: "PONG", seq }];
    case "DESCRIBE": {
      const edgeId = node.info.devices[message.device] ?? "";
      const parts = encodeServices(node.services.get(edgeId) ?? LAMP_SERVICES, {}, node.info.max);
      const { device, part } = message;
      const { services = [], about } = parts[part] ?? {};
      return [{ type: "DESCRIPTION", seq, device, part, parts: parts.length, services, about }];
    }
    case "READ":
      return [{ type: "VALUE", seq, value: node.values.get(`${message.service}.${message.property}`) ?? null }];
    case "WRITE":
      node.values.set(`${message.service}.${message.property}`, message.value);
      return [{ type: "WRITTEN", seq, value: message.value }];
    case "IDENTIFY":
      return [{ type: "ACK", seq }];
    default:
      return [];
  }
}

function isMany(answers: Message | readonly Message[]): answers is readonly Message[] {
  return Array.isArray(answers);
}

function isOf<N extends MessageName>(message: Message, type: N): message is MessageOf<N> {
  return message.type === type;
}
