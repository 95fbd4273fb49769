/** What there is to see of a running simulator, as plain data: the renderer and the keys know nothing else. */
import { addressKey, type PropertyDescription, type Value } from "@porchlight/shared/model";
import type { SimulatedDevice } from "../simulator/devices/simulated-device.ts";
import type { DeviceFault } from "../simulator/faults/device-fault.ts";
import type { RunningNode, Simulator } from "../simulator/simulator.ts";

export interface PropertyRow {
  /** `SERVICE:INDEX.PROPERTY` */
  readonly key: string;
  readonly description: PropertyDescription;
  readonly value: Value;
}

export interface DeviceRow {
  readonly edgeId: string;
  readonly name: string;
  /** edgeId of its node. */
  readonly node: string;
  readonly port: string;
  /** What its node's talk with the hub is at. */
  readonly state: "unplugged" | "no power" | "greeting" | "live";
  /** What is wrong with it: `slow 300`. */
  readonly fault: string;
  /** What is wrong with its node's board and line: `corrupt 0.01, delay 200`. */
  readonly lineFaults: string;
  readonly isBlinking: boolean;
  readonly properties: readonly PropertyRow[];
}

export interface Scene {
  readonly devices: readonly DeviceRow[];
  /** The last frames, oldest first. */
  readonly frames: readonly string[];
  readonly seed: number;
  readonly speed: number;
  /** Seconds that devices have lived. */
  readonly lived: number;
}

export function sceneOf(simulator: Simulator, frames: readonly string[]): Scene {
  const { nodes, seed, life } = simulator;
  const devices = nodes.flatMap((running) => running.node.devices.map((device) => rowOf(running, device)));
  return { devices, frames, seed, speed: life.speed, lived: Math.floor(life.monotonic() / 1000) };
}

function rowOf({ definition, node, board, port }: RunningNode, device: SimulatedDevice): DeviceRow {
  return {
    edgeId: device.edgeId,
    name: device.about.name ?? definition.name ?? device.about.model ?? device.edgeId,
    node: node.edgeId,
    port: port?.path ?? "",
    state: board.isDark ? "no power" : node.state,
    fault: faultInWords(device.fault),
    lineFaults: Object.entries(board.faults)
      .map(([name, amount]) => `${name} ${amount}`)
      .join(", "),
    isBlinking: device.identifying,
    properties: device.services.flatMap(({ service, index, properties }) =>
      properties.map((description) => {
        const key = addressKey({ service, index, property: description.property });
        return { key, description, value: device.values.get(key) ?? null };
      }),
    ),
  };
}

function faultInWords(fault: DeviceFault): string {
  if (fault.mode === "none") return "";
  return fault.mode === "slow" || fault.mode === "stale" ? `${fault.mode} ${fault.ms}` : fault.mode;
}
