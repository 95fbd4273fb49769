/** Evaluates `if-none-match` against a route's answer. */
import { hasAlready } from "@porchlight/shared/rest";
import type { Answer } from "./route.ts";

export { ifMatch } from "@porchlight/shared/rest";

/** The answer to a GET: 304 without a body when the client has this version already. */
export function unlessMatch(header: string | undefined, answer: Answer): Answer {
  const tag = answer.headers?.etag;
  return hasAlready(header, tag) ? { status: 304, headers: { etag: tag } } : answer;
}
