/** The messages of the device protocol as types: the fields of each, in the order of the wire. */
import type { Value } from "../model/index.ts";

export type WireMap = { readonly [key: string]: Value };

/** One entry for each place: an edgeId, or null for a device that has left. */
export type Places = readonly (string | null)[];

/** A node's description of itself. DP4, "HELLO info". */
export interface HelloInfo {
  readonly v: number;
  /** The node's edgeId. */
  readonly id: string;
  readonly devices: Places;
  /** A different number at every boot, 32 bits; 0 for a node that cannot distinguish its boots. */
  readonly boot: number;
  /** The largest frame that the node accepts, bytes, unescaped, CRC included. */
  readonly max: number;
  /** Number of requests that the node accepts at once. */
  readonly win: number;
  readonly mf?: string | undefined;
  readonly mo?: string | undefined;
  readonly fw?: string | undefined;
  readonly sn?: string | undefined;
}

export interface HelloAckInfo {
  readonly v: number;
  /** The hub's edgeId. */
  readonly hub: string;
  /** Unix time, seconds. */
  readonly now?: number | undefined;
}

interface OfDevice {
  /** The device's place in `devices`. */
  readonly device: number;
}

/** A property of the device at a place, as it stands on the wire. */
export interface WireAddress extends OfDevice {
  readonly service: string;
  readonly index: number;
  readonly property: string;
}

interface WithValue {
  readonly value: Value;
}

/** Fields of each message after type and seq. */
export interface MessageFields {
  HELLO: { readonly info: HelloInfo };
  HELLO_ACK: { readonly info: HelloAckInfo };
  DESCRIBE: OfDevice & { readonly part: number };
  DESCRIPTION: OfDevice & {
    readonly part: number;
    readonly parts: number;
    /** In wire form: `decodeServices` parses them. */
    readonly services: readonly Value[];
    /** In part 0 only. */
    readonly about?: WireMap | undefined;
  };
  READ: WireAddress;
  VALUE: WithValue;
  WRITE: WireAddress & WithValue;
  WRITTEN: WithValue;
  REPORT: WireAddress & WithValue;
  ACK: object;
  PING: object;
  PONG: object;
  ERROR: { readonly code: number; readonly text: string };
  CHANGED: { readonly devices: Places };
  IDENTIFY: OfDevice & { readonly seconds: number };
  WHO: object;
}

export type MessageName = keyof MessageFields;

/** One message by name: `MessageOf<"READ">`. */
export type MessageOf<N extends MessageName> = N extends MessageName
  ? { readonly type: N; readonly seq: number } & MessageFields[N]
  : never;

export type Message = MessageOf<MessageName>;

/** Why a good frame is dropped: its body is no CBOR of the profile, or no valid message. */
export type BodyDamage = "bad_cbor" | "trailing_bytes" | "bad_message";

/** The content of a good frame. */
export type Body =
  | { readonly kind: "message"; readonly message: Message }
  /** Dropped and counted. */
  | { readonly kind: "damage"; readonly reason: BodyDamage }
  /** Answered with ERROR 1. */
  | { readonly kind: "unknown_type"; readonly type: number; readonly seq: number }
  /** Missing or wrong fields: answered with ERROR 2 when it is a request that the sender may send, otherwise ignored. */
  | { readonly kind: "malformed"; readonly type: MessageName; readonly seq: number }
  /** HELLO or HELLO_ACK of another version: a HELLO is answered with ERROR 11. */
  | { readonly kind: "other_version"; readonly type: MessageName; readonly seq: number; readonly version: number };
