/** `etag`, `if-match` and `if-none-match` (RFC 9110, 13.1) for objects that have a version. */

/** A version as a strong entity tag. */
export function etag(version: number): string {
  return `"${version}"`;
}

/** Returns a test for the versions that `if-match` names; undefined when the request has no such header. */
export function ifMatch(header: string | undefined): ((version: number) => boolean) | undefined {
  if (header === undefined) return undefined;
  const tags = tagsOf(header);
  return (version) => tags.includes("*") || tags.includes(etag(version));
}

/** Whether a reader already has the content with this tag. @param header `if-none-match` */
export function hasAlready(header: string | undefined, tag: string | undefined): tag is string {
  if (header === undefined || tag === undefined) return false;
  const tags = tagsOf(header).map((one) => one.replace(/^W\//, ""));
  return tags.includes("*") || tags.includes(tag);
}

function tagsOf(header: string): string[] {
  return header.split(",").map((tag) => tag.trim());
}
