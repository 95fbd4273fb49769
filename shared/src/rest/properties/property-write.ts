/**
 * Writes of properties: their bodies, parsed without schemas because thousands arrive in a second, and the checks against the device's
 * description, in the contract's order (section 4).
 */
import { type FieldProblem, isNamed, NamedError } from "../../kernel/index.ts";
import { type Described, type DescribedProperty, parseSelector, type Value, valueProblem } from "../../model/index.ts";

/** `value` of a body. @param known further fields that the route accepts @throws "Body Parameters Missing", "Body Parameters Invalid" */
export function readValue(raw: Record<string, unknown>, known: readonly string[]): Value {
  if (!Object.hasOwn(raw, "value"))
    throw new NamedError("Body Parameters Missing", "`value` is missing.", {
      errors: [{ pointer: "/value", message: "is missing" }],
    });
  const problems: FieldProblem[] = [];
  for (const key in raw) {
    if (key === "value" || known.includes(key)) continue;
    const message = key === "ttlSeconds" ? WITH_ASYNC_ONLY : "is not known here";
    problems.push({ pointer: `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`, message });
  }
  if (problems.length > 0) throw invalid(problems);
  // The cast is safe: the body was parsed from JSON.
  return raw.value as Value;
}

/** Longest lifetime of a command, seconds: as long as a hub remembers a command. */
const MOST_TTL = 86_400;
const WITH_ASYNC_ONLY = "is allowed only with `Prefer: respond-async`";

/** `ttlSeconds` of a body. @throws "Body Parameters Invalid" */
export function readTtl(ttl: unknown): number | undefined {
  if (ttl === undefined) return undefined;
  if (typeof ttl === "number" && Number.isInteger(ttl) && ttl >= 1 && ttl <= MOST_TTL) return ttl;
  throw invalid([{ pointer: "/ttlSeconds", message: `must be a whole number from 1 to ${MOST_TTL}` }]);
}

/** Rejects a `ttlSeconds` from a caller that waits for the command. @throws "Body Parameters Invalid" */
export function requireNoTtl(ttl: number | undefined): void {
  if (ttl !== undefined) throw invalid([{ pointer: "/ttlSeconds", message: WITH_ASYNC_ONLY }]);
}

/** `report` of a body. @throws "Body Parameters Invalid" */
export function readReport(report: unknown): boolean {
  if (report === undefined || report === true || report === false) return report === true;
  throw invalid([{ pointer: "/report", message: "must be true or false" }]);
}

function invalid(errors: readonly FieldProblem[]): NamedError {
  const detail = errors.map(({ pointer, message }) => `\`${pointer}\` ${message}`).join("; ");
  return new NamedError("Body Parameters Invalid", `${detail}.`, { errors });
}

/** Whether a write is a report, as the sensor of a virtual device would make one, and whether its caller may report. */
export type Report = "none" | "allowed" | "refused";

/**
 * The property to write.
 * @throws "Service Not Found", "Service Property Invalid", "Property Not Writable", "Property Value Invalid"
 */
export function checkWrite(
  device: Described,
  selectorText: string,
  value: Value,
  report: Report = "none",
): DescribedProperty {
  const property = propertyNamed(device, selectorText);
  if (report === "refused")
    throw new NamedError(
      "Property Not Writable",
      "You can report values only for virtual devices, and only with an account or server token.",
    );
  if (report === "none" && !property.writable)
    throw new NamedError("Property Not Writable", `${property.key} can be read but not set.`);
  const problem = valueProblem(property.description, value);
  if (problem) throw new NamedError("Property Value Invalid", problem);
  return property;
}

/** The single property that a selector names. @throws "Service Not Found", "Service Property Invalid" */
export function propertyNamed(device: Described, selectorText: string): DescribedProperty {
  const selector = parseSelector(selectorText);
  if (!selector) throw new NamedError("Service Not Found", "The selector must be SERVICE[:INDEX].PROPERTY.");
  const { service, index, property } = selector;
  const ofClass = device.byService.get(service) ?? [];
  const instances = ofClass.filter((each) => index === undefined || each.index === index);
  const [first] = instances;
  if (!first) throw new NamedError("Service Not Found", `The device has no service ${selectorText}.`);
  if (property === undefined) throw new NamedError("Service Property Invalid", "Name the property of the service.");
  if (instances.some((each) => each.index !== first.index))
    throw new NamedError(
      "Service Property Invalid",
      `The device has several ${service} services. Give the index of one.`,
    );
  const found = instances.find((each) => each.property === property);
  if (!found)
    throw new NamedError("Service Property Invalid", `${service} of this device has no property ${property}.`);
  return found;
}

/** Adds the command's ID to an error: every answer carries it. */
export function withCommandId(error: unknown, commandId: string): unknown {
  if (!isNamed(error)) return error;
  const { name, message, outcome, errors, retryAfter, members, status, cause } = error;
  const headers = { "x-command-id": commandId, ...error.headers };
  return new NamedError(name, message, { outcome, errors, retryAfter, members, status, cause, headers });
}
