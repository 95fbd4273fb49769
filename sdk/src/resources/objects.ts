/** Operations of every kind of object with alias and metadata: list, create, get, update and delete. */
import { Collection, type PageOptions } from "../collection.ts";
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
