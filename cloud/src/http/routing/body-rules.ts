/** Validates a parsed body: every fault becomes the error that the contract names (1.1). */
import { type ErrorName, type FieldProblem, NamedError } from "@porchlight/shared/kernel";
import { type Value, valuesEqual } from "@porchlight/shared/model";
import { bodyInvalid, bodyObject, pointerOf } from "@porchlight/shared/rest";
import type { z } from "zod";

export interface BodyRule<T> {
  /** Documents the body, and checks it unless `check` does. */
  readonly schema: z.ZodObject;
  /** Whether the body is optional. */
  readonly optional?: true;
  /** Fields of the resource that a PUT may contain with their stored values. */
  readonly readOnly?: readonly string[];
  /** Fields of the resource that a PUT may contain with any value. */
  readonly ignored?: readonly string[];
  /** Replaces the schema where a body is checked thousands of times a second. */
  readonly check?: (raw: Record<string, unknown>) => T;
}

export interface ReadBody<T> {
  readonly body: T;
  /** The read-only fields of the body: see {@link requireUnchanged}. */
  readonly readBack: Readonly<Record<string, unknown>>;
}

/** The rule of a body that its schema describes completely. */
export function bodyOf<S extends z.ZodObject>(
  schema: S,
  options: Omit<BodyRule<z.output<S>>, "schema" | "check"> = {},
): BodyRule<z.output<S>> {
  return { schema, ...options };
}

const NOTHING: Readonly<Record<string, unknown>> = {};

/** @param raw undefined without a body @throws the errors of the contract */
export function readBody<T>(rule: BodyRule<T>, raw: unknown): ReadBody<T> {
  const given = bodyObject(raw, rule.optional);
  if (rule.check) return { body: rule.check(given), readBack: NOTHING };
  const { fields, readBack } =
    rule.readOnly || rule.ignored ? setAside(rule, given) : { fields: given, readBack: NOTHING };
  const parsed = rule.schema.safeParse(fields);
  if (!parsed.success) throw refusal(rule.schema, fields, parsed.error.issues);
  // The maker of the rule has bound T to the schema.
  return { body: parsed.data as T, readBack };
}

/** @throws "Body Parameters Invalid" when a read-only field differs from its stored value */
export function requireUnchanged(readBack: Readonly<Record<string, unknown>>, stored: object): void {
  const errors = Object.keys(readBack)
    .filter((key) => !valuesEqual(readBack[key] as Value, (Reflect.get(stored, key) ?? null) as Value))
    .map((key) => ({ pointer: `/${key}`, message: "cannot be changed" }));
  if (errors.length > 0) throw bodyInvalid(errors);
}

function setAside<T>(rule: BodyRule<T>, given: Record<string, unknown>) {
  const fields: Record<string, unknown> = Object.create(null);
  const readBack: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(given)) {
    if (rule.readOnly?.includes(key)) readBack[key] = value;
    else if (!rule.ignored?.includes(key)) fields[key] = value;
  }
  return { fields: { ...fields }, readBack };
}

/** Orders the faults: missing fields before wrong ones, a field's own error before the general one, fields in the schema's order. */
function refusal(schema: z.ZodObject, given: Record<string, unknown>, issues: readonly z.core.$ZodIssue[]): NamedError {
  const missing: FieldProblem[] = [];
  const wrong: FieldProblem[] = [];
  let wrongName: ErrorName | undefined;
  for (const [key, field] of Object.entries<z.ZodType>(schema.shape)) {
    const own = issues.filter((issue) => issue.path[0] === key);
    if (own.length === 0) continue;
    const errors = field.meta() ?? {};
    if (isAbsent(given[key]) && !field.safeParse(undefined).success) {
      if (isName(errors["x-missing"])) throw new NamedError(errors["x-missing"], `\`${key}\` is missing.`);
      missing.push({ pointer: `/${key}`, message: "is missing" });
      continue;
    }
    if (isName(errors["x-invalid"])) wrongName ??= errors["x-invalid"];
    wrong.push(...own.map((issue) => ({ pointer: pointerOf(issue.path), message: issue.message })));
  }
  if (missing.length > 0)
    return new NamedError("Body Parameters Missing", `\`${missing.map(fieldOf).join("`, `")}\` is missing.`, {
      errors: missing,
    });
  if (wrongName) return new NamedError(wrongName, undefined, { errors: wrong });
  const unknown = issues.flatMap((issue) =>
    issue.code === "unrecognized_keys" && issue.path.length === 0 ? issue.keys : [],
  );
  return bodyInvalid([
    ...wrong,
    ...unknown.map((key) => ({ pointer: pointerOf([key]), message: "is not known here" })),
  ]);
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

function isName(name: unknown): name is ErrorName {
  return typeof name === "string";
}

function fieldOf({ pointer }: FieldProblem): string {
  return pointer.slice(1);
}
