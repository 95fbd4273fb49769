/** Sensors, inputs and batteries: what is told, and cannot be set. */
import { at, boolean, custom, has, number, standard, text, withoutErrors } from "../properties.ts";
import type { Component, DescribedComponent } from "../shelly-property.ts";

const ALL: DescribedComponent = { properties: [] };

export function temperature(of: Component): DescribedComponent {
  return { properties: standard(of, "Temperature.celsius", { read: withoutErrors(number(["tC"])) }) };
}

export function humidity(of: Component): DescribedComponent {
  return { properties: standard(of, "Humidity.percent", { read: withoutErrors(number(["rh"])) }) };
}

/** Some say how many lux, some only a word. */
export function illuminance(of: Component): DescribedComponent {
  const description = { property: "illumination", type: "string", values: ["dark", "twilight", "bright"] } as const;
  return {
    properties: [
      ...(has(of, "lux") ? standard(of, "Illuminance.lux", { read: withoutErrors(number(["lux"])) }) : []),
      ...(has(of, "illumination") ? custom(of, description, { read: withoutErrors(text("illumination")) }) : []),
    ],
  };
}

export function smoke(of: Component): DescribedComponent {
  return {
    properties: [
      ...standard(of, "Smoke.detected", { read: boolean("alarm") }),
      ...(has(of, "mute") ? custom(of, { property: "muted", type: "boolean" }, { read: boolean("mute") }) : []),
    ],
  };
}

export function flood(of: Component): DescribedComponent {
  return {
    properties: [
      ...standard(of, "WaterLeak.detected", { read: boolean("alarm") }),
      ...(has(of, "mute") ? custom(of, { property: "muted", type: "boolean" }, { read: boolean("mute") }) : []),
    ],
  };
}

export function devicePower(of: Component): DescribedComponent {
  return {
    properties: [
      ...(has(of, "battery", "percent")
        ? standard(of, "Battery.percent", { read: number(["battery", "percent"]) })
        : []),
      ...(has(of, "battery", "V") ? standard(of, "Battery.volts", { read: number(["battery", "V"]) }) : []),
      ...(has(of, "external", "present")
        ? custom(of, { property: "externalPower", type: "boolean" }, { read: boolean("external", "present") })
        : []),
    ],
  };
}

/** A zone in which people are seen. */
export function presenceZone(of: Component): DescribedComponent {
  return {
    properties: [
      ...standard(of, "Occupancy.occupied", { read: boolean("value") }),
      ...(has(of, "num_objects")
        ? custom(of, { property: "objects", type: "integer" }, { read: number(["num_objects"]) })
        : []),
    ],
  };
}

/** How strongly the Wi-Fi is received. */
export function wifi(of: Component): DescribedComponent {
  return has(of, "rssi") ? { properties: standard(of, "Signal.rssi", { read: number(["rssi"]) }) } : ALL;
}

const PRESSES = new Map([
  ["single_push", "press"],
  ["double_push", "double"],
  ["long_push", "long"],
]);

/** By its configured type: a button has events, a switch a state, an analogue or counting input a number. */
export function input(of: Component): DescribedComponent {
  if (at(of.config, "enable") === false) return ALL;
  const own = { service: "Input" };
  switch (of.config.type) {
    case "button": {
      const values = [...PRESSES.values()];
      return { properties: standard(of, "Button.event", { event: (name) => PRESSES.get(name) }, { values }) };
    }
    case "switch":
      return { properties: custom(of, { property: "on", type: "boolean" }, { read: boolean("state") }, own) };
    case "analog": {
      const description = { property: "percent", type: "number", unit: "%" } as const;
      const properties = custom(of, description, { read: withoutErrors(number(["percent"])) }, own);
      return { properties, isPartial: has(of, "xpercent") };
    }
    case "count":
      return {
        properties: [
          ...custom(of, { property: "count", type: "number" }, { read: number(["counts", "total"]) }, own),
          ...custom(of, { property: "frequency", type: "number", unit: "Hz" }, { read: number(["freq"]) }, own),
        ],
        isPartial: has(of, "counts", "xtotal") || has(of, "xfreq"),
      };
    default:
      return { properties: [], isPartial: true };
  }
}
