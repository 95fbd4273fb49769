/** In which unit a thermostat has its temperatures, by what its options say. */
import { celsiusOf, fahrenheitOf, readCelsius, type TemperatureScale, temperatureScale } from "@porchlight/driver-kit";
import type { EntityOptions } from "../entities/entity-options.ts";

export interface ClimateScale {
  /** `null` where the value is none of the scale. */
  readonly toCelsius: (value: number) => number | null;
  readonly ofCelsius: (celsius: number) => number;
  /** °C in one of its degrees. */
  readonly degree: number;
  readonly name: string;
}

const SCALES: Readonly<Record<TemperatureScale, Omit<ClimateScale, "toCelsius">>> = {
  celsius: { ofCelsius: (value) => value, degree: 1, name: "°C" },
  fahrenheit: { ofCelsius: fahrenheitOf, degree: 5 / 9, name: "°F" },
  kelvin: { ofCelsius: (value) => value + 273.15, degree: 1, name: "K" },
};

/** A range that begins here or below is in °C: no thermostat keeps less than freezing, °F. */
const FREEZING_F = 30;
/** A range that ends here or below is in °C: no thermostat keeps so little at most, °F. */
const COLD_F = 45;
/** Nothing that a thermostat measures is warmer, °C, unless it can be set to more. */
const HIGHEST_MEASURED = 50;

/** Undefined when the unit is not certain: it is none of temperatures, or it is left out and the range may be in °F. */
export function climateScale(options: EntityOptions): ClimateScale | undefined {
  const unit = options.text("temperature_unit");
  const name = unit === undefined ? "celsius" : temperatureScale(unit);
  if (name === undefined || (unit === undefined && !isInCelsius(options))) return undefined;
  const highest = Math.max(HIGHEST_MEASURED, options.number("max_temp") ?? 0);
  const limit = unit === undefined ? highest : Number.POSITIVE_INFINITY;
  return { ...SCALES[name], toCelsius: (value) => (value > limit ? null : (readCelsius(value, name) ?? null)) };
}

function isInCelsius(options: EntityOptions): boolean {
  const [min, max] = [options.number("min_temp"), options.number("max_temp")];
  return (min !== undefined && min <= FREEZING_F) || Math.max(min ?? 0, max ?? 0) <= COLD_F;
}

/** The range that a thermostat can be set to, °C: 7 to 35 where it says none, whatever its unit. */
export function celsiusRange(options: EntityOptions, { name }: ClimateScale): readonly [min: number, max: number] {
  const [min, max] = [options.number("min_temp"), options.number("max_temp")];
  const convert = (value: number) => (name === "°F" ? celsiusOf(value) : name === "K" ? value - 273.15 : value);
  return [min === undefined ? 7 : convert(min), max === undefined ? 35 : convert(max)];
}
