/** Sensors, inputs and batteries: read-only components. */
import { at } from "@porchlight/driver-kit";
import {
  custom,
  type DescribedComponent,
  has,
  isFaulty,
  readsFlag,
  readsNumber,
  readsOneOf,
  readsPercent,
  type ShellyComponent,
  type StatusReader,
  standard,
} from "./shelly-property.ts";

const ALL: DescribedComponent = { properties: [] };

export function temperature(of: ShellyComponent): DescribedComponent {
  return { properties: standard(of, "Temperature.celsius", { read: readsNumber(["tC"]) }) };
}

export function humidity(of: ShellyComponent): DescribedComponent {
  return { properties: standard(of, "Humidity.percent", { read: readsNumber(["rh"]) }) };
}

/** Some sensors report lux, others only a word. */
export function illuminance(of: ShellyComponent): DescribedComponent {
  const description = { property: "illumination", type: "string", values: ["dark", "twilight", "bright"] } as const;
  return {
    properties: [
      ...(has(of, "lux") ? standard(of, "Illuminance.lux", { read: readsNumber(["lux"]) }) : []),
      ...(has(of, "illumination")
        ? custom(of, description, { read: readsOneOf(description.values, "illumination") })
        : []),
    ],
  };
}

const isAlarmed: StatusReader = readsFlag("alarm");
/** A sensor with an error, such as an unplugged cable, can report an alarm, but not its absence. */
const ALARM = {
  read: (status: Parameters<StatusReader>[0]) => {
    const isOn = isAlarmed(status);
    return isOn === false && isFaulty(status.errors) ? null : isOn;
  },
  faults: [],
};

export function smoke(of: ShellyComponent): DescribedComponent {
  return {
    properties: [
      ...standard(of, "Smoke.detected", ALARM),
      ...(has(of, "mute") ? custom(of, { property: "muted", type: "boolean" }, { read: readsFlag("mute") }) : []),
    ],
  };
}

export function flood(of: ShellyComponent): DescribedComponent {
  return {
    properties: [
      ...standard(of, "WaterLeak.detected", ALARM),
      ...(has(of, "mute") ? custom(of, { property: "muted", type: "boolean" }, { read: readsFlag("mute") }) : []),
    ],
  };
}

export function devicePower(of: ShellyComponent): DescribedComponent {
  return {
    properties: [
      ...(has(of, "battery", "percent")
        ? standard(of, "Battery.percent", { read: readsPercent("battery", "percent") })
        : []),
      ...(has(of, "battery", "V") ? standard(of, "Battery.volts", { read: readsNumber(["battery", "V"]) }) : []),
      ...(has(of, "external", "present")
        ? custom(of, { property: "externalPower", type: "boolean" }, { read: readsFlag("external", "present") })
        : []),
    ],
  };
}

/** A zone in which the sensor detects people. */
export function presenceZone(of: ShellyComponent): DescribedComponent {
  return {
    properties: [
      ...standard(of, "Occupancy.occupied", { read: readsFlag("value") }),
      ...(has(of, "num_objects")
        ? custom(of, { property: "objects", type: "integer" }, { read: readsNumber(["num_objects"]) })
        : []),
    ],
  };
}

/** Signal strength of Wi-Fi. */
export function wifi(of: ShellyComponent): DescribedComponent {
  return has(of, "rssi") ? { properties: standard(of, "Signal.rssi", { read: readsNumber(["rssi"]) }) } : ALL;
}

const PRESSES = new Map([
  ["single_push", "press"],
  ["double_push", "double"],
  ["long_push", "long"],
]);

/** The configured type decides: a button has events, a switch a state, an analogue or counting input a number. */
export function input(of: ShellyComponent): DescribedComponent {
  if (at(of.config, "enable") === false) return ALL;
  const own = { service: "Input" };
  switch (of.config.type) {
    case "button": {
      const values = [...PRESSES.values()];
      return { properties: standard(of, "Button.event", { event: (name) => PRESSES.get(name) }, { values }) };
    }
    case "switch":
      return { properties: custom(of, { property: "on", type: "boolean" }, { read: readsFlag("state") }, own) };
    case "analog": {
      const description = { property: "percent", type: "number", unit: "%" } as const;
      const properties = custom(of, description, { read: readsNumber(["percent"]) }, own);
      return { properties, isPartial: has(of, "xpercent") };
    }
    case "count":
      return {
        properties: [
          ...custom(of, { property: "count", type: "number" }, { read: readsNumber(["counts", "total"]) }, own),
          ...custom(of, { property: "frequency", type: "number", unit: "Hz" }, { read: readsNumber(["freq"]) }, own),
        ],
        isPartial: has(of, "counts", "xtotal") || has(of, "xfreq"),
      };
    default:
      return { properties: [], isPartial: true };
  }
}
