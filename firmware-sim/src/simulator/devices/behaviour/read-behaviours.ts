/** Makes behaviours of what stands under `behaviour`, or says in sentences what does not fit the device. */
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
import { unknownWord } from "../file/suggestion.ts";
import type { Behaviour, DeviceView } from "./behaviour.ts";
import { count, drain, type Evolution, evolveBehaviour, room, wander, wave } from "./evolve.ts";
import { fadeBehaviour } from "./fade.ts";
import { type Act, personBehaviour } from "./person.ts";
import { backBehaviour, followBehaviour, regulateBehaviour } from "./react.ts";
import type { BehaviourEntry } from "./schema.ts";

/** Finds properties of one device, and gathers what is wrong. */
interface Finder {
  find(text: string): PropertyAddress;
  /** The property, and that it can take the value. */
  fits(text: string, value: Value): PropertyAddress;
  description(address: PropertyAddress): PropertyDescription | undefined;
  problem(text: string): void;
}

/** @param problem told of each thing that does not fit the device */
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
  const said = movement && {
    property: find(movement.property),
    up: movement.up,
    down: movement.down,
    rest: movement.rest,
  };
  for (const value of movement ? [movement.up, movement.down, movement.rest] : [])
    fits(movement?.property ?? "", value);
  const perSecond = ((max ?? 1) - (min ?? 0)) / seconds;
  return fadeBehaviour({ property: where, perSecond, everyMs: every * 1000, movement: said });
}

/** How each number moves, how often it is looked at (seconds) and how it is rounded. */
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

/** JSON when it is JSON, else the word as it stands. */
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
