/** Bodies of property writes, checked without their schemas: they are read thousands of times a second. */
import { propertyUpdate, wideUpdate } from "@porchlight/shared/api";
import { type FieldProblem, NamedError } from "@porchlight/shared/kernel";
import type { Value } from "@porchlight/shared/model";
import type { BodyRule } from "../body-rules.ts";

export interface PropertyBody {
  readonly value: Value;
  /** As the device's own sensor would tell it. */
  readonly report: boolean;
}

/** Of one property of one device. */
export const PROPERTY_BODY: BodyRule<PropertyBody> = {
  schema: propertyUpdate,
  check: (raw) => ({ value: readValue(raw, ["report"]), report: readReport(raw.report) }),
};

/** Of a property of many devices. */
export const WIDE_BODY: BodyRule<{ readonly value: Value }> = {
  schema: wideUpdate,
  check: (raw) => ({ value: readValue(raw, []) }),
};

/** @throws "Body Parameters Missing", "Body Parameters Invalid" */
function readValue(raw: Record<string, unknown>, known: readonly string[]): Value {
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

/** @throws "Body Parameters Invalid" */
function readReport(report: unknown): boolean {
  if (report === undefined || report === true || report === false) return report === true;
  throw invalid([{ pointer: "/report", message: "is to be true or false" }]);
}

function invalid(errors: readonly FieldProblem[]): NamedError {
  const detail = errors.map(({ pointer, message }) => `\`${pointer}\` ${message}`).join("; ");
  return new NamedError("Body Parameters Invalid", `${detail}.`, { errors });
}
