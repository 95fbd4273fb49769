/** A property that needs time for its way, as a dimmer's light or a cover: a WRITE is accepted, and the way is reported. */
import type { PropertyAddress, Value } from "@porchlight/shared/model";
import { type Behaviour, type DeviceAction, type DeviceView, isSame } from "./behaviour.ts";

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
