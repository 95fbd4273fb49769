/** Creates behaviours from the entries of `behaviour`, or reports in sentences which of them do not fit the device. */
import { randomInteger } from "@porchlight/shared/kernel";
import {
  addressKey,
  type DeviceDescription,
  findProperty,
  type PropertyAddress,
  type PropertyDescription,
  parseSelector,
  type Value,
  valueProblem,
  valuesEqual,
} from "@porchlight/shared/model";
import { type Behaviour, type DeviceAction, type DeviceView, fadeBehaviour, isSame } from "./fade.ts";
import type { BehaviourEntry } from "./file-schema.ts";
import { unknownWord } from "./schema-problems.ts";

/** Finds properties of one device, and collects problems. */
interface Finder {
  find(text: string): PropertyAddress;
  /** Finds the property and checks that it accepts the value. */
  fits(text: string, value: Value): PropertyAddress;
  description(address: PropertyAddress): PropertyDescription | undefined;
  problem(text: string): void;
}

/** @param problem called with each problem */
export function readBehaviours(
  entries: readonly BehaviourEntry[],
  device: DeviceDescription,
  problem: (text: string) => void,
): Behaviour[] {
  const finder = finderOf(device, problem);
  return entries.map((entry) => behaviourOf(entry, finder));
}

function behaviourOf(entry: BehaviourEntry, finder: Finder): Behaviour {
  const { fade, regulate, back, follow, person } = entry;
  const { find } = finder;
  if (fade) return readFade(fade, finder);
  if (regulate) {
    const { mode, target, measured, activity, band } = regulate;
    return regulateBehaviour({
      mode: find(mode),
      target: find(target),
      measured: find(measured),
      activity: find(activity),
      band,
    });
  }
  if (back) return backBehaviour(finder.fits(back.property, back.to), back.to, back.seconds * 1000);
  if (follow) return readFollow(follow, finder);
  if (person)
    return personBehaviour(
      person.does.map((text) => readAct(text, finder)),
      person.seconds * 1000,
    );
  return evolveBehaviour(readEvolution(entry, finder));
}

function readFade(
  { property, seconds, every, movement }: NonNullable<BehaviourEntry["fade"]>,
  { find, fits, description, problem }: Finder,
): Behaviour {
  const where = find(property);
  const { min, max } = description(where) ?? {};
  if (min === undefined || max === undefined) problem(`${property} has no range (min and max) to fade over`);
  const stated = movement && {
    property: find(movement.property),
    up: movement.up,
    down: movement.down,
    rest: movement.rest,
  };
  for (const value of movement ? [movement.up, movement.down, movement.rest] : [])
    fits(movement?.property ?? "", value);
  const perSecond = ((max ?? 1) - (min ?? 0)) / seconds;
  return fadeBehaviour({ property: where, perSecond, everyMs: every * 1000, movement: stated });
}

/** The change of each number over time, its interval (seconds), and its rounding. */
function readEvolution(
  { room: warm, drain: battery, wander: sensor, wave: day, count: meter }: BehaviourEntry,
  finder: Finder,
): Evolution {
  const { find } = finder;
  if (warm) {
    const heating = warm.heating === undefined ? undefined : find(warm.heating);
    return moving(find(warm.property), warm.every, 0.1, room(warm.outside, warm.halfHours, warm.perHour, heating));
  }
  if (battery) {
    const conditions = Object.entries(battery.while).map(([text, value]) => ({
      where: finder.fits(text, value),
      value,
    }));
    const holds = (view: DeviceView) => conditions.every(({ where, value }) => valuesEqual(view.read(where), value));
    return moving(find(battery.property), battery.every, 1, drain(battery.hours, holds));
  }
  if (sensor) return moving(find(sensor.property), sensor.every, sensor.step / 10, wander(sensor.between, sensor.step));
  if (day) return moving(find(day.property), day.every, day.rounded, wave(day.between, day.hours));
  const { property = "", of = "", perHour = 0, every = 60 } = meter ?? {};
  return moving(find(property), every, 0.001, count(find(of), perHour));
}

function moving(property: PropertyAddress, every: number, rounded: number, after: Evolution["after"]): Evolution {
  return { property, everyMs: every * 1000, rounded, after };
}

