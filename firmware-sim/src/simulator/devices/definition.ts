/** What a simulated node is made of, once read: the shapes that the file's parser makes and the simulation takes. */
import type { DeviceAbout, DeviceDescription, PropertyAddress, Value } from "@porchlight/shared/model";
import type { DeviceFault } from "../faults/device-fault.ts";
import type { NodeFaults } from "../faults/fault-words.ts";
import type { Behaviour } from "./behaviour/fade.ts";

export interface DeviceDefinition {
  readonly edgeId: string;
  readonly services: DeviceDescription;
  readonly about?: DeviceAbout | undefined;
  /** Values at the start; what has none says `null`. */
  readonly values?: readonly (readonly [PropertyAddress, Value])[] | undefined;
  /** What it does of itself. */
  readonly behaviours?: readonly Behaviour[] | undefined;
  /** How it misbehaves from the start. */
  readonly fault?: DeviceFault | undefined;
}

export interface NodeDefinition {
  /** What a person calls it. */
  readonly name?: string | undefined;
  /** A stable path for its port. */
  readonly link?: string | undefined;
  /** It is on the network, not on a serial line. */
  readonly network?: NetworkDefinition | undefined;
  readonly edgeId: string;
  /** Its frame limit, bytes; 1024 when left out. */
  readonly max?: number | undefined;
  /** Requests that it takes at once; 1 when left out. */
  readonly win?: number | undefined;
  /** `none` for a node that can tell its boots not apart: it says 0. */
  readonly boot?: "noise" | "none" | undefined;
  readonly about?: Omit<DeviceAbout, "name"> | undefined;
  /** What is wrong with its line and its board from the start. */
  readonly faults?: NodeFaults | undefined;
  readonly devices: readonly DeviceDefinition[];
}

export interface NetworkDefinition {
  /** TCP port; 0 is any free one. */
  readonly port: number;
  /** It wants TLS with this key. */
  readonly psk?: Uint8Array | undefined;
  readonly announce: boolean;
}
