// From a zod schema to the TypeScript that its output is: the published client brings its types along, and not the library of schemas.
import { z } from "zod";

/** Declarations of the named types. `schemas` maps each type's name to its schema. */
export function declarations(schemas) {
  const named = new Map();
  const lines = Object.entries(schemas).map(([name, schema]) => {
    const { $defs = {}, ...rest } = z.toJSONSchema(schema, { unrepresentable: "any", io: "output" });
    for (const [id, definition] of Object.entries($defs)) named.set(localName(id), text(definition));
    const written = text(rest);
    return written === localName(name) || rest.$ref === `#/$defs/${name}`
      ? `export type ${name} = ${localName(name)};`
      : `export type ${name} = ${written};`;
  });
  const own = [...named].map(([id, definition]) => `type ${id} = ${definition};`);
  return `${[...own, ...lines].join("\n")}\n`;
}

/** A schema's own name may be another type's in the client. */
function localName(id) {
  return id.startsWith("__schema") ? "Json" : `${id}Schema`;
}

function text(schema) {
  if (schema.$ref) return localName(schema.$ref.replace("#/$defs/", ""));
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if ("const" in schema) return JSON.stringify(schema.const);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map((each) => grouped(text(each))).join(" | ");
  if (Array.isArray(schema.type)) return schema.type.map((type) => text({ ...schema, type })).join(" | ");
  switch (schema.type) {
    case "string":
      return "string";
    case "number":
    case "integer":
      return "number";
    case "boolean":
      return "boolean";
    case "null":
      return "null";
    case "array":
      return `${grouped(schema.items ? text(schema.items) : "unknown")}[]`;
    case "object":
      return object(schema);
    default:
      return "unknown";
  }
}

function object({ properties, required = [], additionalProperties }) {
  // What its own rules check is described and has no type.
  if (!properties && additionalProperties === undefined) return "unknown";
  const fields = Object.entries(properties ?? {}).map(([name, field]) => {
    const isThere = required.includes(name);
    const comment = field.description ? `/** ${field.description.replaceAll("*/", "* /")} */ ` : "";
    return `${comment}${JSON.stringify(name)}${isThere ? "" : "?"}: ${text(field)}${isThere ? "" : " | undefined"};`;
  });
  const isOpen = typeof additionalProperties === "object";
  if (isOpen) fields.push(`[key: string]: ${fields.length > 0 ? "unknown" : text(additionalProperties)};`);
  return `{ ${fields.join(" ")} }`;
}

function grouped(written) {
  return written.includes(" | ") ? `(${written})` : written;
}
