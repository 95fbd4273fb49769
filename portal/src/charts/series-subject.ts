/** A property in a chart: its identity, its title and the format of its values. Pure. */
import type { Device, HistoryKind, PropertyDescriptor } from "@porchlight/shared/api";
import { valueWords } from "../kit/text/value-words.ts";
import type { Target } from "../live/target.ts";
import { HUES, type TimelineLook } from "./draw-timelines.ts";
import type { SeriesPlan } from "./plan.ts";

export interface Subject {
  readonly target: Target;
  /** The title; with several devices it begins with the device: "Lamp: Brightness". */
  readonly name: string;
  /** Undefined when the device no longer has the property. */
  readonly descriptor: Pick<PropertyDescriptor, "type" | "unit" | "values" | "access"> | undefined;
  readonly device: Pick<Device, "id" | "clientId" | "connection">;
}

/** The kind that the service will probably report. Only the service knows whether a number is a meter. */
export function probableKind({ descriptor }: Subject): HistoryKind | undefined {
  if (!descriptor) return undefined;
  const { type, values, access } = descriptor;
  if (!access.includes("read") && !access.includes("write")) return "event";
  return values || (type !== "number" && type !== "integer") ? "state" : undefined;
}

/** Formats a value of the property, shortened to a glance. */
export function wordsFor({ target, descriptor }: Pick<Subject, "target" | "descriptor">): (value: unknown) => string {
  return (value) => valueWords(value, target.property, descriptor?.unit).slice(0, 200);
}

/** The look of the property's states: true in the colour of the series, false as a thin line, several values each in their own colour. */
export function timelineLookOf(subject: Subject, plan: SeriesPlan, index: number): TimelineLook {
  const hues = huesOf(subject, plan, index);
  return {
    name: subject.name.slice(0, 120),
    words: wordsFor(subject),
    hueOf: (value) => {
      if (typeof value === "boolean") return value ? index % HUES : undefined;
      return hues.get(JSON.stringify(value));
    },
  };
}

/** The legend of values where colours stand for values; at most as many entries as there are colours. */
export function keysOf(
  subject: Subject,
  plan: SeriesPlan,
  index: number,
): readonly { readonly words: string; readonly hue: number }[] {
  const words = wordsFor(subject);
  const shown = [...new Set(valuesIn(plan).map((value) => JSON.stringify(value)))].slice(0, HUES);
  const hues = huesOf(subject, plan, index);
  return shown.flatMap((text) => {
    const value: unknown = JSON.parse(text);
    return typeof value === "boolean" ? [] : [{ words: words(value), hue: hues.get(text) ?? 0 }];
  });
}

/** Colours by the JSON of the value. */
function huesOf(subject: Subject, plan: SeriesPlan, index: number): ReadonlyMap<string, number> {
  const hues = new Map(
    [...(subject.descriptor?.values ?? []), ...valuesIn(plan)]
      .map((value) => JSON.stringify(value))
      .map((text) => [text, 0]),
  );
  for (const [place, text] of [...hues.keys()].entries()) hues.set(text, (index + place) % HUES);
  return hues;
}

function valuesIn({ drawn }: SeriesPlan): readonly unknown[] {
  switch (drawn.kind) {
    case "bands":
      return drawn.bands.map(({ value }) => value);
    case "marks":
      return drawn.marks.map(({ value }) => value);
    case "shares":
      return drawn.steps
        .flatMap(({ parts }) => parts.map(({ value }) => value))
        .filter((value) => typeof value !== "symbol");
    default:
      return [];
  }
}
