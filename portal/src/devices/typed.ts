/** Parses typed text as a value, or states why it is invalid, before anything is sent. */
import type { Range } from "./control-of.ts";

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
