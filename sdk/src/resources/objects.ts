/** What every kind of object with alias and metadata can do: listed, made, shown, changed and deleted. */
import { Collection, type PageOptions } from "../transport/collection.ts";
import type { CallOptions, Transport } from "../transport/transport.ts";

/** Metadata: keys under the system metadata prefix (`$.`) are system metadata. */
export type Meta = Readonly<Record<string, unknown>>;

/** A body as it is sent, with metadata and items as what they must be. */
export type Sent<T> = {
  readonly [K in keyof T]: K extends "meta"
    ? Meta | undefined
    : K extends "items"
      ? readonly string[] | undefined
      : T[K];
};

export interface ObjectOptions extends CallOptions {
  /** Prefix of system metadata in this call, in place of `$.`. */
  readonly systemMetadataPrefix?: string | undefined;
}

export interface ChangeOptions extends ObjectOptions {
  /** Only while the object still has this entity tag; else "Precondition Failed". Such a call is never repeated. */
  readonly ifMatch?: string | undefined;
}

/** An object with the entity tag that it had. */
export interface Tagged<T> {
  readonly value: T;
  readonly etag: string;
}

type Filter = Readonly<Record<string, string | number | undefined>>;

/** `R` what is shown, `N` what is needed to make one, `U` what can be changed, `F` by what a list can be narrowed. */
export class Objects<R, N, U, F extends object = object> {
  protected readonly transport: Transport;
  protected readonly path: string;

  /** @param path of the collection, from `/api` on */
  constructor(transport: Transport, path: string) {
    this.transport = transport;
    this.path = path;
  }

  list(filter?: F, options: PageOptions & ObjectOptions = {}): Collection<R> {
    // What narrows a list is named in F, of text and numbers only.
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

  /** With the entity tag, for a change that is not to overwrite another's. @throws PorchlightError */
  async getTagged(reference: string, options: ObjectOptions = {}): Promise<Tagged<R>> {
    const request = { method: "GET", path: this.at(reference), headers: prefixed(options), repeat: "read" } as const;
    const { body, headers } = await this.transport.send<R>(request, options);
    return { value: body, etag: headers.get("etag") ?? "" };
  }

  /** Changes the fields that are there; each is replaced whole. Gives the new entity tag. @throws PorchlightError */
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
