/** Turns the text of a variable or flag into what its schema takes; text that fits nothing stays text, for the schema to refuse. */
import { z } from "zod";

type Schema = z.core.$ZodType;

/** @param text as it stands in the environment or on the command line */
export function coerce(schema: Schema, text: string): unknown {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodNumber) return number(text);
  if (inner instanceof z.ZodBoolean) return boolean(text);
  if (inner instanceof z.ZodArray) return list(text).map((entry) => coerce(inner.element, entry));
  if (inner instanceof z.ZodLiteral) return literal(inner, text);
  if (inner instanceof z.ZodUnion) return firstThatFits(inner.options, text);
  return text;
}

/** The schema below defaults, options, transforms and the like. */
export function unwrap(schema: Schema): Schema {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodReadonly ||
    schema instanceof z.ZodCatch
  ) {
    return unwrap(schema.def.innerType);
  }
  return schema instanceof z.ZodPipe ? unwrap(schema.def.in) : schema;
}

function number(text: string): unknown {
  return /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text) ? Number(text) : text;
}

function boolean(text: string): unknown {
  if (text === "true") return true;
  return text === "false" ? false : text;
}

/** Entries between commas or on lines, without the space around them; no entry in an empty text. */
function list(text: string): string[] {
  return text.trim() === "" ? [] : text.split(/[,\n]/).map((entry) => entry.trim());
}

function literal(schema: z.ZodLiteral, text: string): unknown {
  return [...schema.values].find((value) => String(value) === text) ?? text;
}

function firstThatFits(options: readonly Schema[], text: string): unknown {
  for (const option of options) {
    const candidate = coerce(option, text);
    if (z.safeParse(option, candidate).success) return candidate;
  }
  return text;
}
