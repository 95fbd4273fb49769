/** Sensors of a Tasmota device, from what its discovery message lists. */
import { type Read, readPercent, type Thing } from "@porchlight/driver-kit";
import { type PropertyAddress, type PropertyDescription, standardProperty } from "@porchlight/shared/model";
import type { PlaceThings } from "../device/device-places.ts";
import type { MqttProperty } from "../device/mqtt-device.ts";
import type { Payload } from "../device/payload.ts";
import { type Measurement, sensorList } from "./sensor-list.ts";
import { canBeRead, inClassUnit } from "./sensor-units.ts";
import type { TasmotaTopics } from "./topics.ts";

/** By the member's name: service and property. */
const KNOWN: Readonly<Record<string, readonly [service: string, property: string]>> = {
  Temperature: ["Temperature", "celsius"],
  Humidity: ["Humidity", "percent"],
  Pressure: ["Pressure", "hectopascal"],
  Illuminance: ["Illuminance", "lux"],
  CarbonDioxide: ["AirQuality", "co2"],
  "PM2.5": ["AirQuality", "pm25"],
  Power: ["Electricity", "watts"],
  Voltage: ["Electricity", "volts"],
  Current: ["Electricity", "amperes"],
  Total: ["Electricity", "energy"],
  Frequency: ["Electricity", "hertz"],
  Battery: ["Battery", "percent"],
};

/** Of no standard class: the name among the readings, and the unit. */
const READINGS: Readonly<Record<string, readonly [property: string, unit?: string]>> = {
  Factor: ["powerFactor"],
  ApparentPower: ["apparentPower", "VA"],
  ReactivePower: ["reactivePower", "var"],
};

/** Quantities and forms that the hub reads since later: they get their addresses after the others, which keep theirs. */
const LATER = new Set(["Frequency", ...Object.keys(READINGS)]);

export interface SensorProperties {
  readonly properties: readonly MqttProperty[];
  readonly leftAside: Readonly<Record<string, number>>;
  /** Names of what is left aside. */
  readonly notUnderstood: readonly string[];
}

interface SensorThing extends Thing {
  readonly measurement: Measurement;
  readonly description: PropertyDescription;
}

/** @param described what the discovery message has of the sensors */
export function sensorProperties(
  described: Readonly<Record<string, unknown>>,
  topics: TasmotaTopics,
  place: PlaceThings,
): SensorProperties {
  const { measurements, others, tooMany } = sensorList(described);
  const things = measurements.map((each) => (canBeRead(each.quantity, described) ? thingOf(each) : undefined));
  const known = things.filter((thing) => thing !== undefined);
  const isLater = ({ measurement: { quantity, isOneOfMany } }: SensorThing) => isOneOfMany || LATER.has(quantity);
  const placed = place([...known.filter((each) => !isLater(each)), ...known.filter(isLater)]);
  const addresses = new Map(placed.map(({ thing, addresses: [first] }) => [thing, first]));
  const unknown = measurements.flatMap(({ id }, at) => (things[at] === undefined ? [id] : []));
  const notUnderstood = [...others, ...unknown];
  return {
    properties: known.flatMap((thing) => propertyOf(thing, addresses.get(thing), topics)),
    leftAside: counted({ unknownSensor: notUnderstood.length, tooMany: tooMany + known.length - placed.length }),
    notUnderstood,
  };
}

function counted(counts: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

function thingOf(measurement: Measurement): SensorThing | undefined {
  const { id, quantity } = measurement;
  const [service, property] = (Object.hasOwn(KNOWN, quantity) && KNOWN[quantity]) || [];
  const standard = service && property && standardProperty(service, property);
  if (standard) return { id, measurement, description: standard, properties: [{ service, property }] };
  const [name, unit] = (Object.hasOwn(READINGS, quantity) && READINGS[quantity]) || [];
  if (name === undefined) return undefined;
  return {
    ...{ id, measurement, apart: "name", properties: [{ service: "Readings", property: name }] },
    description: { property: name, type: "number", ...(unit ? { unit } : {}), access: ["read", "notify"] },
  };
}

function propertyOf(
  { measurement, description }: SensorThing,
  address: PropertyAddress | undefined,
  topics: TasmotaTopics,
): MqttProperty[] {
  if (!address) return [];
  const read = (payload: Payload) => {
    const message = topics.sensorsIn(payload);
    return message && reading(measurement, message);
  };
  return [
    {
      address,
      description: { ...description, property: address.property },
      state: {
        topic: topics.sensor,
        also: topics.alsoSensors,
        read,
        raw: (payload) => measurement.of(payload.object ?? {}),
      },
    },
  ];
}

function reading({ quantity, of }: Measurement, message: Readonly<Record<string, unknown>>): Read<number> {
  const raw = of(message);
  return quantity === "Battery" ? readPercent(raw) : inClassUnit(quantity, raw, message);
}
