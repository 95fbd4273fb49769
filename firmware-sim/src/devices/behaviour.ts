/** What a device does of itself: how one property moves another, and writes that take their time. */
import type { Clock } from "@porchlight/shared/kernel";
import type { PropertyAddress, Value } from "@porchlight/shared/model";

/** The device as its behaviour sees it. */
export interface BehavingDevice {
  readonly clock: Clock;
  read(where: PropertyAddress): Value;
  /** Sets a value and reports it when it is another. */
  become(where: PropertyAddress, value: Value): void;
}

export interface Behaviour {
  /** Takes a WRITE over: it will be carried out bit by bit, and the answer is the value aimed at. False when it is an ordinary one. */
  takesOver?(device: BehavingDevice, where: PropertyAddress, aim: Value): boolean;
  /** A value has changed, by whomever. */
  changed?(device: BehavingDevice, where: PropertyAddress): void;
}

const of = (service: string, property: string): PropertyAddress => ({ service, index: "0", property });

/** Heats below the target, cools above it, as far as its mode allows. */
export const THERMOSTAT: Behaviour = {
  changed(device) {
    const mode = device.read(of("Thermostat", "mode"));
    const target = device.read(of("Thermostat", "target"));
    const celsius = device.read(of("Temperature", "celsius"));
    if (typeof target !== "number" || typeof celsius !== "number") return;
    const heats = (mode === "heat" || mode === "auto") && celsius < target;
    const cools = (mode === "cool" || mode === "auto") && celsius > target;
    device.become(of("Thermostat", "activity"), heats ? "heating" : cools ? "cooling" : "idle");
  },
};

/** How often a moving cover tells where it is, and how far it comes in that time. */
const STEP_MS = 500;
const STEP_PERCENT = 10;

/** A cover needs seconds for its way: a WRITE is answered when it is accepted, its progress is reported. */
export function coverBehaviour(): Behaviour {
  const position = of("Cover", "position");
  const movement = of("Cover", "movement");
  let aim: number | undefined;
  const move = (device: BehavingDevice): void => {
    const at = device.read(position);
    if (aim === undefined || typeof at !== "number") return;
    const next = at < aim ? Math.min(aim, at + STEP_PERCENT) : Math.max(aim, at - STEP_PERCENT);
    device.become(position, next);
    if (next === aim) aim = undefined;
    if (aim === undefined) device.become(movement, "stopped");
    else device.clock.timer("cover", STEP_MS, () => move(device));
  };
  return {
    takesOver(device, where, value) {
      const at = device.read(position);
      if (where.service !== "Cover" || where.property !== "position") return false;
      if (typeof value !== "number" || typeof at !== "number" || at === value) return false;
      const resting = aim === undefined;
      aim = value;
      device.become(movement, value > at ? "opening" : "closing");
      if (resting) device.clock.timer("cover", STEP_MS, () => move(device));
      return true;
    },
  };
}
