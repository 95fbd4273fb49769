/**
 * Quantities and units of the measuring classes. Values are converted by the unit in their current metadata, never by the unit of the
 * earlier description. Pure.
 */
import { type Read, readCelsius, readNumber, sensorClass, temperatureScale } from "@porchlight/driver-kit";
import type { PropertyDescription } from "@porchlight/shared/model";
import type { NodeValue, ValueMetadata } from "../values/node-state.ts";
import type { RawOf } from "../values/node-values.ts";
import { valueKey } from "../values/value-id.ts";
import { classProperty, ownProperty, propertyName, unitOfValue, type ZwaveProperty } from "./zwave-property.ts";

/** A quantity of the catalogue. */
export interface Quantity {
  readonly service: string;
  readonly property: string;
  /** Key for the kit's unit conversion: the sensor class of Home Assistant. */
  readonly kind: string;
  /** Unit of each scale of the protocol; `null` for a scale of another quantity, such as % of an unknown whole. */
  readonly units: Readonly<Record<number, string | null>>;
}

/** Spellings of units in Z-Wave JS that differ from the kit's. */
const SPELLINGS: Readonly<Record<string, string>> = { Lux: "lx", lux: "lx" };

/** Whether the metadata measures this quantity; false when its scale belongs to another one. */
export function measures({ kind, units }: Quantity, metadata: ValueMetadata): boolean {
  return units[Number(metadata.ccSpecific?.scale)] !== null || writtenUnit(kind, metadata.unit) !== undefined;
}

/** Property of the catalogue for a measured value. */
export function quantityProperty(index: number, value: NodeValue, quantity: Quantity): ZwaveProperty[] {
  const { id } = value;
  const read = (raw: RawOf): Read<number> => quantityOf(quantity, raw(id), value.metadata);
  return classProperty(index, quantity.service, quantity.property, { of: [id], read, owner: valueKey(id) });
}

/** A property under `Readings`, in the device's own unit. */
export function otherReading(
  index: number,
  { id, metadata }: NodeValue,
  label: string,
  markers: readonly number[] = [],
): ZwaveProperty {
  const description: Omit<PropertyDescription, "access"> = {
    ...{ property: propertyName(label), type: "number", unit: unitOfValue(metadata.unit) },
  };
  const read = (raw: RawOf) => readNumber(raw(id), markers);
  return ownProperty(index, "Readings", description, { of: [id], read, owner: valueKey(id) });
}

function quantityOf(quantity: Quantity, raw: unknown, metadata: ValueMetadata): Read<number> {
  const number = readNumber(raw);
  if (number === undefined || number === null) return number;
  const unit = certainUnit(quantity, metadata);
  if (unit === undefined) return null;
  if (quantity.kind === "temperature") {
    const celsius = readCelsius(number, temperatureScale(unit)) ?? null;
    return celsius === null ? null : thousandths(celsius);
  }
  const convert = sensorClass(quantity.kind, unit, false)?.convert;
  return convert ? thousandths(convert(number)) : null;
}

/** The unit, if scale and text of the metadata agree; undefined when it is uncertain. */
function certainUnit({ kind, units }: Quantity, { ccSpecific, unit }: ValueMetadata): string | undefined {
  const ofScale = units[Number(ccSpecific?.scale)];
  if (ofScale === null) return undefined;
  const written = writtenUnit(kind, unit);
  if (ofScale === undefined) return written;
  return written === undefined || written === ofScale ? ofScale : undefined;
}

/** The kit's spelling of a unit; undefined for a text that is not a unit of this kind. */
function writtenUnit(kind: string, text: string | undefined): string | undefined {
  const unit = (text ?? "").trim();
  if (kind === "temperature") {
    const scale = temperatureScale(unit);
    return scale && { celsius: "°C", fahrenheit: "°F", kelvin: "K" }[scale];
  }
  const spelt = Object.hasOwn(SPELLINGS, unit) ? SPELLINGS[unit] : unit;
  return spelt !== undefined && sensorClass(kind, spelt, false) ? spelt : undefined;
}

function thousandths(value: number): number {
  return Math.round(value * 1000) / 1000 + 0;
}
