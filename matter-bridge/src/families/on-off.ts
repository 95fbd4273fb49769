/** `Switch` as the cluster OnOff, of a lamp or of a plug; a lamp that has no switch is off at level 0. */
import type { DescribedProperty } from "@porchlight/shared/model";
import type { Asked, Attributes, ShownCluster, Values, Write } from "../parts/part.ts";
import { isTrue, numberOf } from "../parts/units.ts";

/** What turns a lamp on: a switch, or its level. */
export interface Turned {
  readonly on?: DescribedProperty | undefined;
  readonly level?: DescribedProperty | undefined;
  readonly startUp?: DescribedProperty | undefined;
}

/** Words of `Switch.startUp`, and what Matter has for them; `previous` is its null. */
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
      // The effect is only how it goes off, and up to the lamp.
      offWithEffect: off,
      onWithRecallGlobalScene: on,
      // The hub has no timer that would turn it off again.
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

/** What makes it on or off, whatever it is. */
export function turn({ on, level }: Turned, to: boolean, values: Values): readonly Write[] {
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
