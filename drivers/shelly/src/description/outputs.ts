/**
 * Outputs: relays, lights, scents and thermostats (`switch`, `light`, `cct`, `rgb`, `rgbw`, `cb`, `cury`, `thermostat`). A thermostat heats
 * or cools, whichever the device is configured for.
 */
import { at, hueAndSaturationOf, readNumber, readShare, rgbOf } from "@porchlight/driver-kit";
import type { Value } from "@porchlight/shared/model";
import { deviceTemperature, metering } from "./metering.ts";
import {
  type ComponentJson,
  call,
  custom,
  type DescribedComponent,
  has,
  inMode,
  readsFlag,
  readsNumber,
  readsPercent,
  type ShellyComponent,
  type ShellyProperty,
  type StatusReader,
  standard,
} from "./shelly-property.ts";

/** Range of a lamp that does not report its own, K. */
const COLOUR_TEMPERATURES = { min: 2700, max: 6500 };
const FULL = 255;
/** Modes of a lamp that switches between white and colour. */
const WHITE_MODES = ["cct", "white"];
const COLOUR_MODES = ["rgb", "rgbw", "color"];

export function relay(of: ShellyComponent): DescribedComponent {
  return { properties: [...output(of, "Switch.Set"), ...metering(of)] };
}

export function dimmer(of: ShellyComponent): DescribedComponent {
  return { properties: lamp(of, "Light.Set") };
}

/** `cct`: a white light with variable colour temperature. */
export function whiteLight(of: ShellyComponent): DescribedComponent {
  return { properties: [...lamp(of, "CCT.Set"), ...colourTemperature(of, "CCT.Set")] };
}

export function colourLight(of: ShellyComponent): DescribedComponent {
  return { properties: [...lamp(of, "RGB.Set"), ...colour(of, "RGB.Set")] };
}

export function colourAndWhiteLight(of: ShellyComponent): DescribedComponent {
  return { properties: [...lamp(of, "RGBW.Set"), ...colour(of, "RGBW.Set"), ...white(of, "RGBW.Set")] };
}

/** `cb`: a circuit breaker, read-only, because it is switched by hand. */
export function circuitBreaker(of: ShellyComponent): DescribedComponent {
  return {
    properties: [
      ...standard(of, "Switch.on", { read: readsFlag("output"), faults: [] }),
      ...(has(of, "safety") ? custom(of, { property: "safety", type: "boolean" }, { read: readsFlag("safety") }) : []),
      ...(has(of, "total_cycles")
        ? custom(of, { property: "totalCycles", type: "integer" }, { read: readsNumber(["total_cycles"]) })
        : []),
      ...deviceTemperature(of),
    ],
    isPartial: true,
  };
}

function lamp(of: ShellyComponent, method: string): ShellyProperty[] {
  return [...output(of, method), ...brightness(of, method), ...metering(of)];
}

function output(of: ShellyComponent, method: string): ShellyProperty[] {
  const { id } = of;
  return standard(of, "Switch.on", {
    read: readsFlag("output"),
    command: (value) => call(method, { id, on: value === true }, (status) => status.output === value),
  });
}

/** A lamp that is off keeps its brightness; 0 is not a valid brightness. */
function brightness(of: ShellyComponent, method: string): ShellyProperty[] {
  if (!has(of, "brightness")) return [];
  const { id } = of;
  const command = (value: Value) => {
    const asked = Math.round(Number(value));
    return call(method, { id, brightness: asked }, (status) => status.brightness === asked);
  };
  return standard(of, "LightLevel.level", { read: readsPercent("brightness"), command }, { min: 1 });
}

function colourTemperature(of: ShellyComponent, method: string): ShellyProperty[] {
  const { id } = of;
  const read: StatusReader = (status) => {
    const kelvin = readsNumber(["ct"])(status);
    return typeof kelvin === "number" ? Math.round(kelvin) : kelvin;
  };
  const command = (value: Value) => call(method, { id, ct: value }, (status) => status.ct === value);
  return standard(of, "LightTemperature.kelvin", { read: inMode(WHITE_MODES, read), command }, COLOUR_TEMPERATURES);
}

