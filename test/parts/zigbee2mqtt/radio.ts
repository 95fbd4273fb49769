/** The air of a simulated Zigbee network: its devices, the frames that they receive, and what they do by themselves. It outlives zigbee2mqtt, as real devices do. */
import type { Act, Answer, Ask, FromRadio, RadioAddress, ToRadio, Values } from "./channel.ts";
import { type DeviceModel, type ReceivedFrame, receivedFrameOf, SimulatedDevice } from "./device.ts";

/** What a device does with frames: receives and answers; receives, acts, and its own frames are lost; is out of reach. */
type Reach = "both ways" | "hears only" | "none";

interface Node {
  readonly device: SimulatedDevice;
  readonly address: RadioAddress;
  readonly received: ReceivedFrame[];
  reach: Reach;
  isMember: boolean;
}

/** A device of the tests: what a person can do with it, and what it has received. Named by its name in zigbee2mqtt. */
export class Radio {
  readonly #nodes = new Map<string, Node>();
  readonly #watchers = new Set<() => void>();
  /** What devices did that zigbee2mqtt has not received yet. */
  readonly #sent = new Map<number, PromiseWithResolvers<void>>();
  #acts = 0;
  /** To the radio in zigbee2mqtt's process; undefined when that does not run, and a reason when it should. */
  #send: ((message: ToRadio) => void) | Error | undefined;

  /** Puts a device within reach, which has not joined yet. */
  add(name: string, address: RadioAddress, model: DeviceModel): void {
    const device = new SimulatedDevice(model);
    this.#nodes.set(name, { device, address, received: [], reach: "both ways", isMember: false });
  }

  /** The frames that the device has received so far, in order. */
  received(name: string): readonly ReceivedFrame[] {
    return this.#node(name).received;
  }

  /** The first frame, past or to come, that is it. */
  hears(name: string, isIt: (frame: ReceivedFrame) => boolean): Promise<ReceivedFrame> {
    return new Promise((resolve) => {
      const look = () => {
        const found = this.received(name).find(isIt);
        if (!found) return;
        this.#watchers.delete(look);
        resolve(found);
      };
      this.#watchers.add(look);
      look();
    });
  }

  /** What the device now has in a cluster. */
  attributes(name: string, cluster: string): Values {
    const { device } = this.#node(name);
    return device.attributes(device.endpointOf(cluster), cluster);
  }

  /**
   * The device changes these attributes, and reports them. Numbers as the Cluster Library has them.
   * Settles when zigbee2mqtt has received it, at once when it cannot; so do {@link command}, {@link join} and {@link leave}.
   * @throws Error for what the Cluster Library does not know, and when zigbee2mqtt has ended by itself
   */
  async report(name: string, cluster: string, attributes: Values): Promise<void> {
    const node = this.#node(name);
    const endpoint = node.device.endpointOf(cluster);
    node.device.change(endpoint, cluster, attributes);
    await this.#say(node, { type: "report", endpoint, cluster, attributes });
  }

  /** The device commands, as a button that is pressed or an alarm. Parameters that are not given are 0. */
  async command(name: string, cluster: string, command: string, payload: Values = {}): Promise<void> {
    const node = this.#node(name);
    const endpoint = node.device.endpointOf(cluster);
    await this.#say(node, { type: "command", endpoint, cluster, command, payload });
  }

  /** It is out of reach: frames of both directions are lost. */
  silence(name: string): void {
    this.#node(name).reach = "none";
  }

  /** It receives and carries out commands, but its answers and reports are lost. */
  loseAnswers(name: string): void {
    this.#node(name).reach = "hears only";
  }

  /** Undoes {@link silence} and {@link loseAnswers}. */
  speak(name: string): void {
    this.#node(name).reach = "both ways";
  }

  /** It answers this status (ZCL, 2.6.3; such as 0x87 INVALID_VALUE) to commands and writes, and does nothing. */
  refuse(name: string, status: number): void {
    this.#node(name).device.refusal = status;
  }

  /** Undoes {@link refuse}. */
  accept(name: string): void {
    this.#node(name).device.refusal = undefined;
  }

  /** It joins the network. */
  async join(name: string): Promise<void> {
    const node = this.#node(name);
    node.isMember = true;
    await this.#say(node, { type: "join" });
  }

  /** It leaves the network, as by its reset button. */
  async leave(name: string): Promise<void> {
    const node = this.#node(name);
    const sent = this.#say(node, { type: "leave" });
    node.isMember = false;
    await sent;
  }

  /** zigbee2mqtt runs, and its radio receives the frames of devices from now on. */
  connect(send: (message: ToRadio) => void): void {
    this.#send = send;
  }

  /** zigbee2mqtt is gone: the frames of devices are lost. @param failure when it should not be */
  disconnect(failure?: Error): void {
    this.#send = failure;
    for (const sent of this.#sent.values())
      sent.reject(failure ?? new Error("zigbee2mqtt was ended before it received this"));
    this.#sent.clear();
  }

  /** Takes a message of zigbee2mqtt's radio. */
  take(message: FromRadio): void {
    if (message.type === "received") {
      const { id, problem } = message;
      if (problem === undefined) this.#sent.get(id)?.resolve();
      else this.#sent.get(id)?.reject(new Error(problem));
      this.#sent.delete(id);
      return;
    }
    const { id, ieee, endpoint, ask } = message;
    const node = [...this.#nodes.values()].find(({ address }) => address.ieee === ieee);
    const answer = node?.isMember ? answerOf(node, endpoint, ask) : notReceived;
    if (typeof this.#send === "function") this.#send({ type: "answer", id, answer });
    for (const watcher of [...this.#watchers]) watcher();
  }

  async #say(node: Node, act: Act): Promise<void> {
    if (this.#send instanceof Error) throw this.#send;
    if (!this.#send || !node.isMember || node.reach !== "both ways") return;
    this.#acts += 1;
    const sent = Promise.withResolvers<void>();
    this.#sent.set(this.#acts, sent);
    this.#send({ type: "act", id: this.#acts, from: node.address, act });
    await sent.promise;
  }

  #node(name: string): Node {
    const node = this.#nodes.get(name);
    if (!node) throw new Error(`there is no device ${name}`);
    return node;
  }
}

const notReceived: Answer = { kind: "silence", received: false };

function answerOf(node: Node, endpoint: number, ask: Ask): Answer {
  if (node.reach === "none") return notReceived;
  const frame = receivedFrameOf(endpoint, ask);
  if (frame) node.received.push(frame);
  const answer = node.device.answer(endpoint, ask);
  if (ask.kind === "leave") node.isMember = false;
  return node.reach === "hears only" ? { kind: "silence", received: true } : answer;
}
