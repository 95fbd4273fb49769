/** Pages of a collection by key, with sealed continuation tokens (contract 1.6). */
import { NamedError } from "@porchlight/shared/kernel";
import { readPageSize } from "@porchlight/shared/rest";
import { type Caller, type Keyring, principalOf } from "../access/index.ts";
import type { Call } from "./call.ts";
import { type Answer, ok } from "./route.ts";

export interface PageAsked {
  /** The page begins after this ID; "" at the start. */
  readonly after: string;
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

  /** @throws "Page Size Invalid", "Continuation Token Invalid" */
  read(call: Call<Caller, unknown>): PageAsked {
    const { pageSize, continuationToken, ...filters } = call.query;
    const size = readPageSize(pageSize);
    const purpose = JSON.stringify([
      "page",
      principalOf(call.caller),
      decodePath(call.path),
      Object.entries(filters).sort(),
    ]);
    const after = continuationToken === undefined ? "" : this.#keyring.open(purpose, continuationToken);
    if (after === undefined) throw new NamedError("Continuation Token Invalid");
    return { after, size, limit: size + 1, purpose };
  }

  /** @param rows up to `asked.limit`, in order of their ID */
  answer<R extends { readonly id: string }>(asked: PageAsked, rows: readonly R[], show: (row: R) => object): Answer {
    const shown = rows.length > asked.size ? rows.slice(0, asked.size) : rows;
    const items = shown.map(show);
    const last = shown.at(-1);
    if (rows.length <= asked.size || !last) return ok({ items });
    return ok({ items, continuationToken: this.#keyring.seal(asked.purpose, last.id) });
  }
}

/** `%3B` is the same as `;`: one path however it is spelled. The router has decoded it once without complaint. */
function decodePath(path: string): string {
  return decodeURIComponent(path);
}
