/** Pages of a collection by key, with sealed continuation tokens (A1.6). */
import { NamedError } from "@porchlight/shared/kernel";
import { readPageSize } from "@porchlight/shared/rest";
import { type Caller, type Keyring, principalOf } from "../../access/index.ts";
import type { Call } from "./call.ts";
import { type Answer, ok } from "./route.ts";

/** From the oldest on, or from the newest back. */
export type Order = "oldest" | "newest";

export interface PageAsked {
  /** The page begins after this ID, in its order; "" at the start. */
  readonly after: string;
  /** "oldest" where the route does not take `order`. */
  readonly order: Order;
  readonly size: number;
  /** Rows to fetch: one more than the page has, to know whether there is another. */
  readonly limit: number;
  /** What the continuation token is good for. */
  readonly purpose: string;
}

export class Pager {
  readonly #keyring: Keyring;

  constructor(keyring: Keyring) {
    this.#keyring = keyring;
  }

  /** @param sizeOf reads `pageSize`, where a page may be larger than elsewhere @throws "Page Size Invalid", "Continuation Token Invalid", and of a route that takes `order` "Query Parameter Invalid" */
  read(call: Call<Caller, unknown>, sizeOf: (text: string | undefined) => number = readPageSize): PageAsked {
    const { pageSize, continuationToken, ...filters } = call.query;
    const size = sizeOf(pageSize);
    const order = readOrder(filters.order);
    const purpose = JSON.stringify([
      "page",
      principalOf(call.caller),
      decodePath(call.path),
      Object.entries(filters).sort(),
    ]);
    const after = continuationToken === undefined ? "" : this.#keyring.open(purpose, continuationToken);
    if (after === undefined) throw new NamedError("Continuation Token Invalid");
    return { after, order, size, limit: size + 1, purpose };
  }

  /** The token for the page after this one. @param after where that page begins, as `read` gives it back */
  token(asked: PageAsked, after: string): string {
    return this.#keyring.seal(asked.purpose, after);
  }

  /** @param rows up to `asked.limit`, in the order of their IDs that was asked for */
  answer<R extends { readonly id: string }>(asked: PageAsked, rows: readonly R[], show: (row: R) => object): Answer {
    const shown = rows.length > asked.size ? rows.slice(0, asked.size) : rows;
    const items = shown.map(show);
    const last = shown.at(-1);
    if (rows.length <= asked.size || !last) return ok({ items });
    return ok({ items, continuationToken: this.token(asked, last.id) });
  }
}

function readOrder(text: string | undefined): Order {
  if (text === undefined || text === "oldest") return "oldest";
  if (text === "newest") return "newest";
  throw new NamedError("Query Parameter Invalid", "`order` must be oldest or newest.");
}

/** `%3B` is the same as `;`: one path however it is spelled. The router has decoded it once without complaint. */
function decodePath(path: string): string {
  return decodeURIComponent(path);
}
