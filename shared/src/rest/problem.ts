/** Formats every error as the contract's body (1.5), from every origin: a route, the framework, the socket. */
import { MOST_ERRORS } from "../api/index.ts";
import { errorPath, type FieldProblem, NamedError } from "../kernel/index.ts";

export const PROBLEM_TYPE = "application/problem+json";

/** Header of every answer: browsers must trust the `content-type` and not guess. */
export const NOT_GUESSED_AT: Readonly<Record<string, string>> = { "x-content-type-options": "nosniff" };
/** Longest `detail`, `pointer` and `message`, characters: each may contain input of the caller. */
const LONGEST = { detail: 1_000, pointer: 100, message: 160 } as const;
/** Maximum size of all entries of `errors`, bytes of their JSON. */
const ERRORS_BYTES = 4_096;

/** @param publicUrl the service's own address, when the operator has set it */
export function problemBody(error: NamedError, requestId: string, publicUrl = ""): Record<string, unknown> {
  return {
    type: publicUrl + errorPath(error.name),
    title: error.name,
    status: error.status,
    detail: cut(error.message, LONGEST.detail),
    instance: requestId,
    ...(error.errors && boundedErrors(error.errors)),
    ...(error.retryable && { retryable: true }),
    ...(error.outcome && { outcome: error.outcome }),
    ...error.members,
  };
}

/** The first entries, as many as fit, and the number of omitted ones. */
function boundedErrors(all: readonly FieldProblem[]): { errors: FieldProblem[]; moreErrors?: number } {
  const errors: FieldProblem[] = [];
  let bytes = 0;
  for (const { pointer, message } of all.slice(0, MOST_ERRORS)) {
    const entry = { pointer: cut(pointer, LONGEST.pointer), message: cut(message, LONGEST.message) };
    bytes += Buffer.byteLength(JSON.stringify(entry));
    if (bytes > ERRORS_BYTES) break;
    errors.push(entry);
  }
  const more = all.length - errors.length;
  return more > 0 ? { errors, moreErrors: more } : { errors };
}

/** The text cut to `longest` characters; a cut text ends in an ellipsis. */
function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1).toWellFormed()}…`;
}

/** Headers of an error answer. */
export function problemHeaders(error: NamedError): Record<string, string> {
  return {
    ...error.headers,
    "content-type": PROBLEM_TYPE,
    ...(error.status === 401 && { "www-authenticate": "Bearer" }),
    ...(error.retryAfter !== undefined && { "retry-after": String(Math.ceil(error.retryAfter)) }),
  };
}

/** The answer to a rejected WebSocket upgrade. */
export function upgradeRefusal(error: NamedError, requestId: string, publicUrl?: string) {
  return {
    status: error.status,
    headers: { ...problemHeaders(error), ...NOT_GUESSED_AT, "x-api-version": "v0", "x-request-id": requestId },
    body: JSON.stringify(problemBody(error, requestId, publicUrl)),
  };
}

/** Answers a request that has an `expect` other than 100-continue (RFC 9110, 10.1.1), without reading its body. */
export function refuseExpectation(
  response: { writeHead(status: number, headers: Record<string, string>): { end(body: string): unknown } },
  requestId: string,
): void {
  const detail = "The service cannot do what `expect` asks for: it supports 100-continue only.";
  const { status, headers, body } = upgradeRefusal(
    new NamedError("Body Parameters Invalid", detail, { status: 417 }),
    requestId,
  );
  response.writeHead(status, { ...headers, connection: "close" }).end(body);
}

/** The answer to invalid HTTP, which no route can serve, as raw bytes. */
export function rawProblem(code: string, requestId: string): string {
  const error = unreadable(code);
  const body = JSON.stringify(problemBody(error, requestId));
  const head = [
    `HTTP/1.1 ${error.status} ${error.status === 400 ? "Bad Request" : "Refused"}`,
    `content-type: ${PROBLEM_TYPE}`,
    `content-length: ${Buffer.byteLength(body)}`,
    "x-content-type-options: nosniff",
    "x-api-version: v0",
    `x-request-id: ${requestId}`,
    "connection: close",
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}

function unreadable(code: string): NamedError {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return new NamedError("Body Parameters Invalid", "The path and headers are larger than 16 KiB.", { status: 431 });
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new NamedError("Body Parameters Missing", "The request was not complete in time.", { status: 408 });
    default:
      return new NamedError("Body Parameters Invalid", "The request is not valid HTTP.");
  }
}
