/** The control of a property, and the value or the fault of what a person types into it. Pure. */
import type { PropertyDescriptor, ServiceDescriptor } from "@porchlight/shared/api";

export interface Range {
  readonly min: number;
  readonly max: number;
  /** The distance between a slider's stops. */
  readonly step: number;
}

/** An additional meaning of a slider's track: a hue or a colour temperature. */
export type Track = "plain" | "hue" | "kelvin";
export type Choice = string | number | boolean;

export type Control =
  | { readonly kind: "switch" }
  | { readonly kind: "slider"; readonly range: Range; readonly track: Track }
  | { readonly kind: "number"; readonly step: number | undefined; readonly isInteger: boolean }
  | { readonly kind: "choice"; readonly values: readonly Choice[]; readonly shape: "segments" | "list" }
  | { readonly kind: "text" }
  | { readonly kind: "json" }
  /** A read-only property. */
  | { readonly kind: "reading" }
  /** A momentary occurrence, such as a button press. `values`: the occurrences that can be triggered here. */
  | { readonly kind: "occurrence"; readonly values: readonly Choice[] };

/** With more choices or longer words the control is a list instead of segments. */
const MOST_SEGMENTS = 4;
const MOST_LETTERS = 32;
/** Approximate number of stops of a slider without a step. */
const PLACES = 400;

/** @param isPlayed true for a virtual device, whose sensor values can be reported by hand */
export function controlOf(service: string, descriptor: PropertyDescriptor, isPlayed = false): Control {
  const { access, values } = descriptor;
  if (access.includes("notify") && !access.includes("read") && !access.includes("write"))
    return { kind: "occurrence", values: isPlayed ? (values ?? []) : [] };
  if (!access.includes("write") && !isPlayed) return { kind: "reading" };
  if (values && values.length > 0) return { kind: "choice", values, shape: shapeOf(values) };
  return ofType(service, descriptor);
}

function ofType(service: string, { property, type, min, max, step }: PropertyDescriptor): Control {
  switch (type) {
    case "boolean":
      return { kind: "switch" };
    case "integer":
    case "number": {
      const isInteger = type === "integer";
      if (min === undefined || max === undefined || !(max > min)) return { kind: "number", step, isInteger };
      const range = { min, max, step: step ?? niceStep(max - min, isInteger) };
      return { kind: "slider", range, track: trackOf(service, property) };
    }
    case "string":
      return { kind: "text" };
    case "json":
      return { kind: "json" };
    // A type that a newer service adds: the value is shown as a reading.
    default:
      return { kind: "reading" };
  }
}

function shapeOf(values: readonly Choice[]): "segments" | "list" {
  const words = values.map(String);
  // Values with the same text (1 and "1") are distinguishable only in a list.
  if (new Set(words).size !== words.length) return "list";
  return words.length <= MOST_SEGMENTS && words.join("").length <= MOST_LETTERS ? "segments" : "list";
}

function trackOf(service: string, property: string): Track {
  if (service === "LightColor" && property === "hue") return "hue";
  return service === "LightTemperature" && property === "kelvin" ? "kelvin" : "plain";
}

/** A step of 1, 2 or 5 times a power of ten. */
function niceStep(span: number, isInteger: boolean): number {
  const least = span / PLACES;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((times) => times * power).find((each) => each >= least * 0.999) ?? power * 10;
  return isInteger ? Math.max(1, Math.round(step)) : Number(step.toPrecision(1));
}

/** The nearest value of the range. */
export function snapped(value: number, { min, max, step }: Range): number {
  const held = Math.min(max, Math.max(min, value));
  const places = min + Math.round((held - min) / step) * step;
  return Number(Math.min(max, Math.max(min, places)).toFixed(decimalsOf(step) + decimalsOf(min)));
}

function decimalsOf(number: number): number {
  const [, fraction = "", power = "0"] = /^-?\d+(?:\.(\d+))?(?:e(-?\d+))?$/.exec(String(number)) ?? [];
  return Math.min(10, Math.max(0, fraction.length - Number(power)));
}

export interface WheelRanges {
  readonly hue: Range;
  readonly saturation: Range;
}

/** The ranges of a colour wheel; undefined when the service is not a colour. */
export function wheelOf({ service, properties }: ServiceDescriptor, isPlayed = false): WheelRanges | undefined {
  if (service !== "LightColor") return undefined;
  const range = (name: string) => {
    const found = properties.find(({ property }) => property === name);
    const control = found && controlOf(service, found, isPlayed);
    return control?.kind === "slider" ? control.range : undefined;
  };
  const hue = range("hue");
  const saturation = range("saturation");
  return hue && saturation && { hue, saturation };
}

type Typed =
  | { readonly kind: "nothing" }
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "fault"; readonly fault: string };

/** Accepts a decimal comma. Does not check the step: only the service knows its base. */
export function readNumber(text: string, isInteger: boolean, range?: Pick<Range, "min" | "max">): Typed {
  const clean = text.trim().replace(",", ".").replace("−", "-");
  if (clean === "") return { kind: "nothing" };
  const value = /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(clean) ? Number(clean) : Number.NaN;
  if (!Number.isFinite(value)) return { kind: "fault", fault: "Enter a number" };
  if (isInteger && !Number.isSafeInteger(value)) return { kind: "fault", fault: "Enter a whole number" };
  if (range && value < range.min) return { kind: "fault", fault: `At least ${range.min}` };
  if (range && value > range.max) return { kind: "fault", fault: `At most ${range.max}` };
  return { kind: "value", value };
}

export function readTypedJson(text: string): Typed {
  if (text.trim() === "") return { kind: "nothing" };
  try {
    return { kind: "value", value: JSON.parse(text) as unknown };
  } catch (error) {
    return { kind: "fault", fault: error instanceof Error ? error.message : "Not valid JSON" };
  }
}
