/** `LightLevel` as the cluster LevelControl. The hub has no transitions: a lamp goes where it is asked to in its own time. */
import type { DescribedProperty } from "@porchlight/shared/model";
import type { Asked, Attributes, ShownCluster, Values, Write } from "../parts/part.ts";
import { bounded, FULL, fitted, levelOf, numberOf, percentOf } from "../parts/units.ts";
import { isOn, type Turned, turn } from "./on-off.ts";

const LEAST = 1;
const UP = 0;

type Lamp = Turned & { readonly level: DescribedProperty };

export function levelCluster(lamp: Lamp): ShownCluster {
  const { level } = lamp;
  const to = (target: number, fields: Attributes, values: Values) => goTo(lamp, target, fields, values);
  const withOnOff = (target: number, values: Values) => goOnOrOff(lamp, target, values);
  return {
    cluster: "levelControl",
    features: ["OnOff", "Lighting"],
    attributes: (values) => ({ currentLevel: current(level, values) ?? null, minLevel: LEAST, maxLevel: FULL }),
    commands: {
      moveToLevel: (fields, values) => to(number(fields.level), fields, values),
      moveToLevelWithOnOff: (fields, values) => withOnOff(number(fields.level), values),
      move: (fields, values) => to(end(fields.moveMode), fields, values),
      moveWithOnOff: (fields, values) => withOnOff(end(fields.moveMode), values),
      step: (fields, values) => to(stepped(level, fields, values), fields, values),
      stepWithOnOff: (fields, values) => withOnOff(stepped(level, fields, values), values),
      stop: () => [],
      stopWithOnOff: () => [],
    },
    writes: { onLevel: onlyNull, startUpCurrentLevel: onlyNull, options: onlyWhenOn },
  };
}

/** Whether a command that must wait until the lamp is on counts all the same. */
export function actsWhenOff({ optionsMask, optionsOverride }: Attributes): boolean {
  return isSet(optionsMask, "executeIfOff") && isSet(optionsOverride, "executeIfOff");
}

/** Options that would let commands act on a lamp that is off: each command says so itself. */
export function onlyWhenOn(value: unknown): Asked {
  return isSet(value, "executeIfOff") ? { refused: "constraint" } : [];
}

export function onlyNull(value: unknown): Asked {
  return value === null ? [] : { refused: "constraint" };
}

function goTo(lamp: Lamp, target: number, fields: Attributes, values: Values): Asked {
  if (!isOn(lamp, values) && !actsWhenOff(fields)) return [];
  return [write(lamp.level, bounded(target, LEAST, FULL))];
}

/** As far down as it goes is off. */
function goOnOrOff(lamp: Lamp, target: number, values: Values): Asked {
  if (target <= LEAST) return turn(lamp, false, values);
  const set = write(lamp.level, bounded(target, LEAST, FULL));
  return lamp.on && !isOn(lamp, values) ? [set, ...turn(lamp, true, values)] : [set];
}

function write(level: DescribedProperty, target: number): Write {
  return { key: level.key, value: fitted(percentOf(target, fullOf(level)), level) };
}

function current(level: DescribedProperty, values: Values): number | undefined {
  const percent = numberOf(values, level);
  return percent === undefined ? undefined : levelOf(percent, fullOf(level));
}

function fullOf({ description: { max = 100 } }: DescribedProperty): number {
  return max > 0 ? max : 100;
}

function stepped(level: DescribedProperty, { stepMode, stepSize }: Attributes, values: Values): number {
  const by = number(stepSize) * (stepMode === UP ? 1 : -1);
  return (current(level, values) ?? LEAST) + by;
}

function end(mode: unknown): number {
  return mode === UP ? FULL : LEAST;
}

function number(field: unknown): number {
  return typeof field === "number" ? field : 0;
}

function isSet(bits: unknown, name: string): boolean {
  return typeof bits === "object" && bits !== null && Reflect.get(bits, name) === true;
}
