/** Pages of the hub's devices, by key as everywhere (A1.6); a continuation token is sealed with the hub's own key. */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Page } from "@porchlight/shared/api";
import { NamedError } from "@porchlight/shared/kernel";
import { readPageSize } from "@porchlight/shared/rest";

/** Who asks for what: what a continuation token is bound to. */
export interface PageQuery {
  readonly tokenId: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

/** A page as it was asked for. */
export interface AskedPage {
  /** It begins after this ID, or at what else has been sealed; "" at the start. */
  readonly after: string;
  readonly size: number;
  /** What its continuation token is good for. */
  readonly purpose: string;
}

const MAC_LENGTH = 16;

export class HomePages {
  readonly #key: Uint8Array;

  /** @param key the same over restarts of the hub, and known to the hub only */
  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /** @param readSize of a collection of another size @throws "Page Size Invalid", "Continuation Token Invalid" */
  read({ tokenId, path, query }: PageQuery, readSize = readPageSize): AskedPage {
    const { pageSize, continuationToken, ...filters } = query;
    const size = readSize(pageSize);
    const purpose = JSON.stringify([tokenId, path, Object.entries(filters).sort()]);
    const after = continuationToken === undefined ? "" : this.#open(purpose, continuationToken);
    if (after === undefined) throw new NamedError("Continuation Token Invalid");
    return { after, size, purpose };
  }

  /** @param all in the order of their IDs */
  page<T extends { readonly id: string }>({ after, size, purpose }: AskedPage, all: readonly T[]): Page<T> {
    const rest = all.filter(({ id }) => id > after);
    const items = rest.slice(0, size);
    const last = items.at(-1);
    if (rest.length <= size || !last) return { items };
    return { items, continuationToken: this.token({ purpose }, last.id) };
  }

  /** The token for the page after this one. @param after where that page begins, as `read` gives it back */
  token({ purpose }: Pick<AskedPage, "purpose">, after: string): string {
    return Buffer.concat([this.#mac(purpose, after), Buffer.from(after)]).toString("base64url");
  }

  #open(purpose: string, token: string): string | undefined {
    const bytes = Buffer.from(token, "base64url");
    // Base64 has several spellings of some bytes: only the one that is given out is accepted.
    if (bytes.length <= MAC_LENGTH || bytes.toString("base64url") !== token) return undefined;
    const after = bytes.subarray(MAC_LENGTH).toString();
    return timingSafeEqual(bytes.subarray(0, MAC_LENGTH), this.#mac(purpose, after)) ? after : undefined;
  }

  #mac(purpose: string, after: string): Buffer {
    const sealed = createHmac("sha256", this.#key)
      .update(JSON.stringify([purpose, after]))
      .digest();
    return sealed.subarray(0, MAC_LENGTH);
  }
}
