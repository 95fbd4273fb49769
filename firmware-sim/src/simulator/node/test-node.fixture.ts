/** A node on a virtual clock with a scripted hub at the other end of its line: the basis of all tests of the protocol. */
import { type Clock, seededRandom, settle, VirtualClock } from "@porchlight/shared/kernel";
import {
  type ByteLink,
  decodeBody,
  encodeFrame,
  encodeMessage,
  FrameReader,
  HUB_FRAME_LIMIT,
  type Message,
  type MessageName,
  type MessageOf,
} from "@porchlight/shared/wire";
import type { NodeDefinition } from "../devices/definition.ts";
import { KINDS, standardService } from "../devices/kinds.ts";
import { memoryLinks } from "../links/memory-link.ts";
import { type NodeDeps, SimulatedNode } from "./simulated-node.ts";

export const LIGHT = "02-50-4C-51-00-01";
export const TEST_BUTTON = "02-50-4C-51-00-02";

/** Place 0: a colour light. Place 1: a button with a battery. */
export const DEFINITION: NodeDefinition = {
  edgeId: "02-50-4C-51-00-00",
  about: { manufacturer: "Porchlight" },
  devices: [
    {
      edgeId: LIGHT,
      services: KINDS.get("colour-light")?.services ?? [],
      about: { name: "Porch light" },
      values: [
        [{ service: "Switch", index: "0", property: "on" }, false],
        [{ service: "LightLevel", index: "0", property: "level" }, 40],
      ],
    },
    { edgeId: TEST_BUTTON, services: [standardService("Button"), standardService("Battery")] },
  ],
};

interface TestNode {
  readonly clock: VirtualClock;
  readonly node: SimulatedNode;
  readonly hub: ScriptedHub;
  /** Connects another line to the node. */
  connect(): ScriptedHub;
}

/** A node that was just plugged in and has sent its first HELLO. */
export async function plugged(
  definition: Partial<NodeDefinition> = {},
  deps: Partial<NodeDeps> = {},
): Promise<TestNode> {
  const clock = new VirtualClock();
  const whole = { ...DEFINITION, ...definition };
  const node = SimulatedNode.start({ clock, random: seededRandom(7), ...deps, definition: whole });
  const connect = () => {
    const [near, far] = memoryLinks();
    node.attach(near);
    return new ScriptedHub(far, clock);
  };
  const hub = connect();
  await settle();
  return { clock, node, hub, connect };
}

/** A node whose HELLO has been acknowledged. */
export async function live(definition: Partial<NodeDefinition> = {}, deps: Partial<NodeDeps> = {}): Promise<TestNode> {
  const test = await plugged(definition, deps);
  await test.hub.acknowledge();
  test.hub.forget();
  return test;
}

export const SCRIPTED_HUB_ID = "02-50-4C-00-00-01";

interface HeardByHub {
  readonly message: Message;
  /** Monotonic ms. */
  readonly at: number;
}

export class ScriptedHub {
  readonly heard: HeardByHub[] = [];
  closed: string | undefined;
  readonly #link: ByteLink;

  /** @param onNoise handles anything that is no good message; by default the test fails */
  constructor(link: ByteLink, clock: Clock, onNoise: (noise: unknown) => void = failed) {
    const reader = new FrameReader(HUB_FRAME_LIMIT);
    this.#link = link;
    link.listen(
      (bytes) => {
        for (const event of reader.push(bytes)) {
          const body = event.kind === "frame" ? decodeBody(event.body) : event;
          if (body.kind === "message") this.heard.push({ message: body.message, at: clock.monotonic() });
          else onNoise(body);
        }
      },
      (reason) => {
        this.closed = reason;
      },
    );
  }

  /** Sends a message and lets the node answer; returns the messages with its seq. */
  async say(message: Message): Promise<Message[]> {
    const before = this.heard.length;
    await this.raw(encodeFrame(encodeMessage(message)));
    return this.heard.slice(before).flatMap(({ message: came }) => (came.seq === message.seq ? came : []));
  }

  async raw(bytes: Uint8Array): Promise<void> {
    await this.#link.write(bytes);
    await settle();
  }

  /** Every received message of a type, oldest first. */
  all<N extends MessageName>(type: N): MessageOf<N>[] {
    return this.heard.flatMap(({ message }) => (message.type === type ? [message as MessageOf<N>] : []));
  }

  /** Arrival times of the messages of a type. */
  times(type: MessageName): number[] {
    return this.heard.flatMap(({ message, at }) => (message.type === type ? [at] : []));
  }

  /** The last message of a type. @throws Error when none arrived */
  last<N extends MessageName>(type: N): MessageOf<N> {
    const found = this.all(type).at(-1);
    if (!found) throw new Error(`no ${type} came`);
    return found;
  }

  /** Acknowledges the last HELLO. */
  async acknowledge(): Promise<void> {
    await this.say({ type: "HELLO_ACK", seq: this.last("HELLO").seq, info: { v: 1, hub: SCRIPTED_HUB_ID } });
  }

  forget(): void {
    this.heard.length = 0;
  }

  close(): void {
    this.#link.close();
  }
}

function failed(noise: unknown): void {
  throw new Error(`the node sent ${JSON.stringify(noise)}`);
}
