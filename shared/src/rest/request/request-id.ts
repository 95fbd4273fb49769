/** The request id: a client's own id is used when it is valid (A1.0.2). */

const CLIENTS_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** The client's own id; undefined when it is absent or invalid. @param header `x-request-id` */
export function readRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === "string" && CLIENTS_ID.test(header) ? header : undefined;
}