function readFollow(
  { property, of, values, times, below, above }: NonNullable<BehaviourEntry["follow"]>,
  { find, fits, problem }: Finder,
): Behaviour {
  if ([values, times, below, above].filter((one) => one !== undefined).length !== 1)
    problem(`follow ${property}: it needs one of values, times, below and above`);
  for (const value of Object.values(values ?? {})) fits(property, value);
  return followBehaviour(find(property), find(of), (value) => {
    if (values) return Object.hasOwn(values, String(value)) ? values[String(value)] : undefined;
    if (typeof value !== "number") return undefined;
    if (times !== undefined) return value * times;
    return below === undefined ? value > (above ?? 0) : value < below;
  });
}

function readAct(text: string, { find, fits, problem }: Finder): Act {
  const [kind = "", where = "", ...rest] = text.split(" ");
  if (kind === "toggle") return { kind, where: fits(where, true) };
  if (kind !== "press" && kind !== "set") {
    problem(unknownWord("act", kind, ["press", "set", "toggle"]));
    return { kind: "toggle", where: find(where) };
  }
  const value = scalar(rest.join(" "));
  return { kind, where: fits(where, value), value };
}

/** Parses JSON, or returns another word unchanged. */
function scalar(text: string): Value {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "number" || typeof parsed === "boolean" ? parsed : text;
  } catch {
    return text;
  }
}

function finderOf(device: DeviceDescription, problem: (text: string) => void): Finder {
  const known = device.flatMap(({ service, index, properties }) =>
    properties.map(({ property }) => addressKey({ service, index, property })),
  );
  const find = (text: string): PropertyAddress => {
    const selector = parseSelector(text);
    const { service = "", index = "0", property = "" } = selector ?? {};
    const address = { service, index, property };
    if (!findProperty(device, address)) problem(unknownWord("property", text, known));
    return address;
  };
  const fits = (text: string, value: Value): PropertyAddress => {
    const address = find(text);
    const description = findProperty(device, address);
    const wrong = description && valueProblem(description, value);
    if (wrong !== undefined) problem(`${text}: ${wrong}`);
    return address;
  };
  return { find, fits, description: (address) => findProperty(device, address), problem };
}

/** An action of a simulated person, who from time to time performs one of several actions on a device. */
type Act =
  | { readonly kind: "press" | "set"; readonly where: PropertyAddress; readonly value: Value }
  /** Inverts a boolean. */
  | { readonly kind: "toggle"; readonly where: PropertyAddress };

/**
 * @param acts one is performed at a time, each equally likely
 * @param everyMs mean interval; never shorter than half of it, never longer than one and a half
 */
function personBehaviour(acts: readonly Act[], everyMs: number): Behaviour {
  const behaviour: Behaviour = (happening, view) => {
    if (happening.kind === "begun") return { next: behaviour, dueIn: pause(everyMs, view) };
    if (happening.kind !== "due") return { next: behaviour };
    const act = acts[randomInteger(view.random, acts.length)];
    return { next: behaviour, actions: act ? [deed(act, view)] : [], dueIn: pause(everyMs, view) };
  };
  return behaviour;
}

function pause(everyMs: number, { random }: DeviceView): number {
  return everyMs * (0.5 + random.fraction());
}

function deed(act: Act, view: DeviceView): DeviceAction {
  switch (act.kind) {
    case "press":
      return { kind: "press", where: act.where, value: act.value };
    case "set":
      return { kind: "become", where: act.where, value: act.value };
    case "toggle":
      return { kind: "become", where: act.where, value: view.read(act.where) !== true };
  }
}

/**
 * Settings of a thermostat. The behaviours below change a property as soon as another one changes: a thermostat's activity, a lamp's
 * power, a low battery, a sensor that returns to rest.
 */
interface Regulation {
  readonly mode: PropertyAddress;
  readonly target: PropertyAddress;
  readonly measured: PropertyAddress;
  readonly activity: PropertyAddress;
  /** Distance from the target at which it starts, °C; it then runs until the target. */
  readonly band: number;
}

