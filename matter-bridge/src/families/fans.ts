/** `Fan` as FanControl: a controller sets it by writing attributes, a percentage or one of four modes. */
import type { DescribedProperty } from "@porchlight/shared/model";
import {
  type Asked,
  DEVICE_TYPES,
  type Part,
  type ShownCluster,
  type Unclaimed,
  type Values,
  type Write,
} from "../parts/part.ts";
import { bounded, fitted, isTrue, numberOf } from "../parts/units.ts";

const MODE = { off: 0, low: 1, medium: 2, high: 3, on: 4 };
/** Upper limit of each mode, %. */
const SPEEDS = [
  { mode: MODE.low, percent: 33 },
  { mode: MODE.medium, percent: 66 },
  { mode: MODE.high, percent: 100 },
];
const SEQUENCE = { lowMediumHigh: 0, onlyHigh: 5 };

interface Fan {
  readonly on?: DescribedProperty | undefined;
  readonly speed?: DescribedProperty | undefined;
}

export function fans(unclaimed: Unclaimed): Part[] {
  return unclaimed.indexes("Fan").flatMap((index) => {
    const on = unclaimed.settable("Fan", index, "on");
    const speed = unclaimed.settable("Fan", index, "speed");
    if (!on && !speed) return [];
    unclaimed.claim(on, speed);
    const clusters = [fanCluster({ on, speed })];
    return [{ key: `fan:${index}`, type: DEVICE_TYPES.fan, hasGroups: true, clusters }];
  });
}

function fanCluster(fan: Fan): ShownCluster {
  return {
    cluster: "fanControl",
    features: [],
    attributes: (values) => {
      const percent = percentOf(fan, values);
      return {
        fanMode: modeOf(percent),
        fanModeSequence: fan.speed ? SEQUENCE.lowMediumHigh : SEQUENCE.onlyHigh,
        percentSetting: percent,
        percentCurrent: percent,
      };
    },
    writes: {
      percentSetting: (value) => (typeof value === "number" ? blow(fan, value) : { refused: "constraint" }),
      fanMode: (value) => blowAs(fan, value),
    },
  };
}

function percentOf({ on, speed }: Fan, values: Values): number {
  if (on && !isTrue(values, on)) return 0;
  // A fan that is on at an unknown speed counts as 100 %.
  const unknown = on ? 100 : 0;
  return speed ? bounded(Math.round(numberOf(values, speed) ?? unknown), 0, 100) : 100;
}

function modeOf(percent: number): number {
  if (percent === 0) return MODE.off;
  return SPEEDS.find((speed) => percent <= speed.percent)?.mode ?? MODE.high;
}

function blowAs(fan: Fan, mode: unknown): Asked {
  if (mode === MODE.off) return blow(fan, 0);
  if (mode === MODE.on) return fan.on ? [{ key: fan.on.key, value: true }] : blow(fan, 100);
  const percent = SPEEDS.find((speed) => speed.mode === mode)?.percent;
  return percent === undefined ? { refused: "constraint" } : blow(fan, percent);
}

function blow({ on, speed }: Fan, percent: number): Write[] {
  if (percent === 0 && on) return [{ key: on.key, value: false }];
  return [
    ...(speed ? [{ key: speed.key, value: fitted(percent, speed) }] : []),
    ...(on ? [{ key: on.key, value: true }] : []),
  ];
}
