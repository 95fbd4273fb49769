/** What of zigbee-herdsman the simulated radio uses, typed by hand: the library is installed by the tests only, and the types must be there before. */
import type { EventEmitter } from "node:events";
import { createRequire } from "node:module";

export interface ZclAttribute {
  readonly ID: number;
  readonly name: string;
  /** Of its value, as the Cluster Library numbers types. */
  readonly type: number;
}

export interface ZclCluster {
  readonly ID: number;
  readonly name: string;
  readonly attributes: Readonly<Record<string, ZclAttribute>>;
  /** By name: to the server, and from it. */
  readonly commands: Readonly<Record<string, ZclCommand>>;
  readonly commandsResponse: Readonly<Record<string, ZclCommand>>;
}

interface ZclCommand {
  readonly parameters: readonly { readonly name: string }[];
}

export interface ZclFrame {
  readonly header: {
    readonly isGlobal: boolean;
    readonly manufacturerCode: number | undefined;
    readonly transactionSequenceNumber: number;
    readonly frameControl: { readonly disableDefaultResponse: boolean };
  };
  readonly cluster: ZclCluster;
  readonly command: { readonly ID: number; readonly name: string };
  readonly payload: unknown;
  toBuffer(): Buffer;
}

/** What an adapter hands on of a received frame. */
export interface ZclPayload {
  readonly clusterID: number;
  readonly header: unknown;
  readonly data: Buffer;
  readonly address: number;
  readonly endpoint: number;
  readonly linkquality: number;
  readonly groupID: number;
  readonly wasBroadcast: boolean;
  readonly destinationEndpoint: number;
}

export interface NetworkOptions {
  readonly panID: number;
  readonly channelList: readonly number[];
}

/** Emits `zclPayload`, `deviceJoined`, `deviceLeave`. */
export interface AdapterBase extends EventEmitter {
  hasZdoMessageOverhead: boolean;
  readonly networkOptions: NetworkOptions;
}

export interface AdapterClass {
  new (...options: unknown[]): AdapterBase;
  create(...options: unknown[]): Promise<AdapterBase>;
}

interface Zcl {
  readonly FrameType: { readonly GLOBAL: number; readonly SPECIFIC: number };
  readonly Direction: { readonly CLIENT_TO_SERVER: number; readonly SERVER_TO_CLIENT: number };
  readonly Status: { readonly SUCCESS: number; readonly UNSUPPORTED_ATTRIBUTE: number };
  readonly Header: { fromBuffer(data: Buffer): unknown };
  readonly Frame: {
    create(
      frameType: number,
      direction: number,
      disableDefaultResponse: boolean,
      manufacturerCode: number | undefined,
      transactionSequenceNumber: number,
      command: string,
      cluster: string | ZclCluster,
      payload: unknown,
      customClusters: Readonly<Record<string, never>>,
    ): ZclFrame;
  };
  readonly Utils: {
    getCluster(name: string, manufacturerCode: undefined, customClusters: Readonly<Record<string, never>>): ZclCluster;
  };
}

export interface Herdsman {
  readonly Adapter: AdapterClass;
  readonly Zcl: Zcl;
}

/** The library that zigbee2mqtt itself uses. @param program its main file */
export function herdsmanOf(program: string): Herdsman {
  const load = createRequire(createRequire(program).resolve("zigbee-herdsman"));
  const { Adapter }: { readonly Adapter: AdapterClass } = load("./adapter/adapter.js");
  const zcl: Zcl = load("./zspec/zcl/index.js");
  return { Adapter, Zcl: zcl };
}
