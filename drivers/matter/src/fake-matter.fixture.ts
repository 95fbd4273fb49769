/** Matter in memory: nodes with a plug each, and the hands of a test. */
import { type Clock, sleep } from "@porchlight/shared/kernel";
import { endpoint, type FakeEndpoint, type GivenEndpoint } from "./mapping/endpoint.fixture.ts";
import {
  type AttributePath,
  type AttributeWrite,
  type MatterCommand,
  type MatterNetwork,
  type MatterNode,
  type NodeListener,
  NodeRefused,
  NodeUnreachable,
  type PairingFailed,
  type PairingRequest,
} from "./matter-network.ts";

/** Of the test vendors' plug: the root with what it says of itself, and a plug with a button. */
export function plugEndpoints(uniqueId: string, more: Readonly<Record<number, GivenEndpoint>> = {}) {
  return {
    0: {
      parts: [1, 2],
      clusters: {
        basicInformation: { vendorId: 0xfff1, productId: 1, uniqueId, productName: "Plug", softwareVersionString: "1" },
      },
    },
    1: { types: [0x010a], clusters: { onOff: { onOff: false }, identify: { identifyTime: 0 } } },
    2: {
      types: [0x000f],
      clusters: { switch: { featureMap: ["momentarySwitch", "momentarySwitchLongPress"], currentPosition: 0 } },
    },
    ...more,
  };
}

export class FakeNode implements MatterNode {
  readonly nodeId: string;
  endpoints: Map<number, FakeEndpoint>;
  isConnected = false;
  isSilent = false;
  refuses = false;
  /** Carries out commands, and does not report it. */
  isMute = false;
  /** Nothing that is sent reaches it. */
  isDeaf = false;
  /** It has no session with the hub, and gets none. */
  hasNoWay = false;
  /** The fields of its answer to each command. */
  answer: unknown;
  delayMs = 0;
  /** It answers a question with what was so when the question came, so late as it is slow. */
  samplesEarly = false;
  touched = 0;
  readonly sent: (MatterCommand | AttributeWrite)[] = [];
  /** What reached it and was not refused, with the monotonic ms of that. */
  readonly accepted: { readonly what: MatterCommand | AttributeWrite; readonly at: number }[] = [];
  removal: "released" | "unreached" = "released";
  readonly listeners = new Set<NodeListener>();
  readonly #clock: Clock;
  readonly #gone: (node: FakeNode) => void;

  constructor(
    clock: Clock,
    nodeId: string,
    given: Readonly<Record<number, GivenEndpoint>>,
    gone: (node: FakeNode) => void = () => undefined,
  ) {
    this.#clock = clock;
    this.nodeId = nodeId;
    this.#gone = gone;
    this.endpoints = endpointsOf(given);
  }

  endpoint(number: number): FakeEndpoint | undefined {
    return this.endpoints.get(number);
  }

  listen(listener: NodeListener): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  connect(isConnected: boolean): void {
    if (this.isConnected === isConnected) return;
    this.isConnected = isConnected;
    for (const listener of [...this.listeners]) listener.connection();
  }

  /** The device says a new value. */
  say(number: number, cluster: string, attribute: string, value: unknown): void {
    this.endpoints.get(number)?.set(cluster, attribute, value);
    if (this.isSilent || this.isMute || !this.isConnected) return;
    for (const listener of [...this.listeners]) listener.changed(number, cluster, [attribute]);
  }

  happen(number: number, cluster: string, event: string, payload: unknown = {}): void {
    if (this.isSilent) return;
    for (const listener of [...this.listeners]) listener.happened(number, cluster, event, payload);
  }

  /** It has these endpoints from now on, and says so. */
  have(given: Readonly<Record<number, GivenEndpoint>>): void {
    this.endpoints = endpointsOf(given);
    this.restructure();
  }

  restructure(): void {
    for (const listener of [...this.listeners]) listener.restructured();
  }

  async reach(signal: AbortSignal): Promise<void> {
    if (this.hasNoWay) await ended(new Promise<void>(() => undefined), signal);
  }

