/** Pages of a collection by key, with sealed continuation tokens (A1.6). */
import { KeyedSemaphore, NamedError } from "@porchlight/shared/kernel";
import { PAGE_BYTES, readPageSize, rowsOfPart } from "@porchlight/shared/rest";
import { type Caller, type Keyring, principalOf } from "../../access/index.ts";
import type { Call } from "./call.ts";
import type { Answer } from "./route.ts";

/** Oldest first, or newest first. */
export type Order = "oldest" | "newest";

export interface PageAsked {
  /** The page begins after this ID, in its order; "" at the start. */
  readonly after: string;
  /** "oldest" when the route does not take `order`. */
  readonly order: Order;
  readonly size: number;
  /** Purpose that the continuation token is sealed for. */
  readonly purpose: string;
  readonly ownerId: string;
  /** Resolves when the next slice of the page may be made. */
  readonly turn: () => Promise<void>;
}

/** Rows of a page that are read together, after the row with the ID `after`. */
export interface PagePart {
  readonly after: string;
  readonly order: Order;
  readonly limit: number;
}

/** Bytes after which a page waits for its next turn. */
const SLICE_BYTES = 32 * 1024;

/** Bytes of a page besides its items. */
const REST_BYTES = 64 * 1024;
/** Most pages of one owner in the making: each has rows in memory. */
const PAGES_OF_OWNER = 4;

/**
 * The items of a page as JSON, up to its limit of bytes. Each slice is encoded before the wait for the next turn: large strings that
 * live for many turns are copied by each young-generation collection, which stops the event loop for tens of milliseconds.
 */
export class PageText {
  /** Limit of bytes; the first item may exceed it. */
  readonly bytes: number;
  readonly #turn: () => Promise<void>;
  /** Items not encoded yet, and their bytes. */
  #slice: string[] = [];
  #sliceBytes = 0;
  /** Buffer of the encoded items, with spare room. */
  #memory = Buffer.allocUnsafeSlow(0);
  #encoded = 0;
  #count = 0;
  #length = 0;
  #isFull = false;

  constructor(bytes: number, turn: () => Promise<void>) {
    this.bytes = bytes;
    this.#turn = turn;
  }

  /** Whether an item did not fit. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Number of rows to read next. */
  get rows(): number {
    return rowsOfPart(this.bytes - this.#length, { count: this.#count, bytes: this.#length });
  }

  /** @returns false when the item does not fit and was not added; the first item always fits */
  async add(item: string): Promise<boolean> {
    const length = Buffer.byteLength(item);
    this.#isFull = this.#count > 0 && this.#length + length > this.bytes;
    if (this.#isFull) return false;
    this.#slice.push(item);
    this.#count += 1;
    this.#length += length;
    this.#sliceBytes += length;
    if (this.#sliceBytes > SLICE_BYTES) {
      this.#encode();
      await this.#turn();
    }
    return true;
  }

  /** Adds UTF-8 items that are known to fit. */
  addEncoded(items: readonly Buffer[]): void {
    this.#encode();
    for (const item of items) this.#write(this.#encoded === 0 ? BEGIN : ",", item);
  }

  /** @param rest members besides `items` */
  answer(rest: object = {}): Answer {
    const others = JSON.stringify(rest).slice(1);
    const end = `]${others === "}" ? "" : ","}${others}`;
    if (this.#encoded === 0) return { status: 200, text: `${BEGIN}${this.#slice.join(",")}${end}` };
    this.#encode();
    this.#write("", end);
    const memory = this.#memory;
    return { status: 200, text: memory.subarray(0, this.#encoded), onSent: () => release(memory) };
  }

  #encode(): void {
    if (this.#slice.length > 0) this.#write(this.#encoded === 0 ? BEGIN : ",", this.#slice.join(","));
    this.#slice = [];
    this.#sliceBytes = 0;
  }

  #write(before: string, items: string | Buffer): void {
    const needed = this.#encoded + before.length + Buffer.byteLength(items);
    if (needed > this.#memory.length) {
      const most = Math.max(needed, this.bytes + REST_BYTES);
      const memory = Buffer.allocUnsafeSlow(needed < this.bytes / 4 ? 2 * needed : most);
      this.#memory.copy(memory, 0, 0, this.#encoded);
      release(this.#memory);
      this.#memory = memory;
    }
    this.#encoded += this.#memory.write(before, this.#encoded, "latin1");
    if (typeof items === "string") this.#encoded += this.#memory.write(items, this.#encoded);
    else this.#encoded += items.copy(this.#memory, this.#encoded);
  }
}

const BEGIN = '{"items":[';

/** Frees the buffer's memory now: a collection comes only after some 60 MB of it. @param memory has no other user, in Node.js either */
function release(memory: Buffer): void {
  if (memory.buffer instanceof ArrayBuffer) memory.buffer.transfer(0);
}

export class Pager {
  readonly #keyring: Keyring;
  readonly #making = new KeyedSemaphore(PAGES_OF_OWNER);
  /** Limit of bytes of a page. */
  readonly bytes: number;

  /** @param bytes limit of a page, for any page size: one object can have 64 KiB of metadata */
  constructor(keyring: Keyring, bytes = PAGE_BYTES) {
    this.#keyring = keyring;
    this.bytes = bytes;
  }

  /**
   * Parses the paging parameters of a query.
   * @param sizeOf parses `pageSize`, for routes with larger pages
   * @throws "Page Size Invalid", "Continuation Token Invalid", and for a route that takes `order` "Query Parameter Invalid"
   */
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
    return { after, order, size, purpose, ownerId: call.ownerId, turn: () => call.turn() };
  }

  /** The token for the page after this one. @param after where that page begins, which `read` then returns */
  token(asked: PageAsked, after: string): string {
    return this.#keyring.seal(asked.purpose, after);
  }

  /** Makes a page, after waiting while too many pages of its owner are in the making. @param fill adds the items, and returns the answer */
  make(asked: PageAsked, fill: (items: PageText) => Promise<Answer>): Promise<Answer> {
    return this.#making.run(asked.ownerId, () => fill(new PageText(this.bytes, asked.turn)));
  }

  /**
   * A page of up to `asked.size` objects, or fewer when they exceed a page's bytes. It reads and writes the page in parts, with turns
   * of other requests in between.
   * @param list reads up to `limit` rows; fewer mean the end
   */
  answer<R extends { readonly id: string }>(
    asked: PageAsked,
    list: (part: PagePart) => Promise<readonly R[]>,
    show: (row: R) => object,
  ): Promise<Answer> {
    return this.make(asked, async (items) => {
      let { after } = asked;
      for (let left = asked.size; left > 0 && !items.isFull; ) {
        const wanted = Math.min(left, items.rows);
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
    });
  }
}

function readOrder(text: string | undefined): Order {
  if (text === undefined || text === "oldest") return "oldest";
  if (text === "newest") return "newest";
  throw new NamedError("Query Parameter Invalid", "`order` must be oldest or newest.");
}

/** Makes `%3B` equal to `;`, so that all spellings are one path. The router has already decoded it without an error. */
function decodePath(path: string): string {
  return decodeURIComponent(path);
}
