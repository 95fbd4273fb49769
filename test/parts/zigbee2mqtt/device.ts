/** A Zigbee device as the radio meets it: attributes by cluster, which commands change and reads return. */
import type { Answer, Ask, EndpointDescription, NodeDescription, Values } from "./channel.ts";
import { effectOf } from "./effects.ts";

export interface EndpointModel {
  readonly id: number;
  readonly deviceId: number;
  /** Attributes of each cluster that it serves. */
  readonly serves: Readonly<Record<string, Values>>;
  /** Names of clusters that it commands. */
  readonly commands: readonly string[];
}

export interface DeviceModel {
  readonly type: "router" | "end device";
  readonly manufacturerCode: number;
  readonly endpoints: readonly EndpointModel[];
}

/** A frame that the device has received. */
export interface ReceivedFrame {
  readonly endpoint: number;
  readonly cluster: string;
  /** `read`, `write`, `configure`, or the command's own name. */
  readonly command: string;
  /** Of a read and a configuration the names of the attributes. */
  readonly payload: unknown;
}

const [SUCCESS, UNSUPPORTED_COMMAND, UNSUPPORTED_CLUSTER] = [0, 0x81, 0xc3];

export class SimulatedDevice {
  readonly #model: DeviceModel;
  /** By endpoint and cluster. */
  readonly #attributes: ReadonlyMap<number, Map<string, Values>>;
  /** Its answers to commands and writes instead of acts; undefined when it carries them out. */
  refusal: number | undefined;

  constructor(model: DeviceModel) {
    this.#model = model;
    this.#attributes = new Map(model.endpoints.map(({ id, serves }) => [id, new Map(Object.entries(serves))]));
  }

  /** Its current attributes in a cluster of an endpoint. */
  attributes(endpoint: number, cluster: string): Values {
    return this.#attributes.get(endpoint)?.get(cluster) ?? {};
  }

  /** Changes attributes, as a hand at the device would. */
  change(endpoint: number, cluster: string, values: Values): void {
    this.#attributes.get(endpoint)?.set(cluster, { ...this.attributes(endpoint, cluster), ...values });
  }

  /** The first endpoint that serves or commands a cluster. @throws Error when there is none */
  endpointOf(cluster: string): number {
    const found = this.#model.endpoints.find(
      ({ serves, commands }) => Object.hasOwn(serves, cluster) || commands.includes(cluster),
    );
    if (!found) throw new Error(`the device has no cluster ${cluster}`);
    return found.id;
  }

  /** Does what a frame asks. */
  answer(endpoint: number, ask: Ask): Answer {
    switch (ask.kind) {
      case "describe":
        return { kind: "description", description: this.#description() };
      case "bind":
      case "leave":
        return status(SUCCESS);
      case "configure":
        return this.#serves(endpoint, ask.cluster) ? status(SUCCESS) : status(UNSUPPORTED_CLUSTER);
      case "read":
        return { kind: "values", values: this.attributes(endpoint, ask.cluster) };
      case "write":
        return this.#change(endpoint, ask.cluster, new Map([[ask.cluster, ask.attributes]]));
      case "command": {
        const of = (cluster: string) => this.attributes(endpoint, cluster);
        return this.#change(endpoint, ask.cluster, effectOf(ask.cluster, ask.command, ask.payload, of));
      }
    }
  }

  #change(endpoint: number, cluster: string, changes: ReadonlyMap<string, Values> | undefined): Answer {
    if (!this.#serves(endpoint, cluster)) return status(UNSUPPORTED_CLUSTER);
    if (this.refusal !== undefined) return status(this.refusal);
    if (!changes) return status(UNSUPPORTED_COMMAND);
    for (const [name, values] of changes) if (this.#serves(endpoint, name)) this.change(endpoint, name, values);
    return status(SUCCESS);
  }

  #serves(endpoint: number, cluster: string): boolean {
    return this.#attributes.get(endpoint)?.has(cluster) ?? false;
  }

  #description(): NodeDescription {
    const { type, manufacturerCode, endpoints } = this.#model;
    const described = ({ id, deviceId, serves, commands }: EndpointModel): EndpointDescription => ({
      id,
      deviceId,
      inputs: Object.keys(serves),
      outputs: commands,
    });
    return { type, manufacturerCode, endpoints: endpoints.map(described) };
  }
}

/** A received frame in the words of tests; undefined for the management of the network. */
export function receivedFrameOf(endpoint: number, ask: Ask): ReceivedFrame | undefined {
  switch (ask.kind) {
    case "command":
      return { endpoint, cluster: ask.cluster, command: ask.command, payload: ask.payload };
    case "read":
    case "write":
    case "configure":
      return { endpoint, cluster: ask.cluster, command: ask.kind, payload: ask.attributes };
    default:
      return undefined;
  }
}

function status(code: number): Answer {
  return { kind: "status", status: code };
}
