/** Every error as the body that the contract has for it (1.5), whoever raised it: a route, the framework, the socket. */
import { errorPath, NamedError } from "../kernel/index.ts";

export const PROBLEM_TYPE = "application/problem+json";

/** @param publicUrl the service's own address, when the operator has told it */
export function problemBody(error: NamedError, requestId: string, publicUrl = ""): Record<string, unknown> {
  return {
    type: publicUrl + errorPath(error.name),
    title: error.name,
    status: error.status,
    detail: error.message,
    instance: requestId,
    ...(error.errors && { errors: error.errors }),
    ...(error.retryable && { retryable: true }),
    ...(error.outcome && { outcome: error.outcome }),
    ...error.members,
  };
}

/** Headers that go with an error. */
export function problemHeaders(error: NamedError): Record<string, string> {
  return {
    ...error.headers,
    "content-type": PROBLEM_TYPE,
    ...(error.status === 401 && { "www-authenticate": "Bearer" }),
    ...(error.retryAfter !== undefined && { "retry-after": String(Math.ceil(error.retryAfter)) }),
  };
}

/** The answer to a request that is not to become a WebSocket. */
export function upgradeRefusal(error: NamedError, requestId: string, publicUrl?: string) {
  return {
    status: error.status,
    headers: { ...problemHeaders(error), "x-api-version": "v0", "x-request-id": requestId },
    body: JSON.stringify(problemBody(error, requestId, publicUrl)),
  };
}

/** What is no HTTP that could be answered by a route, as raw bytes of an answer. */
export function rawProblem(code: string, requestId: string): string {
  const error = unreadable(code);
  const body = JSON.stringify(problemBody(error, requestId));
  const head = [
    `HTTP/1.1 ${error.status} ${error.status === 400 ? "Bad Request" : "Refused"}`,
    `content-type: ${PROBLEM_TYPE}`,
    `content-length: ${Buffer.byteLength(body)}`,
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
      return new NamedError("Body Parameters Missing", "The request did not come to its end in time.", { status: 408 });
    default:
      return new NamedError("Body Parameters Invalid", "This is not HTTP that can be read.");
  }
}
