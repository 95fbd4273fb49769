/** A property in a chart: which it is, what people call it, and how its values are told. Pure. */
import type { Device, HistoryKind, PropertyDescriptor } from "@porchlight/shared/api";
import { valueWords } from "../../kit/text/value-words.ts";
import type { Target } from "../../live/target.ts";
import { HUES, type TimelineLook } from "../canvas/draw-timelines.ts";
import type { SeriesPlan } from "../plan/plan.ts";

export interface Subject {
  readonly target: Target;
  /** Of several devices with the device: "Lamp: Brightness". */
  readonly name: string;
  /** Undefined of what the device no longer has. */
  readonly descriptor: Pick<PropertyDescriptor, "type" | "unit" | "values" | "access"> | undefined;
  readonly device: Pick<Device, "id" | "clientId" | "connection">;
}

/** What the answer will probably say that it is. Whether a number is a meter only the service knows. */
export function probableKind({ descriptor }: Subject): HistoryKind | undefined {
  if (!descriptor) return undefined;
  const { type, values, access } = descriptor;
  if (!access.includes("read") && !access.includes("write")) return "event";
  return values || (type !== "number" && type !== "integer") ? "state" : undefined;
}

/** A value of it in words, no longer than can be read at a glance. */
export function wordsFor({ target, descriptor }: Pick<Subject, "target" | "descriptor">): (value: unknown) => string {
  return (value) => valueWords(value, target.property, descriptor?.unit).slice(0, 200);
}

/** How its states are drawn: yes in the colour of the series, no as a thin line; each of several values in its own colour. */
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

/** Which colour means which value, where colours mean values; at most as many as there are colours. */
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

/** By the JSON of the value. */
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
