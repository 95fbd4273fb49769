/** Turns a JSON Schema into rows of a table: every field with its full name, type, limits and meaning. Pure. */
import { followed, type OpenApiDocument, type Schema } from "./operations.ts";

export interface Field {
  /** Full name: `services[].service` for a nested field. */
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
  /** Values and limits, in words. */
  readonly limits: readonly string[];
}

/** Deepest level of nested fields in the table: deeper ones are in the OpenAPI document only. */
const DEEPEST = 4;

/** The fields of a body: none when it is not an object. */
export function fieldsOf(document: OpenApiDocument, schema: Schema): readonly Field[] {
  return within(document, schema, "", 1);
}

function within(document: OpenApiDocument, schema: Schema, prefix: string, depth: number): Field[] {
  const object = inside(document, schema);
  const { properties = {}, required = [] } = object;
  return Object.entries(properties).flatMap(([name, each]) => {
    const field = followed(document, each);
    const full = `${prefix}${name}`;
    const row = {
      name: full,
      type: typeText(document, each),
      isRequired: required.includes(name),
      description: each.description ?? field.description ?? "",
      limits: limitsOf(field),
    };
    if (depth >= DEEPEST) return [row];
    const isList = inside(document, each, false).type === "array";
    return [row, ...within(document, each, isList ? `${full}[].` : `${full}.`, depth + 1)];
  });
}

/** The object schema within a schema: the schema itself, that of its list items, or the first object or list among its alternatives. */
function inside(document: OpenApiDocument, schema: Schema, intoLists = true): Schema {
  // Any JSON is recursive, so its fields are not listed.
  if (isAnyJson(schema)) return {};
  const real = followed(document, schema);
  if (real.properties) return real;
  if (real.type === "array") return intoLists && real.items ? inside(document, real.items) : real;
  const choices = [...(real.anyOf ?? []), ...(real.oneOf ?? [])].map((each) => inside(document, each, intoLists));
  return choices.find(({ properties, type }) => properties || type === "array") ?? real;
}

function isAnyJson({ $ref = "" }: Schema): boolean {
  return $ref.endsWith("/JsonValue");
}

/** A type in a word or two: `string`, `array of string`, `string or null`. */
export function typeText(document: OpenApiDocument, schema: Schema): string {
  const real = followed(document, schema);
  if (isAnyJson(schema)) return "any JSON";
  if (real.const !== undefined) return JSON.stringify(real.const);
  if (real.enum) return "string";
  if (real.type === "array") return real.items ? `array of ${typeText(document, real.items)}` : "array";
  const choices = [...(real.anyOf ?? []), ...(real.oneOf ?? [])];
  if (choices.length > 0) return [...new Set(choices.map((each) => typeText(document, each)))].join(" or ");
  if (typeof real.type === "string") return real.type;
  return real.type ? real.type.join(" or ") : real.properties ? "object" : "any JSON";
}

/** Values and limits of a schema, each in words. */
export function limitsOf(schema: Schema): readonly string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  const limits: string[] = [];
  if (schema.enum) limits.push(`one of ${schema.enum.map((each) => `\`${String(each)}\``).join(", ")}`);
  limits.push(...range("", minimum, maximum), ...range(" characters", minLength, maxLength));
  limits.push(...range(" items", minItems, maxItems));
  if (schema.default !== undefined) limits.push(`default \`${JSON.stringify(schema.default)}\``);
  return limits;
}

function range(unit: string, least: number | undefined, most: number | undefined): string[] {
  const low = least === undefined || Math.abs(least) === Number.MAX_SAFE_INTEGER ? undefined : number(least);
  const high = most === undefined || most === Number.MAX_SAFE_INTEGER ? undefined : number(most);
  if (low === undefined) return high === undefined ? [] : [`at most ${high}${unit}`];
  return [high === undefined ? `at least ${low}${unit}` : `${low} to ${high}${unit}`];
}

function number(value: number): string {
  return value.toLocaleString("en");
}
