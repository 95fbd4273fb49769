/** Rules for every body of every route: it must be present and an object; and the format of its errors. */
import { isUtf8 } from "node:buffer";
import { MOST_ERRORS } from "../../api/index.ts";
import { type FieldProblem, NamedError } from "../../kernel/index.ts";
import { parseStrictJson } from "./strict-json.ts";

/**
 * The body as an object.
 * @param raw undefined when there was no body
 * @throws "Body Parameters Missing", "Body Parameters Invalid"
 */
export function bodyObject(raw: unknown, optional = false): Record<string, unknown> {
  if (raw === undefined && !optional) throw new NamedError("Body Parameters Missing", "The JSON body is missing.");
  const given = raw === undefined ? {} : raw;
  if (!isRecord(given)) throw bodyInvalid([{ pointer: "", message: "must be a JSON object" }]);
  return given;
}

/** "Body Parameters Invalid" with every invalid place. */
export function bodyInvalid(errors: readonly FieldProblem[]): NamedError {
  const detail = errors
    .slice(0, MOST_ERRORS)
    .map(({ pointer, message }) => `\`${pointer || "the body"}\`: ${message}`)
    .join("; ");
  return new NamedError("Body Parameters Invalid", `${detail}.`, { errors });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Parses the bytes of a body.
 * @param mostValues limit of members and elements, for routes that need only a few
 * @throws "Body Parameters Missing", and the errors of {@link parseStrictJson}
 */
export function parseBody(bytes: Buffer, mostValues?: number): unknown {
  try {
    if (!isUtf8(bytes)) throw new SyntaxError("not UTF-8");
    return parseStrictJson(bytes, mostValues);
  } catch (cause) {
    if (cause instanceof NamedError) throw cause;
    throw new NamedError("Body Parameters Missing", "The body is not valid JSON.", { cause });
  }
}

/** The error for a body whose `content-type` is not JSON. */
export function wrongType(type: string | undefined): NamedError {
  const detail = type === undefined ? "The `content-type` is missing" : "The `content-type` is not JSON's";
  return new NamedError("Body Parameters Missing", `${detail}: it must be application/json.`);
}
