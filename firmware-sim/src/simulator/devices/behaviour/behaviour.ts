/** What a device does of itself, as decisions: a behaviour is told what has happened, and says what the device does and when it wants to be asked again. */
import type { Random } from "@porchlight/shared/kernel";
import type { PropertyAddress, Value } from "@porchlight/shared/model";

export type Happening =
  /** The device has its first values. */
  | { readonly kind: "begun" }
  /** A WRITE wants this value. */
  | { readonly kind: "asked"; readonly where: PropertyAddress; readonly aim: Value }
  /** A value has changed, but not by this behaviour. */
  | { readonly kind: "changed"; readonly where: PropertyAddress }
  /** The time that it asked for has come. */
  | { readonly kind: "due" };

/** The device as its behaviours see it. */
export interface DeviceView {
  /** Ms on the clock of devices' lives, which may run faster than ours or stand still. */
  readonly now: number;
  readonly random: Random;
  read(where: PropertyAddress): Value;
}

export type DeviceAction =
  | { readonly kind: "become"; readonly where: PropertyAddress; readonly value: Value }
  /** An event of a property that can only notify. */
  | { readonly kind: "press"; readonly where: PropertyAddress; readonly value: Value };

export interface BehaviourOutcome {
  /** The behaviour as it is from now on: what it remembers is in it. */
  readonly next: Behaviour;
  readonly actions?: readonly DeviceAction[] | undefined;
  /** Asks to be told `due` in so many ms instead of when it asked before; left out, that stands. */
  readonly dueIn?: number | undefined;
  /** It carries the WRITE out bit by bit: the answer is the value aimed at. */
  readonly takesOver?: boolean | undefined;
}

/** Never changes itself: what it has learnt is in the outcome's `next`. */
export type Behaviour = (happening: Happening, view: DeviceView) => BehaviourOutcome;

/** Whether two addresses are the same property. */
export function isSame(a: PropertyAddress, b: PropertyAddress): boolean {
  return a.service === b.service && a.index === b.index && a.property === b.property;
}
