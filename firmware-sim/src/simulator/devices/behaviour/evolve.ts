/** Numbers that time moves: a room that cools down, a battery that drains, a sensor that wanders, a meter that counts, a day that comes and goes. */
import type { PropertyAddress, Value } from "@porchlight/shared/model";
import { type Behaviour, type DeviceView, isSame } from "./behaviour.ts";

/** Changes one number as time goes by. */
export interface Evolution {
  readonly property: PropertyAddress;
  /** How often it is looked at, ms. */
  readonly everyMs: number;
  /** What the device says is a multiple of this; what it knows is exact. */
  readonly rounded: number;
  /** @param exact the number as it was `seconds` ago */
  after(exact: number, seconds: number, view: DeviceView): number;
}

export function evolveBehaviour(evolution: Evolution): Behaviour {
  return (_, view) => ({ next: living(evolution, undefined, view.now), dueIn: evolution.everyMs });
}

/** @param exact undefined when only the device's own value is known */
function living(evolution: Evolution, exact: number | undefined, since: number): Behaviour {
  const { property, everyMs, rounded, after } = evolution;
  return (happening, view) => {
    if (happening.kind === "changed" && isSame(happening.where, property))
      return { next: living(evolution, undefined, view.now) };
    if (happening.kind !== "due") return { next: living(evolution, exact, since) };
    const before = exact ?? view.read(property);
    if (typeof before !== "number") return { next: living(evolution, undefined, view.now), dueIn: everyMs };
    const now = after(before, (view.now - since) / 1000, view);
    const value = Number((Math.round(now / rounded) * rounded).toPrecision(12));
    return {
      next: living(evolution, now, view.now),
      actions: [{ kind: "become", where: property, value }],
      dueIn: everyMs,
    };
  };
}

/** °C of a room: it goes towards the temperature outside, half of the way in `halfHours`, and is warmed or cooled. */
export function room(outside: number, halfHours: number, perHour: number, activity: PropertyAddress | undefined) {
  return (celsius: number, seconds: number, view: DeviceView): number => {
    const hours = seconds / 3600;
    const lost = outside + (celsius - outside) * 0.5 ** (hours / halfHours);
    return lost + perHour * hours * strength(activity === undefined ? null : view.read(activity));
  };
}

function strength(activity: Value): number {
  if (activity === "heating" || activity === true) return 1;
  return activity === "cooling" ? -1 : 0;
}

/** Percent of a battery that is full for so many hours, while a condition holds. */
export function drain(hours: number, holds: (view: DeviceView) => boolean) {
  return (percent: number, seconds: number, view: DeviceView): number =>
    holds(view) ? Math.max(0, percent - (100 * seconds) / 3600 / hours) : percent;
}

/** A sensor that goes up or down by at most a step each time, between two bounds. */
export function wander([least, largest]: readonly [number, number], step: number) {
  return (value: number, _seconds: number, view: DeviceView): number =>
    Math.min(largest, Math.max(least, value + step * (2 * view.random.fraction() - 1)));
}

/** A day: least at its beginning, largest in its middle. */
export function wave([least, largest]: readonly [number, number], hours: number) {
  return (_value: number, _seconds: number, view: DeviceView): number =>
    least + ((largest - least) * (1 - Math.cos((2 * Math.PI * view.now) / (hours * 3_600_000)))) / 2;
}

/** A meter that adds up another property. @param perHour what an hour at 1 adds */
export function count(of: PropertyAddress, perHour: number) {
  return (total: number, seconds: number, view: DeviceView): number => {
    const rate = view.read(of);
    return typeof rate === "number" ? total + (rate * perHour * seconds) / 3600 : total;
  };
}
