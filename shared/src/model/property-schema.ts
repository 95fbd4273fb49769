/**
 * The parts of a property's description, declared once: its type, the schemas of the REST API, the tunnel and simulator files, and the
 * checks of a value derive from them. `wire/description.ts` has their keys on the wire.
 */
import { z } from "zod";

const number = z.number().optional();

/** The numeric limits, as answers state them and hubs report them. */
const limitShape = { min: number, max: number, step: number };

/** The numeric limits in a form that users may write: `step` is optional. */
export const writtenLimits = { ...limitShape, step: z.number().positive().optional() };

/** A description as answers state it; each interface tightens its texts and lists. */
export const propertyShape = {
  property: z.string(),
  type: z.enum(["boolean", "integer", "number", "string", "json"]),
  unit: z.string().optional(),
  ...limitShape,
  values: z
    .array(z.union([z.string(), z.number(), z.boolean()]))
    .optional()
    .meta({ description: "The only values it can have" }),
  access: z.array(z.enum(["read", "write", "notify"])),
};

const description = z.object(propertyShape);
type Fields = z.output<typeof description>;
type Fixed<T> = T extends readonly (infer Item)[] ? readonly Item[] : T;

/** What a property is and which values it can have. */
export type PropertyDescription = { readonly [Key in keyof Fields]: Fixed<Fields[Key]> };
export type PropertyType = Fields["type"];
export type Access = Fields["access"][number];
export type PropertyLimit = keyof typeof limitShape;

/** Names of the limits, in the order of a description. */
export const LIMIT_NAMES: readonly PropertyLimit[] = z.object(limitShape).keyof().options;

/**
 * The limit that a number breaks, as a sentence; undefined when it breaks none. Every write calls it, so it uses plain comparisons and
 * no table.
 */
export function limitProblem({ min, max, step }: Pick<PropertyDescription, PropertyLimit>, value: number) {
  if (min !== undefined && value < min) return `The value must be at least ${min}.`;
  if (max !== undefined && value > max) return `The value must be at most ${max}.`;
  if (step !== undefined && !isStep(value - (min ?? 0), step)) return `The value must be a multiple of ${step}.`;
  return undefined;
}

function isStep(distance: number, step: number): boolean {
  const steps = distance / step;
  return Math.abs(steps - Math.round(steps)) < 1e-6;
}