/** Heats below the target and cools above it, as far as its mode allows. */
function regulateBehaviour(regulation: Regulation): Behaviour {
  const behaviour: Behaviour = (happening, view) => {
    const looks = happening.kind === "begun" || happening.kind === "changed";
    return { next: behaviour, actions: looks ? regulated(regulation, view) : [] };
  };
  return behaviour;
}

function regulated({ mode, target, measured, activity, band }: Regulation, view: DeviceView): DeviceAction[] {
  const [wanted, celsius, allowed, doing] = [target, measured, mode, activity].map((where) => view.read(where));
  if (typeof wanted !== "number" || typeof celsius !== "number") return [];
  const heats = (allowed === "heat" || allowed === "auto") && celsius < wanted - (doing === "heating" ? 0 : band);
  const cools = (allowed === "cool" || allowed === "auto") && celsius > wanted + (doing === "cooling" ? 0 : band);
  return [{ kind: "become", where: activity, value: heats ? "heating" : cools ? "cooling" : "idle" }];
}

/** A property whose value depends on another property. @param made returns undefined when the property keeps its value */
function followBehaviour(
  property: PropertyAddress,
  of: PropertyAddress,
  made: (value: Value) => Value | undefined,
): Behaviour {
  const behaviour: Behaviour = (happening, view) => {
    const looks = happening.kind === "begun" || (happening.kind === "changed" && isSame(happening.where, of));
    const value = looks ? made(view.read(of)) : undefined;
    return { next: behaviour, actions: value === undefined ? [] : [{ kind: "become", where: property, value }] };
  };
  return behaviour;
}

/** A property that returns to a value some time after its last change, such as a motion sensor's. */
function backBehaviour(property: PropertyAddress, to: Value, afterMs: number): Behaviour {
  const behaviour: Behaviour = (happening, view) => {
    if (happening.kind === "due") return { next: behaviour, actions: [{ kind: "become", where: property, value: to }] };
    const left =
      happening.kind === "changed" && isSame(happening.where, property) && !valuesEqual(view.read(property), to);
    return { next: behaviour, dueIn: left ? afterMs : undefined };
  };
  return behaviour;
}

/** A number that changes over time: a cooling room, a draining battery, a drifting sensor, a counting meter, a day's rhythm. */
interface Evolution {
  readonly property: PropertyAddress;
  /** Interval of the updates, ms. */
  readonly everyMs: number;
  /** Reported values are multiples of this; the internal value is exact. */
  readonly rounded: number;
  /** @param exact the number `seconds` ago */
  after(exact: number, seconds: number, view: DeviceView): number;
}

function evolveBehaviour(evolution: Evolution): Behaviour {
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

/** Temperature of a room, °C: approaches the outside temperature by half of the difference in `halfHours`, and is heated or cooled. */
function room(outside: number, halfHours: number, perHour: number, activity: PropertyAddress | undefined) {
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

/** Charge of a battery in percent: a full one lasts this number of hours, and drains only while the condition holds. */
function drain(hours: number, holds: (view: DeviceView) => boolean) {
  return (percent: number, seconds: number, view: DeviceView): number =>
    holds(view) ? Math.max(0, percent - (100 * seconds) / 3600 / hours) : percent;
}

/** A sensor that rises or falls by at most one step each time, between two bounds. */
function wander([least, largest]: readonly [number, number], step: number) {
  return (value: number, _seconds: number, view: DeviceView): number =>
    Math.min(largest, Math.max(least, value + step * (2 * view.random.fraction() - 1)));
}

/** A daily wave: minimum at the start, maximum in the middle. */
function wave([least, largest]: readonly [number, number], hours: number) {
  return (_value: number, _seconds: number, view: DeviceView): number =>
    least + ((largest - least) * (1 - Math.cos((2 * Math.PI * view.now) / (hours * 3_600_000)))) / 2;
}

/** A meter that accumulates another property. @param perHour the increase in an hour while that property is 1 */
function count(of: PropertyAddress, perHour: number) {
  return (total: number, seconds: number, view: DeviceView): number => {
    const rate = view.read(of);
    return typeof rate === "number" ? total + (rate * perHour * seconds) / 3600 : total;
  };
}
