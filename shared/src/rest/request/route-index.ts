/** Finds the route and the methods of a path, which a framework does not report when no route matches. */

/** A route, as the index needs it. */
export interface RoutePlace {
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
