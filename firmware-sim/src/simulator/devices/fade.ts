/**
 * A property that changes gradually, such as a dimmer's level or a cover's position: a WRITE is accepted, and the intermediate values
 * are reported.
 */

import type { Random } from "@porchlight/shared/kernel";
import type { PropertyAddress, Value } from "@porchlight/shared/model";

export interface Fade {
  readonly property: PropertyAddress;
  /** Speed, in the property's unit per second. */
  readonly perSecond: number;
  /** Interval of the reports, ms. */
  readonly everyMs: number;
  /** A property that reports the direction of movement. */
  readonly movement?: Movement | undefined;
}

interface Movement {
  readonly property: PropertyAddress;
  readonly up: Value;
  readonly down: Value;
  readonly rest: Value;
}

/** The target, and the last exact position, which is finer than the reported one. */
interface Way {
  readonly aim: number;
  readonly at: number;
  readonly since: number;
}

/** @param fade the property and its speed */
export function fadeBehaviour(fade: Fade): Behaviour {
  return resting(fade);
}

function resting(fade: Fade): Behaviour {
  return (happening, view) => {
    const way = asked(fade, happening, view);
    return way === undefined ? { next: resting(fade) } : setOut(fade, way, fade.everyMs);
  };
}

function moving(fade: Fade, way: Way): Behaviour {
  return (happening, view) => {
    if (happening.kind === "due") return moved(fade, way, view);
    // A change by hand overrides the motor.
    if (happening.kind === "changed" && isSame(happening.where, fade.property))
      return { next: resting(fade), actions: heading(fade, "rest") };
    const other = asked(fade, happening, view);
    if (other !== undefined) return setOut(fade, { ...other, at: way.at, since: way.since });
    return { next: moving(fade, way) };
  };
}

/** The movement that a WRITE requests; undefined when it requests none. */
function asked(fade: Fade, happening: Parameters<Behaviour>[0], view: DeviceView): Way | undefined {
  if (happening.kind !== "asked" || !isSame(happening.where, fade.property)) return undefined;
  const at = view.read(fade.property);
  if (typeof happening.aim !== "number" || typeof at !== "number" || at === happening.aim) return undefined;
  return { aim: happening.aim, at, since: view.now };
}

function setOut(fade: Fade, way: Way, dueIn?: number) {
  const actions = heading(fade, way.aim > way.at ? "up" : "down");
  return { next: moving(fade, way), actions, dueIn, takesOver: true };
}

function moved(fade: Fade, { aim, at, since }: Way, view: DeviceView) {
  const reach = (fade.perSecond * (view.now - since)) / 1000;
  const now = at < aim ? Math.min(aim, at + reach) : Math.max(aim, at - reach);
  const deed: DeviceAction = {
    kind: "become",
    where: fade.property,
    value: now === aim ? aim : Math.round(now * 10) / 10,
  };
  if (now === aim) return { next: resting(fade), actions: [deed, ...heading(fade, "rest")] };
  return { next: moving(fade, { aim, at: now, since: view.now }), actions: [deed], dueIn: fade.everyMs };
}

function heading({ movement }: Fade, way: "up" | "down" | "rest"): DeviceAction[] {
  return movement ? [{ kind: "become", where: movement.property, value: movement[way] }] : [];
}

/**
 * An event for a behaviour, which is a pure decision: it receives what happened, and returns the device's actions and the time of its
 * next call.
 */
export type Happening =
  /** The device has its initial values. */
  | { readonly kind: "begun" }
  /** A WRITE requests this value. */
  | { readonly kind: "asked"; readonly where: PropertyAddress; readonly aim: Value }
  /** A value has changed for another reason than this behaviour. */
  | { readonly kind: "changed"; readonly where: PropertyAddress }
  /** The requested time is over. */
  | { readonly kind: "due" };

/** The device, as its behaviours see it. */
export interface DeviceView {
  /** Time in ms on the clock of the devices' lives, which may run faster than real time, or stand still. */
  readonly now: number;
  readonly random: Random;
  read(where: PropertyAddress): Value;
}

export type DeviceAction =
  | { readonly kind: "become"; readonly where: PropertyAddress; readonly value: Value }
  /** An event of a property that can only notify. */
  | { readonly kind: "press"; readonly where: PropertyAddress; readonly value: Value };

interface BehaviourOutcome {
  /** The behaviour from now on; it contains its memory. */
  readonly next: Behaviour;
  readonly actions?: readonly DeviceAction[] | undefined;
  /** Requests a `due` after this number of ms, in place of an earlier request; when omitted, the earlier one stays. */
  readonly dueIn?: number | undefined;
  /** The behaviour executes the WRITE gradually: the answer is the target value. */
  readonly takesOver?: boolean | undefined;
}

/** Immutable: a behaviour with new memory is in the outcome's `next`. */
export type Behaviour = (happening: Happening, view: DeviceView) => BehaviourOutcome;

/** Whether two addresses name the same property. */
export function isSame(a: PropertyAddress, b: PropertyAddress): boolean {
  return a.service === b.service && a.index === b.index && a.property === b.property;
}
