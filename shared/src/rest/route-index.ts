/** Which methods a path has: what the framework does not tell when none of its routes fits. */

/** A route, as far as it is looked for. */
export interface RoutePlace {
  readonly method: string;
  /** With `:name` for its parameters. */
  readonly path: string;
}

export class RouteIndex {
  readonly #routes: readonly { readonly pattern: RegExp; readonly method: string }[];

  constructor(routes: readonly RoutePlace[]) {
    this.#routes = routes.map(({ path, method }) => ({
      pattern: new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/:\w+/g, "[^/]+")}/?$`),
      method,
    }));
  }

  /** Methods in the order of an `allow` header; none when no route has the path. */
  methods(url: string): string[] {
    const end = url.indexOf("?");
    const path = end < 0 ? url : url.slice(0, end);
    const found = new Set<string>();
    for (const { pattern, method } of this.#routes) {
      if (!pattern.test(path)) continue;
      found.add(method);
      if (method === "GET") found.add("HEAD");
    }
    return [...found];
  }
}
