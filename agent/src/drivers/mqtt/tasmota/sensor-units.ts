/** Units in which a Tasmota device tells its sensors, and those of the standard classes. */
import { celsiusOf } from "../../kit/index.ts";

type Convert = (value: number) => number;

const same: Convert = (value) => value;

/** By the sensor's member: the member of the message that says the unit, and each unit as that of the class. */
const UNITS: ReadonlyMap<
  string,
  { readonly said: string; readonly usual: string; readonly convert: Map<unknown, Convert> }
> = new Map([
  [
    "Temperature",
    {
      said: "TempUnit",
      usual: "C",
      convert: new Map<unknown, Convert>([
        ["C", same],
        ["F", celsiusOf],
      ]),
    },
  ],
  [
    "Pressure",
    {
      said: "PressureUnit",
      usual: "hPa",
      convert: new Map<unknown, Convert>([
        ["hPa", same],
        ["mmHg", (value) => value * 1.333_22],
        ["inHg", (value) => value * 33.8639],
      ]),
    },
  ],
]);

/** Whether it has no unit of its own, or one that is understood. @param about what the message says besides its sensors */
export function isKnownUnit(member: string, about: Readonly<Record<string, unknown>>): boolean {
  return conversion(member, about) !== undefined;
}

/** Undefined for a unit that is not understood. @param about what the message says besides its sensors */
export function inClassUnit(
  member: string,
  value: number,
  about: Readonly<Record<string, unknown>>,
): number | undefined {
  const convert = conversion(member, about);
  if (!convert) return undefined;
  return convert === same ? value : Math.round(convert(value) * 100) / 100;
}

function conversion(member: string, about: Readonly<Record<string, unknown>>): Convert | undefined {
  const units = UNITS.get(member);
  return units ? units.convert.get(about[units.said] ?? units.usual) : same;
}
