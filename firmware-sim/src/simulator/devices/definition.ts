/** The definition of a simulated node: the file's parser creates it, and the simulation consumes it. */
import type { DeviceAbout, DeviceDescription, PropertyAddress, Value } from "@porchlight/shared/model";
import type { DeviceFault } from "../device-fault.ts";
import type { NodeFaults } from "../fault-words.ts";
import type { Behaviour } from "./fade.ts";

export interface DeviceDefinition {
  readonly edgeId: string;
  readonly services: DeviceDescription;
  readonly about?: DeviceAbout | undefined;
  /** Initial values; a property without one reports `null`. */
  readonly values?: readonly (readonly [PropertyAddress, Value])[] | undefined;
  /** Its own behaviour. */
  readonly behaviours?: readonly Behaviour[] | undefined;
  /** Its initial fault. */
  readonly fault?: DeviceFault | undefined;
}

export interface NodeDefinition {
  /** A name for people. */
  readonly name?: string | undefined;
  /** A stable path for its port. */
  readonly link?: string | undefined;
  /** Present for a node on the network instead of a serial line. */
  readonly network?: NetworkDefinition | undefined;
  readonly edgeId: string;
  /** Its frame limit, bytes; 1024 when omitted. */
  readonly max?: number | undefined;
  /** Number of requests that it accepts at once; 1 when omitted. */
  readonly win?: number | undefined;
  /** `none` for a node that cannot distinguish its boots: its HELLO has 0. */
  readonly boot?: "noise" | "none" | undefined;
  readonly about?: Omit<DeviceAbout, "name"> | undefined;
  /** Initial faults of its line and its board. */
  readonly faults?: NodeFaults | undefined;
  readonly devices: readonly DeviceDefinition[];
}

export interface NetworkDefinition {
  /** TCP port; 0 for any free one. */
  readonly port: number;
  /** Requires TLS with this key. */
  readonly psk?: Uint8Array | undefined;
  readonly announce: boolean;
}