/** Hue and saturation of the RGB channels at full value; the level carries the brightness. */
function colour(of: ShellyComponent, method: string): ShellyProperty[] {
  const { id } = of;
  const part = (name: "hue" | "saturation"): ShellyProperty[] =>
    standard(of, `LightColor.${name}`, {
      read: inMode(COLOUR_MODES, (status) => {
        const now = colourOf(status);
        return now ? Number(now[name].toFixed(1)) : now;
      }),
      command: (value, status) => {
        const before = colourOf(status) ?? { hue: 0, saturation: 100 };
        const rgb = rgbOf({ ...before, [name]: Number(value) });
        return call(method, { id, rgb }, (now) => isSame(at(now, "rgb"), rgb));
      },
    });
  return [...part("hue"), ...part("saturation")];
}

function white(of: ShellyComponent, method: string): ShellyProperty[] {
  const { id } = of;
  if (!has(of, "white")) return [];
  const description = { property: "white", type: "integer", min: 0, max: FULL } as const;
  const command = (value: Value) => call(method, { id, white: value }, (status) => status.white === value);
  const read: StatusReader = (status) => readShare(readNumber(status.white), 0, FULL);
  return custom(of, description, { read, command });
}

function colourOf(status: ComponentJson) {
  const rgb = at(status, "rgb");
  if (rgb === undefined) return undefined;
  if (!Array.isArray(rgb) || rgb.length !== 3) return null;
  const [red, green, blue] = rgb.map((part: unknown) => readShare(readNumber(part), 0, FULL));
  if (!isNumber(red) || !isNumber(green) || !isNumber(blue)) return null;
  return hueAndSaturationOf(red, green, blue);
}

function isSame(reported: unknown, rgb: readonly number[]): boolean {
  return (
    Array.isArray(reported) && reported.length === rgb.length && rgb.every((each, place) => each === reported[place])
  );
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

const SLOTS = ["left", "right"] as const;

export function scent(of: ShellyComponent): DescribedComponent {
  const there = SLOTS.filter((slot) => at(of.status, "slots", slot) !== undefined);
  return { properties: there.flatMap((slot) => slotProperties(of, slot)), isPartial: true };
}

function slotProperties(of: ShellyComponent, slot: string): ShellyProperty[] {
  const set = (member: string) => (value: Value) =>
    call("Cury.Set", { id: of.id, slot, [member]: value }, (now) => at(now, "slots", slot, member) === value);
  const percent = { type: "integer", unit: "%", min: 0, max: 100 } as const;
  return [
    ...custom(
      of,
      { property: `${slot}On`, type: "boolean" },
      { read: readsFlag("slots", slot, "on"), command: set("on") },
    ),
    ...custom(
      of,
      { property: `${slot}Intensity`, ...percent },
      { read: readsPercent("slots", slot, "intensity"), command: set("intensity") },
    ),
    ...custom(
      of,
      { property: `${slot}Vial`, type: "number", unit: "%" },
      { read: readsPercent("slots", slot, "vial", "level") },
    ),
  ];
}

const TARGETS = { min: 5, max: 35 };

/** @param others types of the device's other components: if one of them is a temperature sensor, it reports the temperature */
export function thermostat(of: ShellyComponent, others: ReadonlySet<string>): DescribedComponent {
  const { id, config } = of;
  const [mode, activity] = config.type === "cooling" ? (["cool", "cooling"] as const) : (["heat", "heating"] as const);
  const isOn: StatusReader = readsFlag("enable");
  const words = (read: StatusReader, on: string, off: string): StatusReader => {
    return (status) => {
      const now = read(status);
      return now === true ? on : now === false ? off : now;
    };
  };
  const setMode = (value: Value) => {
    const enable = value === mode;
    return call("Thermostat.SetConfig", { id, config: { enable } }, (status) => status.enable === enable);
  };
  const setTarget = (value: Value) =>
    call("Thermostat.SetConfig", { id, config: { target_C: value } }, (status) => status.target_C === value);
  return {
    properties: [
      ...standard(
        of,
        "Thermostat.mode",
        { read: words(isOn, mode, "off"), command: setMode, isConfigured: true },
        { values: ["off", mode] },
      ),
      ...standard(of, "Thermostat.target", { read: readsNumber(["target_C"]), command: setTarget }, TARGETS),
      ...standard(
        of,
        "Thermostat.activity",
        { read: words(readsFlag("output"), activity, "idle"), isConfigured: true },
        { values: ["idle", activity] },
      ),
      ...(has(of, "current_C") && !others.has("temperature")
        ? standard(of, "Temperature.celsius", { read: readsNumber(["current_C"]) })
        : []),
    ],
    isPartial: at(of.config, "schedules") !== undefined || has(of, "schedules"),
  };
}
