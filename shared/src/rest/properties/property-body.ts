/** Parses the bodies of property writes without schemas, because thousands arrive in a second. */
import { type FieldProblem, NamedError } from "../../kernel/index.ts";
import type { Value } from "../../model/index.ts";

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
