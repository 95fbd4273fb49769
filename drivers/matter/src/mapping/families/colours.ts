/** Color Control: colour of a lamp, by hue and saturation or by CIE point, and its white temperature. */
import { type HueAndSaturation, hueAndSaturationOfXy, readMired, readShare, xyOf } from "@porchlight/driver-kit";
import type { Value } from "@porchlight/shared/model";
import {
  type Family,
  type MatterProperty,
  NULL_8,
  NULL_16,
  type Place,
  percent,
  type RawOf,
  rawNumber,
  type Setting,
  standard,
} from "../matter-property.ts";

const CLUSTER = "colorControl";
const FULL = 254;
const FULL_ENHANCED = 65_535;
/** CIE coordinates in the protocol's numbers. */
const XY = 65_536;
const MOST_XY = 0xfeff;
/** Applies also while the lamp is off, and without a transition, so that the result can be confirmed. */
const AT_ONCE = { transitionTime: 0, optionsMask: { executeIfOff: true }, optionsOverride: { executeIfOff: true } };

/** Colour modes, which name the valid attributes: hue and saturation, a point, a temperature, an enhanced hue. */
const [HUE, POINT, TEMPERATURE, ENHANCED_HUE] = [0, 1, 2, 3];

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
  const also = [...has(place, "currentX", "currentY"), ...modesOf(place)];
  const hue = standard(place, "LightColor", "hue", {
    of: [`${CLUSTER}.${attribute}`, ...also],
    read: (raw) => {
      const number = rawNumber(raw(CLUSTER, attribute), isEnhanced ? [] : NULL_8);
      return inColour(place, raw, "hue", () => share(readShare(number, 0, full), 360 / full));
    },
    set: (value) => {
      const number = Math.round((Number(value) * full) / 360);
      const fields = { [isEnhanced ? "enhancedHue" : "hue"]: number, direction: 0, ...AT_ONCE };
      return command(isEnhanced ? "enhancedMoveToHue" : "moveToHue", fields, value, 1);
    },
  });
  const saturation = standard(place, "LightColor", "saturation", {
    of: [`${CLUSTER}.currentSaturation`, ...also],
    read: (raw) => inColour(place, raw, "saturation", () => percent(raw(CLUSTER, "currentSaturation"), FULL)),
    set: (value) =>
      command("moveToSaturation", { saturation: Math.round((Number(value) * FULL) / 100), ...AT_ONCE }, value, 0.5),
  });
  return [...hue, ...saturation];
}

function share(number: number | null | undefined, factor: number): number | null | undefined {
  return typeof number === "number" ? Number((number * factor).toFixed(1)) : number;
}

/** Hue or saturation according to the colour mode: from the point in point mode, `null` in white mode, else from its own attribute. */
function inColour(place: Place, raw: RawOf, name: "hue" | "saturation", stated: () => number | null | undefined) {
  const mode = hasBoth(place) ? modeIn(raw) : undefined;
  if (mode === POINT) return ofPoint(raw, name);
  return mode === undefined || mode === HUE || mode === ENHANCED_HUE ? stated() : null;
}

/** Undefined for a lamp that does not report its mode; `null` for an unknown mode. */
function modeIn(raw: RawOf): number | null | undefined {
  const mode = rawNumber(raw(CLUSTER, "enhancedColorMode")) ?? rawNumber(raw(CLUSTER, "colorMode"));
  return mode === undefined || mode === null || [HUE, POINT, TEMPERATURE, ENHANCED_HUE].includes(mode) ? mode : null;
}

/** Mode attributes of a lamp with both colour and white; no other lamp needs them. */
function modesOf(place: Place): string[] {
  return !hasBoth(place) ? [] : has(place, "enhancedColorMode", "colorMode");
}

function hasBoth({ endpoint }: Place): boolean {
  const features = endpoint.features(CLUSTER);
  return features.has("colorTemperature") && (features.has("hueSaturation") || features.has("xy"));
}

/** Keeps the attributes that the lamp has; others cannot be requested. */
function has({ endpoint }: Place, ...names: readonly string[]): string[] {
  return names.filter((name) => endpoint.attribute(CLUSTER, name) !== undefined).map((name) => `${CLUSTER}.${name}`);
}

function byPoint(place: Place): MatterProperty[] {
  const of = [`${CLUSTER}.currentX`, `${CLUSTER}.currentY`, ...modesOf(place)];
  const part = (name: "hue" | "saturation") =>
    standard(place, "LightColor", name, {
      of,
      read: (raw) => {
        const mode = hasBoth(place) ? modeIn(raw) : undefined;
        return mode === undefined || mode === POINT ? ofPoint(raw, name) : null;
      },
      set: (value, raw) => {
        const now = colourOf(raw) ?? { hue: 0, saturation: 100 };
        const [x, y] = xyOf({ ...now, [name]: Number(value) });
        const fields = { colorX: Math.round(x * XY), colorY: Math.round(y * XY), ...AT_ONCE };
        // The lamp's gamut is smaller than the diagram: it shows the nearest possible point.
        return command("moveToColor", fields, value, name === "hue" ? 10 : 20);
      },
    });
  return [...part("hue"), ...part("saturation")];
}

function ofPoint(raw: RawOf, name: "hue" | "saturation"): number | null | undefined {
  const [x, y] = [raw(CLUSTER, "currentX"), raw(CLUSTER, "currentY")];
  if (x === undefined && y === undefined) return undefined;
  const now = colourOf(raw);
  return now ? Number(now[name].toFixed(1)) : null;
}

/** `null` for a point outside the protocol's range. */
function colourOf(raw: RawOf): HueAndSaturation | null {
  const part = (name: string) => readShare(rawNumber(raw(CLUSTER, name), NULL_16), 0, MOST_XY);
  const [x, y] = [part("currentX"), part("currentY")];
  return typeof x === "number" && typeof y === "number" ? hueAndSaturationOfXy(x / XY, y / XY) : null;
}

function temperature(place: Place): MatterProperty[] {
  const limit = (name: string, otherwise: number) => {
    const mireds = rawNumber(place.endpoint.attribute(CLUSTER, name));
    return typeof mireds === "number" && mireds > 0 ? Math.round(1_000_000 / mireds) : otherwise;
  };
  const min = Math.max(1000, limit("colorTempPhysicalMaxMireds", 1000));
  const max = Math.min(10_000, limit("colorTempPhysicalMinMireds", 10_000));
  const parts = {
    of: [`${CLUSTER}.colorTemperatureMireds`, ...modesOf(place)],
    read: (raw: RawOf) => {
      const mode = hasBoth(place) ? modeIn(raw) : undefined;
      const kelvin = readMired(rawNumber(raw(CLUSTER, "colorTemperatureMireds")));
      return kelvin === undefined || mode === undefined || mode === TEMPERATURE ? kelvin : null;
    },
    set: (value: Value) => {
      const colorTemperatureMireds = Math.round(1_000_000 / Number(value));
      const now = Math.round(1_000_000 / colorTemperatureMireds);
      // One step of the protocol at that temperature.
      const tolerance = Math.ceil(now ** 2 / 1_000_000) + 1;
      return command("moveToColorTemperature", { colorTemperatureMireds, ...AT_ONCE }, now, tolerance);
    },
  };
  return standard(place, "LightTemperature", "kelvin", parts, min < max ? { min, max } : {});
}

function command(name: string, fields: Readonly<Record<string, unknown>>, now: Value, tolerance: number): Setting {
  return { send: { command: { cluster: CLUSTER, command: name, fields } }, now, tolerance };
}
