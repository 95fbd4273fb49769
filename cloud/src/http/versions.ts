/** The versions of the API (contract 7): which path segments there are, and what an answer of each says. */

/** Released versions, newest last. A version gets its sunset, a year later, when it has a successor. */
export const VERSIONS = [{ name: "v0", released: "2026-11-01" }] as const;

const PREFIX = /^\/(v[^/?]*)(\/api(?:[/?].*)?)$/s;
/** A segment that asks for a version, known or not. */
const VERSIONED = /^\/v\d[^/?]*(?:[/?]|$)/;

/** The path as routes know it: that of the newest stable version needs no segment. */
export function withoutVersion(url: string): string {
  if (!url.startsWith("/v")) return url;
  const [, version, rest] = PREFIX.exec(url) ?? [];
  return rest !== undefined && VERSIONS.some(({ name }) => name === version) ? rest : url;
}

/** Whether a path that no route has asks for a version that there is not. */
export function isUnknownVersion(url: string): boolean {
  const version = url.slice(1).split(/[/?]/, 1)[0];
  return VERSIONED.test(url) && !VERSIONS.some(({ name }) => name === version);
}
