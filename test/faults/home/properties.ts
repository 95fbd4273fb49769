/**
 * What the devices of a run can be set to, and whose each value is: one that is asked for is asked for once, and people at the devices have values
 * of their own, so that each act belongs to one write without doubt. Its own file because clients, devices and the judge's record must agree.
 */

/** A kind of device: what each of its properties has before any write, by the selector that the API knows it by. */
interface DeviceKind {
  readonly first: Readonly<Record<string, number>>;
  /** The value of the n-th write, from 1 on. @throws RangeError when there is none left */
  readonly written: (property: string, n: number) => number;
  /** The same of the values that a person sets by hand. */
  readonly turned: (property: string, n: number) => number;
}

export const LIGHT = {
  first: { "LightColor.hue": 40, "LightLevel.level": 100 },
  written: (_property, n) => within(n, 60_000) / 1000,
  turned: (_property, n) => 60 + within(n, 40_000) / 1000,
} as const satisfies DeviceKind;

/** In hundredths: the lower part is written, the upper one turned by hand. */
const HUNDREDTHS = {
  /** A shutter that is near enough counts as there: values of the same time are far from each other. */
  "Cover:1.target": { from: 0, count: 9000, stride: 6049, turnedFrom: 9000, turns: 1000 },
  "Thermostat:2.target": { from: 500, count: 2500, stride: 1543, turnedFrom: 3000, turns: 500 },
} as const;

/** The Matter device. */
export const SHUTTER = {
  first: { "Cover:1.target": 0, "Thermostat:2.target": 5 },
  written: (property, n) => {
    const { from, count, stride } = hundredthsOf(property);
    return (from + ((within(n, count) * stride) % count)) / 100;
  },
  turned: (property, n) => {
    const { turnedFrom, turns } = hundredthsOf(property);
    return (turnedFrom + within(n, turns)) / 100;
  },
} as const satisfies DeviceKind;

export const FIRST_VALUES: Readonly<Record<string, number>> = { ...LIGHT.first, ...SHUTTER.first };

/** Properties of a device, by those that it has. */
export function propertiesOf(kind: DeviceKind): readonly [string, ...string[]] {
  return Object.keys(kind.first) as [string, ...string[]];
}

/** Values of one run, none given out twice. */
export class Values {
  readonly #given = new Map<string, number>();

  written(kind: DeviceKind, property: string): number {
    return kind.written(property, this.#next(kind === LIGHT ? "light" : property));
  }

  turned(kind: DeviceKind, property: string): number {
    return kind.turned(property, this.#next(`turned ${property}`));
  }

  #next(of: string): number {
    const next = (this.#given.get(of) ?? 0) + 1;
    this.#given.set(of, next);
    return next;
  }
}

export type { DeviceKind };

function hundredthsOf(property: string) {
  const found = Object.entries(HUNDREDTHS).find(([name]) => name === property);
  if (!found) throw new Error(`no Matter device has ${property}`);
  return found[1];
}

function within(n: number, count: number): number {
  if (n >= count) throw new RangeError("a run has no values left that were not asked for: a shorter one has");
  return n;
}
