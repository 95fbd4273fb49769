/** Pages of a collection by key, with sealed continuation tokens (A1.6). */
import { KeyedSemaphore, NamedError } from "@porchlight/shared/kernel";
import { PAGE_BYTES, readPageSize, rowsOfPart } from "@porchlight/shared/rest";
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
  readonly ownerId: string;
  /** Settles when the next slice of the page can be made. */
  readonly turn: () => Promise<void>;
}

/** Rows of a page that are read together, after the row with that ID. */
export interface PagePart {
  readonly after: string;
  readonly order: Order;
  readonly limit: number;
}

/** Bytes after which the making of a page waits for its next turn. */
const SLICE_BYTES = 32 * 1024;

/** Bytes of a page beside its items. */
const REST_BYTES = 64 * 1024;
/** Pages of one owner that are made at once: each has rows in memory. */
const PAGES_OF_OWNER = 4;

/**
 * The items of a page as JSON, up to its bytes. Each slice is encoded before the wait for the next turn: large strings that live through
 * many turns are copied by each collection of young objects, which stops the event loop for tens of milliseconds.
 */
export class PageText {
  /** Most bytes; the first item may have more. */
  readonly bytes: number;
  readonly #turn: () => Promise<void>;
  /** Items that are not encoded yet, and their bytes. */
  #slice: string[] = [];
  #sliceBytes = 0;
  /** What is encoded: the first bytes of a memory that has room for more. */
  #memory = Buffer.alloc(0);
  #encoded = 0;
  #count = 0;
  #length = 0;
  #isFull = false;

  constructor(bytes: number, turn: () => Promise<void>) {
    this.bytes = bytes;
    this.#turn = turn;
  }

  /** Whether an item did not fit any more. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** How many rows to read next. */
  get rows(): number {
    return rowsOfPart(this.bytes - this.#length, { count: this.#count, bytes: this.#length });
  }

  /** @returns false, and the item is not in the page, when it does not fit; the first one always does */
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

  /** Adds items that are known to fit, as UTF-8. */
  addEncoded(items: readonly Buffer[]): void {
    this.#encode();
    for (const item of items) this.#write(this.#encoded === 0 ? BEGIN : ",", item);
  }

  /** @param rest members beside `items` */
  answer(rest: object = {}): Answer {
    const others = JSON.stringify(rest).slice(1);
    const end = `]${others === "}" ? "" : ","}${others}`;
    if (this.#encoded === 0) return { status: 200, text: `${BEGIN}${this.#slice.join(",")}${end}` };
    this.#encode();
    this.#write("", end);
    return { status: 200, text: this.#memory.subarray(0, this.#encoded) };
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
      this.#memory = memory;
    }
    this.#encoded += this.#memory.write(before, this.#encoded, "latin1");
    if (typeof items === "string") this.#encoded += this.#memory.write(items, this.#encoded);
    else this.#encoded += items.copy(this.#memory, this.#encoded);
  }
}

const BEGIN = '{"items":[';

export class Pager {
  readonly #keyring: Keyring;
  readonly #making = new KeyedSemaphore(PAGES_OF_OWNER);
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
    return { after, order, size, purpose, ownerId: call.ownerId, turn: () => call.turn() };
  }

  /** The token for the page after this one. @param after where that page begins, as `read` gives it back */
  token(asked: PageAsked, after: string): string {
    return this.#keyring.seal(asked.purpose, after);
  }

  /** Makes a page as soon as few enough others of its owner are being made. @param fill what fills it, and its answer */
  make(asked: PageAsked, fill: (items: PageText) => Promise<Answer>): Promise<Answer> {
    return this.#making.run(asked.ownerId, () => fill(new PageText(this.bytes, asked.turn)));
  }

  /**
   * A page of up to `asked.size` objects, or of fewer when they have more bytes than a page may have. Its parts are read and written one
   * after another, with turns of other requests in between.
   * @param list reads up to `limit` rows; fewer are the last ones
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

/** `%3B` is the same as `;`: one path however it is spelled. The router has decoded it once without complaint. */
function decodePath(path: string): string {
  return decodeURIComponent(path);
}
