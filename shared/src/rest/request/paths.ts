/**
 * The path of a request: its version of the API (A7), by a segment of the path and by headers of the answer; and its route with the
 * methods, which a framework does not report when no route matches.
 */
import { formatTime, parseTime } from "../../kernel/index.ts";

interface ApiVersion {
  /** Path segment: `v0`. */
  readonly name: string;
  /** `YYYY-MM-DD`. The release of its successor deprecates a version, which ends a year later. */
  readonly released: string;
}

/** Released versions, newest last. */
export const VERSIONS: readonly ApiVersion[] = [{ name: "v0", released: "2026-11-01" }];

const PREFIX = /^\/(v[^/?]*)(\/api(?:[/?].*)?)$/s;
/** Matches a path with a version segment, known or not. */
const VERSIONED = /^\/v\d[^/?]*(?:[/?]|$)/;

export class ApiVersions {
  /** The most recent stable version, which serves a path without a version segment. */
  readonly newest: string;
  readonly #headers = new Map<string, Readonly<Record<string, string>>>();

  constructor(versions: readonly ApiVersion[] = VERSIONS) {
    this.newest = versions.at(-1)?.name ?? "";
    for (const [place, { name }] of versions.entries())
      this.#headers.set(name, { "x-api-version": name, ...farewell(versions[place + 1]) });
  }

  /** The path for routing: the newest version's routes are at `/api`, an older version's under its own segment. */
  rewrite(url: string): string {
    if (!url.startsWith("/v")) return url;
    const [, version, rest] = PREFIX.exec(url) ?? [];
    return rest !== undefined && version === this.newest ? rest : url;
  }

  /** Headers that state the version for an answer to that path. */
  headers(url: string): Readonly<Record<string, string>> {
    return this.#headers.get(versionOf(url) ?? this.newest) ?? this.#headers.get(this.newest) ?? {};
  }

  /** Whether a path without a route asks for a version that does not exist. */
  isUnknown(url: string): boolean {
    const version = url.slice(1).split(/[/?]/, 1)[0] ?? "";
    return VERSIONED.test(url) && !this.#headers.has(version);
  }
}

/** Version segment of a path of the API, known or not; undefined when it has none. */
export function versionOf(url: string): string | undefined {
  return url.startsWith("/v") ? PREFIX.exec(url)?.[1] : undefined;
}

/** Deprecation and end of a version (RFC 9745 and RFC 8594); no headers for the newest. */
function farewell(successor: ApiVersion | undefined): Readonly<Record<string, string>> {
  if (!successor) return {};
  const deprecated = midnight(successor.released);
  const ends = midnight(successor.released.replace(/^\d+/, (year) => String(Number(year) + 1)));
  return { deprecation: `@${deprecated / 1000}`, sunset: httpDate(ends) };
}

/** @param day `YYYY-MM-DD`; 29 February of a year without one counts as 1 March */
function midnight(day: string): number {
  const at = parseTime(`${day} 00:00:00Z`) ?? parseTime(`${day.replace(/-02-29$/, "-03-01")} 00:00:00Z`);
  if (at === undefined) throw new Error(`${day} is no day`);
  return at;
}

/** Names for times in HTTP headers (RFC 9110, section 5.6.7). */
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

/** A route, as the index needs it. */
interface RoutePlace {
  readonly method: string;
  /** Path with `:name` for its parameters. */
  readonly path: string;
}

export class RouteIndex<R extends RoutePlace = RoutePlace> {
  readonly #routes: readonly { readonly pattern: RegExp; readonly method: string; readonly route: R }[];

  constructor(routes: readonly R[]) {
    this.#routes = routes.map((route) => ({
      pattern: patternOf(route.path),
      method: route.method,
      route,
    }));
  }

  /**
   * The route of a request with the decoded parameters of its path; undefined when there is none.
   * @throws URIError when the path is not well-formed
   */
  find(
    method: string,
    url: string,
  ): { readonly route: R; readonly params: Readonly<Record<string, string>> } | undefined {
    const path = pathOf(url);
    const wanted = method === "HEAD" ? "GET" : method;
    for (const { pattern, method: has, route } of this.#routes) {
      const match = has === wanted ? pattern.exec(path) : null;
      if (!match) continue;
      const params = Object.entries(match.groups ?? {}).map(([name, text]) => [name, decodeURIComponent(text)]);
      return { route, params: Object.fromEntries(params) };
    }
    return undefined;
  }

  /** Methods in the order of an `allow` header; empty when no route has the path. For `*`, all methods of the service (RFC 9110, 9.3.7). */
  methods(url: string): string[] {
    const path = pathOf(url);
    const found = new Set<string>();
    for (const { pattern, method } of this.#routes) {
      if (path !== "*" && !pattern.test(path)) continue;
      found.add(method);
      if (method === "GET") found.add("HEAD");
    }
    return [...found];
  }
}

/** An empty parameter in the middle of a path matches, so that the route itself can report that it names nothing. */
function patternOf(path: string): RegExp {
  const inside = path.replaceAll(".", "\\.").replaceAll(/:(\w+)(?=\/)/g, "(?<$1>[^/]*)");
  return new RegExp(`^${inside.replaceAll(/:(\w+)$/g, "(?<$1>[^/]+)")}/?$`);
}

function pathOf(url: string): string {
  const end = url.indexOf("?");
  return end < 0 ? url : url.slice(0, end);
}
