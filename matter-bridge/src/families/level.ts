/** `LightLevel` as the cluster LevelControl. The hub has no transitions: a lamp changes at its own pace. */
import type { DescribedProperty } from "@porchlight/shared/model";
import type { Asked, Attributes, ShownCluster, Values, Write } from "../parts/part.ts";
import { bounded, FULL, fitted, isTrue, levelOf, numberOf, percentOf } from "../parts/units.ts";

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

/** Whether the options let a command act on a lamp that is off. */
export function actsWhenOff({ optionsMask, optionsOverride }: Attributes): boolean {
  return isSet(optionsMask, "executeIfOff") && isSet(optionsOverride, "executeIfOff");
}

/** Rejects the option that lets every command act on a lamp that is off: each command must carry it. */
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

/** The lowest level turns the lamp off. */
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

/** Properties that turn a lamp or plug on: a switch, or a level. */
export interface Turned {
  readonly on?: DescribedProperty | undefined;
  readonly level?: DescribedProperty | undefined;
  readonly startUp?: DescribedProperty | undefined;
}

/** Values of `Switch.startUp` in Matter's numbers; `previous` is null there. */
const START_UPS: Readonly<Record<string, number | null>> = { off: 0, on: 1, toggle: 2, previous: null };

export function onOffCluster(turned: Turned): ShownCluster {
  const { startUp } = turned;
  const on = (_: Attributes, values: Values) => turn(turned, true, values);
  const off = (_: Attributes, values: Values) => turn(turned, false, values);
  return {
    cluster: "onOff",
    features: ["Lighting"],
    attributes: (values) => ({
      onOff: isOn(turned, values),
      startUpOnOff: (startUp && START_UPS[String(values.value(startUp.key))]) ?? null,
    }),
    commands: {
      on,
      off,
      toggle: (_, values) => turn(turned, !isOn(turned, values), values),
      // The effect describes only how the lamp turns off, and the lamp may choose.
      offWithEffect: off,
      onWithRecallGlobalScene: on,
      // The hub has no timer that turns the lamp off again.
      onWithTimedOff: () => ({ refused: "unsupported" }),
    },
    writes: {
      startUpOnOff: (value) => startUpAs(startUp, value),
      onTime: onlyNone,
      offWaitTime: onlyNone,
    },
  };
}

export function isOn({ on, level }: Turned, values: Values): boolean {
  return on ? isTrue(values, on) : (numberOf(values, level) ?? 0) > 0;
}

/** Turns a lamp or plug on or off, by its switch or by its level. */
function turn({ on, level }: Turned, to: boolean, values: Values): readonly Write[] {
  if (on) return [{ key: on.key, value: to }];
  if (!level) return [];
  const { max = 100, min = 0 } = level.description;
  const isSo = (numberOf(values, level) ?? 0) > 0 === to;
  return isSo ? [] : [{ key: level.key, value: to ? max : min }];
}

function startUpAs(startUp: DescribedProperty | undefined, value: unknown): Asked {
  const [word] = Object.entries(START_UPS).find(([, code]) => code === value) ?? [];
  const isOffered = startUp?.writable && (startUp.description.values?.includes(word ?? "") ?? true);
  return startUp && isOffered && word ? [{ key: startUp.key, value: word }] : { refused: "constraint" };
}

function onlyNone(value: unknown): Asked {
  return value === 0 ? [] : { refused: "constraint" };
}
