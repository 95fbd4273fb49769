/** `if-match` and `if-none-match` (RFC 9110, 13.1) against the version of an object. */
import { type Answer, etag } from "./route.ts";

/** Whether a version is one that `if-match` names; undefined when the request does not ask. */
export function ifMatch(header: string | undefined): ((version: number) => boolean) | undefined {
  if (header === undefined) return undefined;
  const tags = tagsOf(header);
  return (version) => tags.includes("*") || tags.includes(etag(version));
}

/** The answer to a GET: 304 without a body when the reader has this version already. */
export function unlessMatch(header: string | undefined, answer: Answer): Answer {
  const tag = answer.headers?.etag;
  if (header === undefined || tag === undefined) return answer;
  const tags = tagsOf(header).map((one) => one.replace(/^W\//, ""));
  return tags.includes("*") || tags.includes(tag) ? { status: 304, headers: { etag: tag } } : answer;
}

function tagsOf(header: string): string[] {
  return header.split(",").map((tag) => tag.trim());
}
