/** JSON Schemas of the OpenAPI document, made by zod from the schemas that validate: those with a name stand once, in the components. */
import { z } from "zod";

export type Json = Record<string, unknown>;
export type Direction = "input" | "output";

/** What any JSON is called in the components: zod gives it a number that differs from schema to schema. */
const ANY_JSON = "JsonValue";
const NUMBERED = /^__schema\d+$/;

export class Schemas {
  /** Named schemas, for `components.schemas`. */
  readonly components: Json = {};

  /** @throws Error when two schemas of one name differ, or a recursive schema that is not any JSON has no name */
  of(schema: z.ZodType, direction: Direction): Json {
    const { $defs, $schema: _dialect, ...rest } = z.toJSONSchema(schema, { unrepresentable: "any", io: direction });
    for (const [name, definition] of Object.entries($defs ?? {}))
      this.#add(nameOf(name, direction), definition, direction);
    return asJson(rewritten(rest, direction));
  }

  #add(name: string, definition: unknown, direction: Direction): void {
    const made = asJson(rewritten(definition, direction));
    if (name === ANY_JSON) made.description = "Any JSON";
    const known = this.components[name];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(made))
      throw new Error(`two schemas are called ${name}`);
    this.components[name] = made;
  }
}

/** What a client sends may be described differently from what it gets: then it has its own name. */
function nameOf(definition: string, direction: Direction): string {
  if (NUMBERED.test(definition)) return ANY_JSON;
  return direction === "input" ? `${definition}Input` : definition;
}

/** References lead to the components, and examples stand as JSON Schema 2020-12 has them. */
function rewritten(node: unknown, direction: Direction): unknown {
  if (Array.isArray(node)) return node.map((each) => rewritten(each, direction));
  if (typeof node !== "object" || node === null) return node;
  const made: Json = {};
  for (const [key, value] of Object.entries(node)) {
    if (key === "$ref" && typeof value === "string")
      made.$ref = `#/components/schemas/${nameOf(value.replace("#/$defs/", ""), direction)}`;
    else if (key === "example" && typeof value !== "object") made.examples = [value];
    else made[key] = rewritten(value, direction);
  }
  return made;
}

/** An object stays one when it is rewritten. */
function asJson(node: unknown): Json {
  return node as Json;
}

/** Whether an object has the field `meta`. */
export function hasMeta(schema: z.ZodType | undefined): boolean {
  return schema instanceof z.ZodObject && "meta" in schema.shape;
}

/** Whether an answer has metadata in it, its own or that of its items. */
export function showsMeta(schema: z.ZodType | undefined): boolean {
  if (hasMeta(schema)) return true;
  const items: unknown = schema instanceof z.ZodObject ? schema.shape.items : undefined;
  return items instanceof z.ZodArray && items.element instanceof z.ZodObject && hasMeta(items.element);
}
