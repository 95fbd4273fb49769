/** A property that needs time for its way, as a dimmer's light or a cover: a WRITE is accepted, and the way is reported. */

import type { Random } from "@porchlight/shared/kernel";
import type { PropertyAddress, Value } from "@porchlight/shared/model";

export interface Fade {
  readonly property: PropertyAddress;
  /** How far it comes in a second, in the property's unit. */
  readonly perSecond: number;
  /** How often it says where it is, ms. */
  readonly everyMs: number;
  /** A property that says which way it goes. */
  readonly movement?: Movement | undefined;
}

interface Movement {
  readonly property: PropertyAddress;
  readonly up: Value;
  readonly down: Value;
  readonly rest: Value;
}

/** Where it is going, and where it was at the last look: more exact than what it says. */
interface Way {
  readonly aim: number;
  readonly at: number;
  readonly since: number;
}

/** @param fade what moves, and how fast */
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
    // Somebody's hand is stronger than the motor.
    if (happening.kind === "changed" && isSame(happening.where, fade.property))
      return { next: resting(fade), actions: heading(fade, "rest") };
    const other = asked(fade, happening, view);
    if (other !== undefined) return setOut(fade, { ...other, at: way.at, since: way.since });
    return { next: moving(fade, way) };
  };
}

/** The way that a WRITE asks for; undefined when it asks for none. */
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

/** What a device does of itself, as decisions: a behaviour is told what has happened, and says what the device does and when it wants to be asked again. */
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

interface BehaviourOutcome {
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
