/** A collection as an async iterable: pages are fetched on demand. */
import type { CallOptions, Transport } from "./transport.ts";

/** A page of a collection. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Token of the next page; absent on the last one. */
  readonly continuationToken?: string;
}

export interface PageOptions extends CallOptions {
  /** Number of items in a page, 1 to 1000. */
  readonly pageSize?: number | undefined;
}

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** `for await (const item of collection)` iterates over all items; `collection.page()` returns one page. */
export class Collection<T, P extends Page<T> = Page<T>> implements AsyncIterable<T> {
  readonly #transport: Transport;
  readonly #path: string;
  readonly #query: Query;
  readonly #options: PageOptions;
  readonly #headers: Readonly<Record<string, string | undefined>>;

  constructor(
    transport: Transport,
    path: string,
    query: Query = {},
    options: PageOptions = {},
    headers: Readonly<Record<string, string | undefined>> = {},
  ) {
    this.#transport = transport;
    this.#path = path;
    this.#query = query;
    this.#options = options;
    this.#headers = headers;
  }

  /** Returns one page. @param continuationToken from the previous page; the first page when omitted @throws PorchlightError */
  async page(continuationToken?: string): Promise<P> {
    const query = { ...this.#query, pageSize: this.#options.pageSize, continuationToken };
    const request = { method: "GET", path: this.#path, query, headers: this.#headers, repeat: "read" } as const;
    return (await this.#transport.send<P>(request, this.#options)).body;
  }

  async *pages(): AsyncGenerator<P, void, undefined> {
    for (let next: string | undefined; ; ) {
      const page = await this.page(next);
      yield page;
      next = page.continuationToken;
      if (next === undefined) return;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* page.items;
  }

  /** All items at once: for collections that are known to be small. */
  async all(): Promise<T[]> {
    const items: T[] = [];
    for await (const page of this.pages()) items.push(...page.items);
    return items;
  }
}
