// The few calls of the public REST API that the demonstration makes, as any client would make them.

export class Api {
  #base;

  constructor(base) {
    this.#base = base;
  }

  /** Gives the parsed body. Throws an Error with `status` and the problem's own words. */
  async call(method, path, { token, body } = {}) {
    const headers = {};
    if (token) headers.authorization = `Bearer ${token}`;
    if (body) headers["content-type"] = "application/json";
    const response = await fetch(`${this.#base}${path}`, {
      method,
      headers,
      body: body ? JSON.stringify(body) : undefined,
    });
    const text = await response.text();
    const parsed = text ? JSON.parse(text) : undefined;
    if (!response.ok)
      throw Object.assign(new Error(`${method} ${path}: ${parsed?.title}. ${parsed?.detail}`), {
        status: response.status,
        title: parsed?.title,
      });
    return parsed;
  }

  /** Every item of a collection. */
  async list(path, token) {
    const items = [];
    let page = await this.call("GET", path, { token });
    items.push(...page.items);
    while (page.continuationToken) {
      const separator = path.includes("?") ? "&" : "?";
      page = await this.call(
        "GET",
        `${path}${separator}continuationToken=${encodeURIComponent(page.continuationToken)}`,
        { token },
      );
      items.push(...page.items);
    }
    return items;
  }
}
