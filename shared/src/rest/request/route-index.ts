/** From a path to its route, and to the methods that it has: what a framework does not tell when none of its routes fits. */

/** A route, as far as it is looked for. */
export interface RoutePlace {
  readonly method: string;
  /** With `:name` for its parameters. */
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
   * The route of a request with the parameters of its path, decoded; undefined when there is none.
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

  /** Methods in the order of an `allow` header; none when no route has the path. Of `*`, all that the service has (RFC 9110, 9.3.7). */
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

/** In the middle of a path an empty parameter is one, which then names nothing. */
function patternOf(path: string): RegExp {
  const inside = path.replaceAll(".", "\\.").replaceAll(/:(\w+)(?=\/)/g, "(?<$1>[^/]*)");
  return new RegExp(`^${inside.replaceAll(/:(\w+)$/g, "(?<$1>[^/]+)")}/?$`);
}

function pathOf(url: string): string {
  const end = url.indexOf("?");
  return end < 0 ? url : url.slice(0, end);
}
