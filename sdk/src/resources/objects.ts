/**
 * Operations of every kind of object with alias and metadata: references, list, create, get, update (also when another caller writes in
 * between) and delete.
 */
import { Collection, type PageOptions } from "../collection.ts";
import { isPorchlightError } from "../errors.ts";
import type { CallOptions, Transport } from "../transport.ts";

/** Metadata: keys under the system metadata prefix (`$.`) are system metadata. */
export type Meta = Readonly<Record<string, unknown>>;

/** A request body with the client's types for metadata and items. */
export type Sent<T> = {
  readonly [K in keyof T]: K extends "meta"
    ? Meta | undefined
    : K extends "items"
      ? readonly string[] | undefined
      : T[K];
};

export interface ObjectOptions extends CallOptions {
  /** Prefix of system metadata for this call, instead of `$.`. */
  readonly systemMetadataPrefix?: string | undefined;
}

export interface ChangeOptions extends ObjectOptions {
  /** Apply only while the object has this entity tag, otherwise fail with "Precondition Failed". Such a call is never retried. */
  readonly ifMatch?: string | undefined;
}

/** An object with its entity tag. */
export interface Tagged<T> {
  readonly value: T;
  readonly etag: string;
}

type Filter = Readonly<Record<string, string | number | undefined>>;

/** `R` the object, `N` the body to create one, `U` the members that can change, `F` the filters of a list. */
export class Objects<R, N, U, F extends object = object> {
  protected readonly transport: Transport;
  protected readonly path: string;

  /** @param path of the collection, starting with `/api` */
  constructor(transport: Transport, path: string) {
    this.transport = transport;
    this.path = path;
  }

  list(filter?: F, options: PageOptions & ObjectOptions = {}): Collection<R> {
    // The cast is safe: F consists of texts and numbers only.
    return new Collection<R>(this.transport, this.path, filter as Filter | undefined, options, prefixed(options));
  }

  /** @throws PorchlightError */
  async create(body: N, options: ObjectOptions = {}): Promise<R> {
    const headers = prefixed(options);
    const request = { method: "POST", path: this.path, body, headers, repeat: "keyed" } as const;
    return (await this.transport.send<R>(request, options)).body;
  }

  /** @throws PorchlightError */
  async get(reference: string, options: ObjectOptions = {}): Promise<R> {
    return (await this.getTagged(reference, options)).value;
  }

  /** Returns the entity tag too, for a change that must not overwrite another one. @throws PorchlightError */
  async getTagged(reference: string, options: ObjectOptions = {}): Promise<Tagged<R>> {
    const request = { method: "GET", path: this.at(reference), headers: prefixed(options), repeat: "read" } as const;
    const { body, headers } = await this.transport.send<R>(request, options);
    return { value: body, etag: headers.get("etag") ?? "" };
  }

  /** Changes the given fields; each is replaced as a whole. Returns the new entity tag. @throws PorchlightError */
  async update(reference: string, body: U, options: ChangeOptions = {}): Promise<string> {
    const { ifMatch } = options;
    const repeat = ifMatch === undefined ? "replace" : "once";
    const headers = { ...prefixed(options), "if-match": ifMatch };
    const request = { method: "PUT", path: this.at(reference), body, headers, repeat } as const;
    return (await this.transport.send(request, options)).headers.get("etag") ?? "";
  }

  /** @throws PorchlightError */
  async delete(reference: string, options: ChangeOptions = {}): Promise<void> {
    const { ifMatch } = options;
    const repeat = ifMatch === undefined ? "replace" : "once";
    const headers = { "if-match": ifMatch };
    await this.transport.send({ method: "DELETE", path: this.at(reference), headers, repeat }, options);
  }

  /** Path of one object. */
  protected at(reference: string): string {
    return `${this.path}/${encodeURIComponent(reference)}`;
  }
}

function prefixed({ systemMetadataPrefix }: ObjectOptions): Readonly<Record<string, string | undefined>> {
  return { "x-system-metadata-prefix": systemMetadataPrefix };
}

/** Characters that no alias may contain, because they have a meaning in a reference or an address. */
const FORBIDDEN = /[;/?#%\p{Cc}]/u;

/**
 * Builds a reference from the outermost container inwards: `ref(environmentId, "lamp")`.
 * @param parts IDs and aliases; only the first must be an ID, because an alias is resolved in its container
 * @throws TypeError for a part that cannot be an ID or alias, so that user input never addresses another object
 */
export function ref(...parts: readonly [string, ...string[]]): string {
  for (const part of parts) {
    if (part === "" || FORBIDDEN.test(part) || part.trim() !== part || [...part].length > 128)
      throw new TypeError(`${JSON.stringify(part)} is no ID and no alias`);
  }
  return parts.map((part) => part.normalize("NFC")).join(";");
}

/** Total number of attempts before the call fails with "Precondition Failed". */
const MOST_TRIES = 5;

/**
 * Repeats a read and its conditional write when another caller writes in between.
 * @param attempt reads, and writes with `ifMatch` of what it read; `isAgain`: another caller wrote first before
 * @throws the error of `attempt`; "Precondition Failed" after five attempts
 */
export async function retryOnConflict<T>(attempt: (isAgain: boolean) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt(tries > 1);
    } catch (error) {
      if (!isPorchlightError(error, "Precondition Failed") || tries === MOST_TRIES) throw error;
    }
  }
}