  async read({ endpoint: number, cluster, attribute }: AttributePath, signal: AbortSignal): Promise<unknown> {
    const sampled = this.endpoints.get(number)?.attribute(cluster, attribute);
    if (this.samplesEarly) await ended(sleep(this.#clock, "slow device", this.delayMs), signal);
    await this.#answer(signal);
    const value = this.samplesEarly ? sampled : this.endpoints.get(number)?.attribute(cluster, attribute);
    if (value === undefined) throw new NodeRefused(0x86, "The device has refused it: UnsupportedAttribute (134).");
    return value;
  }

  async invoke(command: MatterCommand, signal: AbortSignal): Promise<unknown> {
    await this.#act(command, signal, () => {
      if (command.cluster === "onOff") this.say(command.endpoint, "onOff", "onOff", command.command === "on");
      if (command.cluster === "levelControl")
        this.say(command.endpoint, "levelControl", "currentLevel", command.fields?.level);
      if (command.cluster === "identify")
        this.say(command.endpoint, "identify", "identifyTime", command.fields?.identifyTime);
    });
    return this.answer;
  }

  async write(write: AttributeWrite, signal: AbortSignal): Promise<void> {
    await this.#act(write, signal, () => this.say(write.endpoint, write.cluster, write.attribute, write.value));
  }

  async remove(isForced: boolean, signal: AbortSignal): Promise<"released" | "unreached"> {
    signal.throwIfAborted();
    if (this.removal === "released" || isForced) this.#gone(this);
    return this.removal;
  }

  async #act(what: MatterCommand | AttributeWrite, signal: AbortSignal, act: () => void): Promise<void> {
    this.sent.push(what);
    if (!this.isConnected) throw new NodeUnreachable("The device has not answered: no connection.");
    if (this.refuses) {
      await this.#answer(signal);
      throw new NodeRefused(0x01, "The device has refused it: Failure (1).");
    }
    if (this.isDeaf) await ended(new Promise<void>(() => undefined), signal);
    this.touched += 1;
    this.accepted.push({ what, at: this.#clock.monotonic() });
    const acting = this.delayMs === 0 ? Promise.resolve() : sleep(this.#clock, "slow device", this.delayMs);
    const acted = acting.then(act);
    await ended(acted, signal);
    await this.#answer(signal);
  }

  async #answer(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (!this.isConnected) throw new NodeUnreachable("The device has not answered: no connection.");
    if (this.isSilent) await ended(new Promise<void>(() => undefined), signal);
  }
}

function endpointsOf(given: Readonly<Record<number, GivenEndpoint>>): Map<number, FakeEndpoint> {
  return new Map(Object.entries(given).map(([number, each]) => [Number(number), endpoint(Number(number), each)]));
}

/** The work, or the signal's reason. */
function ended(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

export class FakeMatter implements MatterNetwork {
  /** Any text is the same code, unless a test sets the reader of the library. */
  readPairingCode: MatterNetwork["readPairingCode"] = () => ({ passcode: 20202021, discriminator: { short: 15 } });
  readonly fabricId = "00000000000000F1";
  nodes: readonly FakeNode[] = [];
  readonly listeners = new Set<() => void>();
  readonly asked: PairingRequest[] = [];
  /** What a pairing comes to; pending while it is undefined. */
  outcome: FakeNode | PairingFailed | undefined;
  /** What is found when it is looked for. */
  adoptable: FakeNode | undefined;
  isEnded = false;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  node(nodeId: string, given: Readonly<Record<number, GivenEndpoint>> = plugEndpoints(nodeId)): FakeNode {
    return new FakeNode(this.#clock, nodeId, given, (node) => {
      this.nodes = this.nodes.filter((each) => each !== node);
      this.#changed();
    });
  }

  /** A node that is paired, and connected. */
  add(node: FakeNode): FakeNode {
    node.isConnected = true;
    this.nodes = [...this.nodes, node];
    this.#changed();
    return node;
  }

  listen(changed: () => void): () => void {
    this.listeners.add(changed);
    return () => void this.listeners.delete(changed);
  }

  async pair(request: PairingRequest): Promise<MatterNode> {
    this.asked.push(request);
    const { outcome } = this;
    if (outcome instanceof Error) throw outcome;
    if (!outcome) {
      await ended(new Promise<void>(() => undefined), request.signal);
      throw new Error("ended");
    }
    request.progress({ step: "found", name: "Plug" });
    return this.add(Object.assign(outcome, { nodeId: request.nodeId }));
  }

  async adopt(nodeId: string, signal: AbortSignal): Promise<MatterNode> {
    const { adoptable } = this;
    if (!adoptable) await ended(new Promise<void>(() => undefined), signal);
    return this.add(Object.assign(adoptable ?? this.node(nodeId), { nodeId }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.isEnded = true;
    for (const node of this.nodes) node.isConnected = false;
  }

  #changed(): void {
    for (const changed of [...this.listeners]) changed();
  }
}
