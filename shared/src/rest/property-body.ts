/** Bodies of property writes, checked without their schemas: they are read thousands of times a second. */
import { type FieldProblem, NamedError } from "../kernel/index.ts";
import type { Value } from "../model/index.ts";

/** `value` of a body. @param known further fields that the route takes @throws "Body Parameters Missing", "Body Parameters Invalid" */
export function readValue(raw: Record<string, unknown>, known: readonly string[]): Value {
  if (!Object.hasOwn(raw, "value"))
    throw new NamedError("Body Parameters Missing", "`value` is missing.", {
      errors: [{ pointer: "/value", message: "is missing" }],
    });
  const problems: FieldProblem[] = [];
  for (const key in raw) {
    if (key === "value" || known.includes(key)) continue;
    const message = key === "ttlSeconds" ? "is taken together with `Prefer: respond-async` only" : "is not known here";
    problems.push({ pointer: `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`, message });
  }
  if (problems.length > 0) throw invalid(problems);
  // It was parsed from JSON.
  return raw.value as Value;
}

/** `report` of a body. @throws "Body Parameters Invalid" */
export function readReport(report: unknown): boolean {
  if (report === undefined || report === true || report === false) return report === true;
  throw invalid([{ pointer: "/report", message: "is to be true or false" }]);
}

function invalid(errors: readonly FieldProblem[]): NamedError {
  const detail = errors.map(({ pointer, message }) => `\`${pointer}\` ${message}`).join("; ");
  return new NamedError("Body Parameters Invalid", `${detail}.`, { errors });
}
