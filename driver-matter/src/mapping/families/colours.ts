/** Color Control: the colour of a lamp, by hue and saturation or by a point of the CIE diagram, and the temperature of its white. */
import { type HueAndSaturation, hueAndSaturationOfXy, xyOf } from "@porchlight/agent/drivers/kit/index.ts";
import type { Value } from "@porchlight/shared/model";
import {
  type Family,
  type MatterProperty,
  type Place,
  type RawOf,
  rawNumber,
  type Setting,
  scaled,
  standard,
} from "../matter-property.ts";

const CLUSTER = "colorControl";
const FULL = 254;
const FULL_ENHANCED = 65_535;
/** A point of the diagram in the numbers of the protocol. */
const XY = 65_536;
/** Also while the lamp is off; at once, so that it can be confirmed. */
const AT_ONCE = { transitionTime: 0, optionsMask: { executeIfOff: true }, optionsOverride: { executeIfOff: true } };

export const colours: Family = (endpoint, index) => {
  if (!endpoint.clusters.has(CLUSTER)) return [];
  const features = endpoint.features(CLUSTER);
  const place = { endpoint, index };
  const colour = features.has("hueSaturation")
    ? byHueAndSaturation(place, features.has("enhancedHue"))
    : features.has("xy")
      ? byPoint(place)
      : [];
  return [...colour, ...(features.has("colorTemperature") ? temperature(place) : [])];
};

function byHueAndSaturation(place: Place, isEnhanced: boolean): MatterProperty[] {
  const [attribute, full] = isEnhanced ? ["enhancedCurrentHue", FULL_ENHANCED] : ["currentHue", FULL];
  const hue = standard(place, "LightColor", "hue", {
    of: [`${CLUSTER}.${attribute}`],
    read: (raw) => scaled(raw(CLUSTER, attribute), (value) => (value * 360) / full, 1),
    set: (value) => {
      const number = Math.round((Number(value) * full) / 360);
      const fields = { [isEnhanced ? "enhancedHue" : "hue"]: number, direction: 0, ...AT_ONCE };
      return command(isEnhanced ? "enhancedMoveToHue" : "moveToHue", fields, value, 1);
    },
  });
  const saturation = standard(place, "LightColor", "saturation", {
    of: [`${CLUSTER}.currentSaturation`],
    read: (raw) => scaled(raw(CLUSTER, "currentSaturation"), (value) => (value * 100) / FULL, 1),
    set: (value) =>
      command("moveToSaturation", { saturation: Math.round((Number(value) * FULL) / 100), ...AT_ONCE }, value, 0.5),
  });
  return [...hue, ...saturation];
}

function byPoint(place: Place): MatterProperty[] {
  const of = [`${CLUSTER}.currentX`, `${CLUSTER}.currentY`];
  const part = (name: "hue" | "saturation") =>
    standard(place, "LightColor", name, {
      of,
      read: (raw) => {
        const now = colourOf(raw);
        return now && Number(now[name].toFixed(1));
      },
      set: (value, raw) => {
        const now = colourOf(raw) ?? { hue: 0, saturation: 100 };
        const [x, y] = xyOf({ ...now, [name]: Number(value) });
        const fields = { colorX: Math.round(x * XY), colorY: Math.round(y * XY), ...AT_ONCE };
        // The lamp's gamut is narrower than the diagram: it takes the nearest point that it can.
        return command("moveToColor", fields, value, name === "hue" ? 10 : 20);
      },
    });
  return [...part("hue"), ...part("saturation")];
}

function colourOf(raw: RawOf): HueAndSaturation | undefined {
  const [x, y] = [rawNumber(raw(CLUSTER, "currentX")), rawNumber(raw(CLUSTER, "currentY"))];
  return typeof x === "number" && typeof y === "number" ? hueAndSaturationOfXy(x / XY, y / XY) : undefined;
}

function temperature(place: Place): MatterProperty[] {
  const limit = (name: string, otherwise: number) => {
    const mireds = rawNumber(place.endpoint.attribute(CLUSTER, name));
    return typeof mireds === "number" && mireds > 0 ? Math.round(1_000_000 / mireds) : otherwise;
  };
  const min = Math.max(1000, limit("colorTempPhysicalMaxMireds", 1000));
  const max = Math.min(10_000, limit("colorTempPhysicalMinMireds", 10_000));
  const parts = {
    of: [`${CLUSTER}.colorTemperatureMireds`],
    read: (raw: RawOf) => {
      const mireds = rawNumber(raw(CLUSTER, "colorTemperatureMireds"));
      return typeof mireds === "number" && mireds > 0 ? Math.round(1_000_000 / mireds) : undefined;
    },
    set: (value: Value) => {
      const colorTemperatureMireds = Math.round(1_000_000 / Number(value));
      const now = Math.round(1_000_000 / colorTemperatureMireds);
      // One step of the protocol, at that temperature.
      const tolerance = Math.ceil(now ** 2 / 1_000_000) + 1;
      return command("moveToColorTemperature", { colorTemperatureMireds, ...AT_ONCE }, now, tolerance);
    },
  };
  return standard(place, "LightTemperature", "kelvin", parts, min < max ? { min, max } : {});
}

function command(name: string, fields: Readonly<Record<string, unknown>>, now: Value, tolerance: number): Setting {
  return { send: { command: { cluster: CLUSTER, command: name, fields } }, now, tolerance };
}
