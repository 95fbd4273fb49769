/** Maps keys to actions: another selection, or a control line, the same as a user would type on stdin. */
import { addressKey, type PropertyDescription, type Value } from "@porchlight/shared/model";
import type { DeviceFault } from "../simulator/device-fault.ts";
import type { SimulatedDevice } from "../simulator/devices/simulated-device.ts";
import type { RunningNode, Simulator } from "../simulator/simulator.ts";

export interface Screen {
  /** Position of the selected device in the scene. */
  readonly device: number;
  readonly property: number;
  /** The last answer to a command. */
  readonly message: string;
}

export const FIRST_SCREEN: Screen = { device: 0, property: 0, message: "" };

export type Pressed =
  | { readonly kind: "screen"; readonly screen: Screen }
  | { readonly kind: "command"; readonly line: string }
  | { readonly kind: "quit" }
  | { readonly kind: "nothing" };

/** Faults that the key F cycles through. */
const FAULTS = ["slow 1000", "silent", "refuse", "busy", "stuck", "wrong", "broken", "corrupt 0.2", "none"];

/** Sequences that terminals send for keys without a character. */
const NAMES: Readonly<Record<string, string>> = {
  "\u001b[A": "up",
  "\u001b[B": "down",
  "\u001b[C": "right",
  "\u001b[D": "left",
  "\u001b[Z": "back",
  "\t": "tab",
  "\r": "enter",
  "\n": "enter",
  "\u0003": "q",
};

/** Splits a terminal's input into keys: a paste or a slow connection delivers several at once. */
export function keysIn(text: string): string[] {
  const keys: string[] = [];
  for (let at = 0; at < text.length; at += keys.at(-1)?.length ?? 1)
    keys.push(text.slice(at, at + (text.startsWith("\u001b[", at) ? 3 : 1)));
  return keys;
}

/** @param input the terminal's sequence for one key */
export function press(scene: Scene, screen: Screen, input: string): Pressed {
  const key = NAMES[input] ?? input;
  const device = scene.devices[screen.device];
  const property = device?.properties[screen.property];
  switch (key) {
    case "q":
      return { kind: "quit" };
    case "up":
    case "down": {
      const next = turned(screen.device, scene.devices.length, key === "up" ? -1 : 1);
      return { kind: "screen", screen: { ...screen, device: next, property: 0, message: "" } };
    }
    case "tab":
    case "back": {
      const next = turned(screen.property, device?.properties.length ?? 0, key === "back" ? -1 : 1);
      return { kind: "screen", screen: { ...screen, property: next, message: "" } };
    }
    case "left":
    case "right":
    case "enter":
      return device && property ? turn(device, property, key) : NOTHING;
    case "+":
      return command(`speed ${scene.speed === 0 ? 1 : scene.speed * 2}`);
    case "-":
      return command(`speed ${scene.speed / 2}`);
    case " ":
      return command(`speed ${scene.speed === 0 ? 1 : 0}`);
    default:
      return device ? ofDevice(device, key) : NOTHING;
  }
}

const NOTHING: Pressed = { kind: "nothing" };

function command(line: string): Pressed {
  return { kind: "command", line };
}

function ofDevice(device: DeviceRow, key: string): Pressed {
  switch (key) {
    case "u":
      return command(`${device.state === "unplugged" ? "plug" : "unplug"} ${device.node}`);
    case "r":
      return command(`reboot ${device.node}`);
    case "b":
      return command(`brownout ${device.node}`);
    case "n":
      return command(`fault ${device.edgeId} none`);
    case "f": {
      const has = [device.fault, ...device.lineFaults.split(", ")];
      const now = FAULTS.findLastIndex((fault) => has.includes(fault));
      return command(`fault ${device.edgeId} ${FAULTS[(now + 1) % FAULTS.length]}`);
    }
    default:
      return NOTHING;
  }
}

/** Changes a value by a tenth of its range, to its next word, or to its opposite; presses a button. */
function turn(device: DeviceRow, { key, description, value }: PropertyRow, way: "left" | "right" | "enter"): Pressed {
  const { type, values, access } = description;
  if (!access.includes("read")) return command(`press ${device.edgeId} ${key} ${values?.[0] ?? "press"}`);
  const set = (next: Value) => command(`set ${device.edgeId} ${key} ${JSON.stringify(next)}`);
  if (type === "boolean") return set(value !== true);
  const step = way === "left" ? -1 : 1;
  if (values && values.length > 0) {
    const now = typeof value === "object" ? -1 : values.indexOf(value);
    return set(values[turned(now, values.length, step)] ?? null);
  }
  if (type !== "number" && type !== "integer") return NOTHING;
  return way === "enter" ? NOTHING : set(moved(description, typeof value === "number" ? value : 0, step));
}

function moved({ min, max, step }: PropertyRow["description"], value: number, way: number): number {
  const by = step ?? (min !== undefined && max !== undefined ? (max - min) / 20 : 1);
  const next = Math.round((value + way * by) * 100) / 100;
  return Math.min(max ?? next, Math.max(min ?? next, next));
}

function turned(at: number, count: number, by: number): number {
  return count === 0 ? 0 : (at + by + count) % count;
}

/** A property in the scene: the state of a running simulator as plain data, on which the renderer and the keys depend and nothing else. */
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
  /** State of its node's conversation with the hub. */
  readonly state: "unplugged" | "no power" | "greeting" | "live";
  /** Its fault: `slow 300`. */
  readonly fault: string;
  /** Faults of its node's board and line: `corrupt 0.01, delay 200`. */
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
  /** Time that the devices have lived, seconds. */
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
