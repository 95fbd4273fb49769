/** The messages between the radio in zigbee2mqtt's process and the simulated devices in the test's process, over the child's IPC. */

/** What a frame asks of a device, by the names of the Zigbee Cluster Library. Attributes without a name have their number as text. */
export type Ask =
  /** Its node descriptor and its endpoints. */
  | { readonly kind: "describe" }
  | { readonly kind: "bind" }
  /** It must leave the network. */
  | { readonly kind: "leave" }
  | { readonly kind: "read"; readonly cluster: string; readonly attributes: readonly string[] }
  | { readonly kind: "write"; readonly cluster: string; readonly attributes: Values }
  /** It must report these attributes by itself. */
  | { readonly kind: "configure"; readonly cluster: string; readonly attributes: readonly string[] }
  | { readonly kind: "command"; readonly cluster: string; readonly command: string; readonly payload: unknown };

export type Values = Readonly<Record<string, unknown>>;

export type Answer =
  /** Nothing comes back; whether the device has received it is acknowledged below the Cluster Library. */
  | { readonly kind: "silence"; readonly received: boolean }
  /** A status of the Cluster Library, 0 for success. */
  | { readonly kind: "status"; readonly status: number }
  /** Of a read; attributes that are not in it are unsupported. */
  | { readonly kind: "values"; readonly values: Values }
  | { readonly kind: "description"; readonly description: NodeDescription };

/** What a node's interview returns (ZDO). */
export interface NodeDescription {
  readonly type: "router" | "end device";
  readonly manufacturerCode: number;
  readonly endpoints: readonly EndpointDescription[];
}

export interface EndpointDescription {
  readonly id: number;
  readonly deviceId: number;
  /** Names of clusters that it serves, and of those that it commands. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

/** Where a device is on the air. */
export interface RadioAddress {
  /** IEEE address, `0x` and 16 digits. */
  readonly ieee: string;
  readonly network: number;
}

/** From the radio. */
export type FromRadio =
  /** A frame to a device, whose answer has the same number. */
  | { readonly type: "ask"; readonly id: number; readonly ieee: string; readonly endpoint: number; readonly ask: Ask }
  /** zigbee2mqtt has received what a device did; or why the radio could not make a frame of it. */
  | { readonly type: "received"; readonly id: number; readonly problem?: string };

/** What a device does by itself. */
export type Act =
  | { readonly type: "join" | "leave" }
  | { readonly type: "report"; readonly endpoint: number; readonly cluster: string; readonly attributes: Values }
  | {
      readonly type: "command";
      readonly endpoint: number;
      readonly cluster: string;
      readonly command: string;
      readonly payload: Values;
    };

/** To the radio. */
export type ToRadio =
  | { readonly type: "answer"; readonly id: number; readonly answer: Answer }
  | { readonly type: "act"; readonly id: number; readonly from: RadioAddress; readonly act: Act };
