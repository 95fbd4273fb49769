/** Settings for an appliance's next run: a temperature, or a level from a list. */
import type { PropertyDescription, Value } from "@porchlight/shared/model";
import {
  type Family,
  type MatterProperty,
  own,
  type Place,
  type RawOf,
  rawNumber,
  type Setting,
  scaled,
} from "../matter-property.ts";
import { serviceOf } from "./appliance-modes.ts";

const TEMPERATURE = "temperatureControl";
const WASHER = "laundryWasherControls";
const DRYER = "laundryDryerControls";
const RINSES = ["none", "normal", "extra", "max"];
const DRYNESS = ["low", "normal", "extra", "max"];

export const settings: Family = (endpoint, index) => {
  const place = { endpoint, index };
  const write = (cluster: string, attribute: string) => (value: number) => ({ write: { cluster, attribute, value } });
  return [
    ...temperature(place),
    ...chosen(
      place,
      TEMPERATURE,
      "selectedTemperatureLevel",
      textsOf(place, TEMPERATURE, "supportedTemperatureLevels"),
      (level) => ({
        command: { cluster: TEMPERATURE, command: "setTemperature", fields: { targetTemperatureLevel: level } },
      }),
    ),
    ...chosen(
      place,
      WASHER,
      "spinSpeedCurrent",
      textsOf(place, WASHER, "spinSpeeds"),
      write(WASHER, "spinSpeedCurrent"),
    ),
    ...chosen(place, WASHER, "numberOfRinses", RINSES, write(WASHER, "numberOfRinses"), "supportedRinses"),
    ...chosen(
      place,
      DRYER,
      "selectedDrynessLevel",
      DRYNESS,
      write(DRYER, "selectedDrynessLevel"),
      "supportedDrynessLevels",
    ),
  ];
};

/** Target in hundredths of a degree Celsius. */
function temperature(place: Place): MatterProperty[] {
  const said = (name: string) => scaled(place.endpoint.attribute(TEMPERATURE, name), (value) => value / 100);
  if (!place.endpoint.features(TEMPERATURE).has("temperatureNumber") || said("temperatureSetpoint") === undefined)
    return [];
  const [min, max, step] = [said("minTemperature"), said("maxTemperature"), said("step")];
  const described: Omit<PropertyDescription, "access"> = {
    property: "temperatureSetpoint",
    ...{ type: "number", unit: "°C" },
    ...(typeof min === "number" && { min }),
    ...(typeof max === "number" && { max }),
    ...(typeof step === "number" && step > 0 && { step }),
  };
  const parts = {
    of: [`${TEMPERATURE}.temperatureSetpoint`],
    read: (raw: RawOf) => scaled(raw(TEMPERATURE, "temperatureSetpoint"), (value) => value / 100),
    set: (value: Value) => {
      const fields = { targetTemperature: Math.round(Number(value) * 100) };
      return {
        send: { command: { cluster: TEMPERATURE, command: "setTemperature", fields } },
        now: value,
        tolerance: 0.005,
      };
    },
  };
  return [own(place, serviceOf(TEMPERATURE), described, parts)];
}

/** A property of words for an attribute with their numbers. @param supported the attribute that lists the device's numbers */
function chosen(
  place: Place,
  cluster: string,
  attribute: string,
  list: readonly string[],
  send: (number: number) => Setting["send"],
  supported?: string,
): MatterProperty[] {
  if (list.length === 0 || place.endpoint.attribute(cluster, attribute) === undefined) return [];
  const numbers = supported === undefined ? undefined : place.endpoint.attribute(cluster, supported);
  // The current number counts as supported, even if the device does not list it.
  const now = place.endpoint.attribute(cluster, attribute);
  const values = list.filter((_, at) => !Array.isArray(numbers) || numbers.includes(at) || at === now);
  const parts = {
    of: [`${cluster}.${attribute}`],
    read: (raw: RawOf): Value | undefined => {
      const number = rawNumber(raw(cluster, attribute));
      return typeof number === "number" ? (list[number] ?? null) : number;
    },
    set: (value: Value) => ({ send: send(list.indexOf(String(value))), now: value }),
  };
  return [own(place, serviceOf(cluster), { property: attribute, type: "string", values }, parts)];
}

function textsOf({ endpoint }: Place, cluster: string, attribute: string): readonly string[] {
  const list = endpoint.attribute(cluster, attribute);
  return Array.isArray(list) ? list.map(String) : [];
}
