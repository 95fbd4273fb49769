/** `--where`: conditions on the rows of a list, by the API's field names. A pure decision, with a table as its test. */
import type { z } from "zod";
import type { Args, Option } from "./args.ts";
import { UsageError } from "./failure.ts";

export const WHERE: Option = {
  name: "where",
  value: "CONDITION",
  summary:
    "Only rows for which FIELD=VALUE, FIELD!=VALUE or FIELD~TEXT (contains) holds, such as connection.state=offline",
  isRepeatable: true,
};

/** Paths of fields. An `open` field, such as metadata, has any keys below it. */
export type Fields = ReadonlyMap<string, "field" | "open">;

interface Condition {
  readonly field: string;
  readonly operator: "=" | "!=" | "~";
  readonly value: string;
}

/** The conditions of a command line. */
export class Where {
  readonly #conditions: readonly Condition[];

  /** @throws UsageError for an invalid condition, or a field that the rows do not have */
  constructor(args: Args, fields: Fields) {
    this.#conditions = args.all(WHERE.name).map((text) => conditionOf(text, fields));
  }

  /** Whether there are no conditions, so that every row matches. */
  get isEmpty(): boolean {
    return this.#conditions.length === 0;
  }

  /** Whether an item satisfies all conditions. An absent or null field equals only the empty text. */
  holds(item: unknown): boolean {
    return this.#conditions.every(({ field, operator, value }) => {
      const texts = textsAt(item, field);
      if (operator === "~") return texts.some((text) => text.toLowerCase().includes(value.toLowerCase()));
      return texts.includes(value) === (operator === "=");
    });
  }

  of<T>(items: readonly T[]): readonly T[] {
    return this.isEmpty ? items : items.filter((item) => this.holds(item));
  }
}

/** The fields of an API schema. */
export function fieldsOfSchema(schema: z.core.$ZodType, path = ""): Fields {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "object":
      return new Map(
        Object.entries(def.shape).flatMap(([name, field]) => [
          ...fieldsOfSchema(field, path === "" ? name : `${path}.${name}`),
        ]),
      );
    case "optional":
    case "nullable":
    case "default":
    case "readonly":
      return fieldsOfSchema(def.innerType, path);
    case "array":
      return fieldsOfSchema(def.element, path);
    case "union":
      return new Map(def.options.flatMap((option) => [...fieldsOfSchema(option, path)]));
    case "record":
    case "unknown":
    case "any":
    case "lazy":
      return new Map([[path, "open"]]);
    default:
      return new Map([[path, "field"]]);
  }
}

/** The fields of rows that the console builds itself. */
export function fieldsNamed(...names: readonly string[]): Fields {
  return new Map(names.map((name) => [name, "field"]));
}

function conditionOf(text: string, fields: Fields): Condition {
  const [, field = "", operator, value = ""] = /^([^=!~]+)(!=|=|~)(.*)$/s.exec(text) ?? [];
  if (operator !== "=" && operator !== "!=" && operator !== "~")
    throw new UsageError(
      `\`${text}\` is not a condition.`,
      "A condition is FIELD=VALUE, FIELD!=VALUE or FIELD~TEXT.",
      `give --where ${[...fields.keys()][0] ?? "id"}=VALUE`,
    );
  const isOpen = [...fields].some(([path, kind]) => kind === "open" && field.startsWith(`${path}.`));
  if (fields.has(field) || isOpen) return { field, operator, value };
  throw new UsageError(
    `There is no field \`${field}\` in this list.`,
    `It has ${[...fields].map(([path, kind]) => (kind === "open" ? `${path}.KEY` : path)).join(", ")}.`,
    "use one of these names",
  );
}

/** The values at a path as texts; several when the path passes a list. A name may contain dots, as metadata keys do. */
function textsAt(value: unknown, path: string): readonly string[] {
  if (Array.isArray(value)) return value.length === 0 ? [""] : value.flatMap((each) => textsAt(each, path));
  if (path === "") return [textOf(value)];
  if (typeof value !== "object" || value === null) return [""];
  const name = Object.keys(value)
    .filter((key) => path === key || path.startsWith(`${key}.`))
    .sort((a, b) => b.length - a.length)[0];
  return name === undefined ? [""] : textsAt(Reflect.get(value, name), path.slice(name.length + 1));
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
