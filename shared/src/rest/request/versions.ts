/** The versions of the API (A7): which path segments there are, and what an answer of each says of itself. */
import { formatTime, parseTime } from "../../kernel/index.ts";

export interface ApiVersion {
  /** Path segment: `v0`. */
  readonly name: string;
  /** `YYYY-MM-DD`. With its successor's release a version is deprecated, and ends a year later. */
  readonly released: string;
}

/** Released versions, newest last. */
export const VERSIONS: readonly ApiVersion[] = [{ name: "v0", released: "2026-11-01" }];

const PREFIX = /^\/(v[^/?]*)(\/api(?:[/?].*)?)$/s;
/** A segment that asks for a version, known or not. */
const VERSIONED = /^\/v\d[^/?]*(?:[/?]|$)/;

export class ApiVersions {
  /** The most recent stable version: what a path without a segment asks for. */
  readonly newest: string;
  readonly #headers = new Map<string, Readonly<Record<string, string>>>();

  constructor(versions: readonly ApiVersion[] = VERSIONS) {
    this.newest = versions.at(-1)?.name ?? "";
    for (const [place, { name }] of versions.entries())
      this.#headers.set(name, { "x-api-version": name, ...farewell(versions[place + 1]) });
  }

  /** The path as routes know it: the newest version's stand at `/api`, an older one's under its own segment. */
  rewrite(url: string): string {
    if (!url.startsWith("/v")) return url;
    const [, version, rest] = PREFIX.exec(url) ?? [];
    return rest !== undefined && version === this.newest ? rest : url;
  }

  /** What an answer to that path says of its version. */
  headers(url: string): Readonly<Record<string, string>> {
    return this.#headers.get(versionOf(url) ?? this.newest) ?? this.#headers.get(this.newest) ?? {};
  }

  /** Whether a path that no route has asks for a version that there is not. */
  isUnknown(url: string): boolean {
    const version = url.slice(1).split(/[/?]/, 1)[0] ?? "";
    return VERSIONED.test(url) && !this.#headers.has(version);
  }
}

/** Version segment of a path of the API, known or not; undefined when it has none. */
export function versionOf(url: string): string | undefined {
  return url.startsWith("/v") ? PREFIX.exec(url)?.[1] : undefined;
}

/** RFC 9745 and RFC 8594: since when it is deprecated, and when it ends. Nothing of the newest. */
function farewell(successor: ApiVersion | undefined): Readonly<Record<string, string>> {
  if (!successor) return {};
  const deprecated = midnight(successor.released);
  const ends = midnight(successor.released.replace(/^\d+/, (year) => String(Number(year) + 1)));
  return { deprecation: `@${deprecated / 1000}`, sunset: httpDate(ends) };
}

/** @param day `YYYY-MM-DD`; of a 29 February a year later it is the 1 March */
function midnight(day: string): number {
  const at = parseTime(`${day} 00:00:00Z`) ?? parseTime(`${day.replace(/-02-29$/, "-03-01")} 00:00:00Z`);
  if (at === undefined) throw new Error(`${day} is no day`);
  return at;
}

/** Times as HTTP writes them in headers (RFC 9110, section 5.6.7). */
const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** @param ms wall clock, ms @returns `Sun, 01 Nov 2026 00:00:00 GMT` */
export function httpDate(ms: number): string {
  const [date = "", time = ""] = formatTime(ms).replace("Z", "").split(" ");
  const [year, month, day] = date.split("-");
  // 1970 began on a Thursday.
  const weekday = DAYS[(Math.floor(ms / 86_400_000) + 4) % 7];
  return `${weekday}, ${day} ${MONTHS[Number(month) - 1]} ${year} ${time} GMT`;
}
