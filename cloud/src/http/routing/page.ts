/** Pages of a collection by key, with sealed continuation tokens (A1.6). */
import { NamedError } from "@porchlight/shared/kernel";
import { PAGE_BYTES, readPageSize } from "@porchlight/shared/rest";
import { type Caller, type Keyring, principalOf } from "../../access/index.ts";
import type { Call } from "./call.ts";
import type { Answer } from "./route.ts";

/** From the oldest on, or from the newest back. */
export type Order = "oldest" | "newest";

export interface PageAsked {
  /** The page begins after this ID, in its order; "" at the start. */
  readonly after: string;
  /** "oldest" where the route does not take `order`. */
  readonly order: Order;
  readonly size: number;
  /** What the continuation token is good for. */
  readonly purpose: string;
  /** Settles when the next slice of the page can be made. */
  readonly turn: () => Promise<void>;
}

/** Rows of a page that are read together, after the row with that ID. */
export interface PagePart {
  readonly after: string;
  readonly order: Order;
  readonly limit: number;
}

/** Rows that are read together, first and at most: with 64 KiB of metadata each they have 256 KiB and 4 MiB. */
const ROWS_OF_PART = { first: 4, most: 64 };

/** Bytes after which the making of a page waits for its next turn. */
const SLICE_BYTES = 32 * 1024;

/** The items of a page as JSON, up to its bytes. */
export class PageText {
  /** Most bytes; the first item may have more. */
  readonly bytes: number;
  readonly #turn: () => Promise<void>;
  readonly #items: string[] = [];
  #length = 0;
  #ofSlice = 0;
  #isFull = false;

  constructor(bytes: number, turn: () => Promise<void>) {
    this.bytes = bytes;
    this.#turn = turn;
  }

  /** Whether an item did not fit any more. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** How many more items will fit, by the mean of those that it has; undefined while it has none. */
  get fitting(): number | undefined {
    if (this.#items.length === 0) return undefined;
    return Math.ceil(((this.bytes - this.#length) * this.#items.length) / this.#length) || 1;
  }

  /** @returns false, and the item is not in the page, when it does not fit; the first one always does */
  async add(item: string): Promise<boolean> {
    const length = Buffer.byteLength(item);
    this.#isFull = this.#items.length > 0 && this.#length + length > this.bytes;
    if (this.#isFull) return false;
    this.#items.push(item);
    this.#length += length;
    this.#ofSlice += length;
    if (this.#ofSlice > SLICE_BYTES) {
      this.#ofSlice = 0;
      await this.#turn();
    }
    return true;
  }

  /** @param rest members beside `items` */
  answer(rest: object = {}): Answer {
    const others = JSON.stringify(rest).slice(1);
    return { status: 200, text: `{"items":[${this.#items.join(",")}]${others === "}" ? "" : ","}${others}` };
  }
}

export class Pager {
  readonly #keyring: Keyring;
  /** After so many bytes a page ends. */
  readonly bytes: number;

  /** @param bytes after which a page ends, whatever its page size is: one object can have 64 KiB of metadata */
  constructor(keyring: Keyring, bytes = PAGE_BYTES) {
    this.#keyring = keyring;
    this.bytes = bytes;
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
    return { after, order, size, purpose, turn: () => call.turn() };
  }

  /** The token for the page after this one. @param after where that page begins, as `read` gives it back */
  token(asked: PageAsked, after: string): string {
    return this.#keyring.seal(asked.purpose, after);
  }

  /**
   * A page of up to `asked.size` objects, or of fewer when they have more bytes than a page may have. Its parts are read and written one
   * after another, with turns of other requests in between.
   * @param list reads up to `limit` rows; fewer are the last ones
   */
  async answer<R extends { readonly id: string }>(
    asked: PageAsked,
    list: (part: PagePart) => Promise<readonly R[]>,
    show: (row: R) => object,
  ): Promise<Answer> {
    const items = new PageText(this.bytes, asked.turn);
    let { after } = asked;
    for (let left = asked.size; left > 0 && !items.isFull; ) {
      const wanted = Math.min(left, items.fitting ?? ROWS_OF_PART.first, ROWS_OF_PART.most);
      const rows = await list({ after, order: asked.order, limit: wanted + 1 });
      if (left < asked.size) await asked.turn();
      for (const row of rows.slice(0, wanted)) {
        if (!(await items.add(JSON.stringify(show(row))))) break;
        after = row.id;
        left -= 1;
      }
      if (rows.length <= wanted && !items.isFull) return items.answer();
    }
    return items.answer({ continuationToken: this.token(asked, after) });
  }

  /** A page that a route fills by itself. */
  text(asked: PageAsked): PageText {
    return new PageText(this.bytes, asked.turn);
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
