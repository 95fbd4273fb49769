/** Units in which a Tasmota device tells its sensors, and those of the standard classes. */
import { type Read, readCelsius, readNumber, temperatureScale, withoutNoise } from "@porchlight/driver-kit";

/** A quantity of which each message says the unit, for all its sensors at once. */
interface Units {
  /** The member that says it. */
  readonly said: string;
  readonly isKnown: (unit: unknown) => boolean;
  /** In the unit of the class; `null` in a unit that is not known. */
  readonly read: (raw: unknown, unit: unknown) => Read<number>;
}

const HECTOPASCAL: ReadonlyMap<unknown, number> = new Map([
  ["hPa", 1],
  ["mmHg", 1.333_22],
  ["inHg", 33.8639],
]);

/** What a DS18B20 that does not answer is read as, °C. */
const DISCONNECTED = -127;

const UNITS: ReadonlyMap<string, Units> = new Map([
  [
    "Temperature",
    {
      said: "TempUnit",
      isKnown: (unit) => temperatureScale(unit) !== undefined,
      read: (raw, unit) => {
        const scale = temperatureScale(unit);
        const celsius = readCelsius(raw, scale);
        if (celsius === DISCONNECTED) return null;
        return scale === "celsius" ? celsius : inHundredths(celsius);
      },
    },
  ],
  [
    "Pressure",
    {
      said: "PressureUnit",
      isKnown: (unit) => HECTOPASCAL.has(unit),
      read: (raw, unit) => {
        const [value, factor] = [readNumber(raw), HECTOPASCAL.get(unit)];
        if (value === undefined || value === null) return value;
        if (factor === undefined) return null;
        return factor === 1 ? value : inHundredths(value * factor);
      },
    },
  ],
]);

/** By which sensors say that there is no value. */
const MARKERS: ReadonlyMap<string, readonly number[]> = new Map([
  ["CarbonDioxide", [65_535]],
  ["PM2.5", [65_535]],
  ["Illuminance", [65_535]],
]);

/** Whether its unit is understood, or is only said by its messages. @param described what the description says besides its sensors */
export function canBeRead(quantity: string, described: Readonly<Record<string, unknown>>): boolean {
  const units = UNITS.get(quantity);
  const unit = units && described[units.said];
  return !units || unit === undefined || units.isKnown(unit);
}

/**
 * In the unit of the class. The unit is that of the message itself: a message that does not say it has no value.
 * @param message all of it
 */
export function inClassUnit(quantity: string, raw: unknown, message: Readonly<Record<string, unknown>>): Read<number> {
  const units = UNITS.get(quantity);
  return units ? units.read(raw, message[units.said]) : readNumber(raw, MARKERS.get(quantity));
}

function inHundredths(value: Read<number>): Read<number> {
  return typeof value === "number" ? withoutNoise(Math.round(value * 100) / 100) : value;
}
