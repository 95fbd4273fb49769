/**
 * Loaded into zigbee2mqtt's process before its own code: takes the place of the Zigbee stick. Frames go to the test's process, where the
 * devices are, and come from there; what encodes, decodes and keeps them is zigbee2mqtt's own.
 */
import { rmSync } from "node:fs";
import type { Act, Answer, Ask, EndpointDescription, FromRadio, RadioAddress, ToRadio } from "./channel.ts";
import { askOf, Frames } from "./frames.ts";
import { herdsmanOf, type ZclFrame, type ZclPayload } from "./herdsman.ts";

const { Adapter, Zcl } = herdsmanOf(process.argv[1] ?? "");

const COORDINATOR = { ieee: "0x00124b0000000001", network: 0 } as const;
const HOME_AUTOMATION = 0x0104;
const COORDINATOR_ENDPOINTS: readonly EndpointDescription[] = [{ id: 1, deviceId: 5, inputs: [], outputs: [] }];
/** Of the device profile (ZDO). */
const REQUESTS = { node: 0x02, simple: 0x04, endpoints: 0x05, bind: 0x21, unbind: 0x22, leave: 0x34 } as const;
const [SUCCESS, NOT_SUPPORTED] = [0, 0x84];
const ROUTER = 1;
const END_DEVICE = 2;
const LINK_QUALITY = 200;

const waiting = new Map<number, (answer: Answer) => void>();
let asked = 0;

/** What a device answers. */
function ask(ieee: string, endpoint: number, what: Ask): Promise<Answer> {
  asked += 1;
  const id = asked;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    send({ type: "ask", id, ieee, endpoint, ask: what });
  });
}

function send(message: FromRadio): void {
  process.send?.(message);
}

/** How the stick reports that a frame was not acknowledged. */
const unanswered = (ieee: string) => new Error(`No response from ${ieee} (simulated radio)`);

class SimulatedAdapter extends Adapter {
  readonly #frames = new Frames(Zcl);

  constructor(...options: unknown[]) {
    super(...options);
    // Requests begin with what they ask, without a sequence number before.
    this.hasZdoMessageOverhead = false;
  }

  async start(): Promise<"resumed"> {
    process.on("message", (message: ToRadio) => this.#take(message));
    return "resumed";
  }

  async stop(): Promise<void> {}

  async getCoordinatorIEEE(): Promise<string> {
    return COORDINATOR.ieee;
  }

  async getCoordinatorVersion() {
    return { type: "simulated", meta: { revision: 1 } };
  }

  async getNetworkParameters() {
    const { panID, channelList } = this.networkOptions;
    return { panID, extendedPanID: "0xdddddddddddddddd", channel: channelList[0], nwkUpdateID: 0 };
  }

  async supportsBackup(): Promise<boolean> {
    return false;
  }

  async permitJoin(): Promise<void> {}

  /** Broadcasts and frames to groups reach no device. */
  async sendZclFrameToAll(): Promise<void> {}
  async sendZclFrameToGroup(): Promise<void> {}

  async sendZdo(ieee: string, network: number, request: number, payload: Buffer): Promise<unknown> {
    if (request === REQUESTS.bind || request === REQUESTS.unbind) return this.#status(ieee, { kind: "bind" });
    if (request === REQUESTS.leave) return this.#status(ieee, { kind: "leave" });
    const { type, manufacturerCode, endpoints } =
      network === COORDINATOR.network
        ? { type: "router", manufacturerCode: 0, endpoints: COORDINATOR_ENDPOINTS }
        : await this.#description(ieee);
    switch (request) {
      case REQUESTS.node: {
        const logicalType = type === "router" ? ROUTER : END_DEVICE;
        return [
          SUCCESS,
          { nwkAddress: network, logicalType, manufacturerCode, serverMask: { stackComplianceRevision: 22 } },
        ];
      }
      case REQUESTS.endpoints:
        return [SUCCESS, { nwkAddress: network, endpointList: endpoints.map(({ id }) => id) }];
      case REQUESTS.simple: {
        const found = endpoints.find(({ id }) => id === payload.readUInt8(2));
        return found ? [SUCCESS, this.#simpleDescriptor(network, found)] : [NOT_SUPPORTED, undefined];
      }
      default:
        return [NOT_SUPPORTED, undefined];
    }
  }

  /** @throws Error when the device does not answer, though it should */
  async sendZclFrameToEndpoint(
    ieee: string,
    network: number,
    endpoint: number,
    frame: ZclFrame,
    _timeout: number,
    disableResponse: boolean,
  ): Promise<ZclPayload | undefined> {
    const asks = askOf(frame);
    // An answer without a question, such as to a report, is received and not answered.
    if (!asks) return undefined;
    const answer = await ask(ieee, endpoint, asks);
    const isAnswered =
      !disableResponse && !(asks.kind === "command" && frame.header.frameControl.disableDefaultResponse);
    if (answer.kind === "silence" && (isAnswered || !answer.received)) throw unanswered(ieee);
    const response = isAnswered && this.#frames.answer(frame, asks, answer);
    return response ? this.#received(network, endpoint, response) : undefined;
  }

  async #status(ieee: string, what: Ask): Promise<unknown> {
    const answer = await ask(ieee, 0, what);
    if (answer.kind !== "status") throw unanswered(ieee);
    return [answer.status, undefined];
  }

  async #description(ieee: string) {
    const answer = await ask(ieee, 0, { kind: "describe" });
    if (answer.kind !== "description") throw unanswered(ieee);
    return answer.description;
  }

  #simpleDescriptor(nwkAddress: number, { id, deviceId, inputs, outputs }: EndpointDescription) {
    const idOf = (name: string) => this.#frames.cluster(name).ID;
    const clusters = { inClusterList: inputs.map(idOf), outClusterList: outputs.map(idOf) };
    return { nwkAddress, endpoint: id, profileId: HOME_AUTOMATION, deviceId, deviceVersion: 1, length: 0, ...clusters };
  }

  #received(network: number, endpoint: number, frame: ZclFrame): ZclPayload {
    const payload = {
      ...this.#frames.bytes(frame),
      address: network,
      endpoint,
      linkquality: LINK_QUALITY,
      groupID: 0,
      wasBroadcast: false,
      destinationEndpoint: 1,
    };
    this.emit("zclPayload", payload);
    return payload;
  }

  #take(message: ToRadio): void {
    if (message.type === "answer") {
      waiting.get(message.id)?.(message.answer);
      waiting.delete(message.id);
      return;
    }
    try {
      this.#act(message.from, message.act);
      send({ type: "received", id: message.id });
    } catch (failure) {
      send({ type: "received", id: message.id, problem: failure instanceof Error ? failure.message : String(failure) });
    }
  }

  #act({ ieee, network }: RadioAddress, act: Act): void {
    switch (act.type) {
      case "join":
        this.emit("deviceJoined", { ieeeAddr: ieee, networkAddress: network });
        return;
      case "leave":
        this.emit("deviceLeave", { ieeeAddr: ieee, networkAddress: network });
        return;
      case "report":
        this.#received(network, act.endpoint, this.#frames.report(act.cluster, act.attributes));
        return;
      case "command":
        this.#received(network, act.endpoint, this.#frames.command(act.cluster, act.command, act.payload));
    }
  }
}

Adapter.create = async (...options) => new SimulatedAdapter(...options);
// Each end of the test's process ends this one, with its folder.
process.once("disconnect", () => {
  rmSync(process.env.ZIGBEE2MQTT_DATA ?? "", { recursive: true, force: true });
  process.exit();
});
