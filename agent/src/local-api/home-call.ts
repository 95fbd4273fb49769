/** One request to a route at home after all common checks, and its answer. */
import type { Readable } from "node:stream";
import { readMetaPrefix } from "@porchlight/shared/rest";
import type { LocalToken } from "../state/index.ts";

/** The parts of a request that the server passes on. */
export interface CallParts {
  readonly token: LocalToken;
  /** Decoded, without version segment, query and trailing slash. */
  readonly path: string;
  /** `:name` parameters of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** The route's query parameters only, each once. */
  readonly query: Readonly<Record<string, string>>;
  /** The body, on a route that takes one. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Names and values in turn, as received. */
  readonly rawHeaders: readonly string[];
  /** Aborted when the caller disconnects before its answer. */
  readonly signal: AbortSignal;
}

/** The answer: empty, a body, lists that may be long, or an endless stream. */
export interface HomeAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** An object that is sent as JSON. */
  readonly body?: object | undefined;
  /** In place of `body`: its JSON, in slices. */
  readonly slices?: Iterable<string> | undefined;
  /** In place of `body`: a stream of bytes. */
  readonly stream?: Readable | undefined;
}

export interface HomeRoute {
  readonly method: "GET" | "PUT" | "POST" | "DELETE";
  readonly path: string;
  /** Query parameters that the route accepts. */
  readonly query: readonly string[];
  readonly takesBody?: true | "optional";
  handle(call: HomeCall): HomeAnswer | Promise<HomeAnswer>;
}

export class HomeCall {
  readonly token: LocalToken;
  readonly path: string;
  readonly query: CallParts["query"];
  readonly body: CallParts["body"];
  readonly rawHeaders: readonly string[];
  readonly signal: AbortSignal;
  readonly #parts: CallParts;

  constructor(parts: CallParts) {
    this.token = parts.token;
    this.path = parts.path;
    this.query = parts.query;
    this.body = parts.body;
    this.rawHeaders = parts.rawHeaders;
    this.signal = parts.signal;
    this.#parts = parts;
  }

  /** A parameter of the route's own path. */
  param(name: "id" | "selector" | "edgeId" | "number"): string {
    return this.#parts.params[name] ?? "";
  }

  /** A header; a repeated header is joined. */
  header(name: string): string | undefined {
    const value = this.#parts.headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  }

  /** Prefix of system metadata for this request. @throws "Metadata Prefix Invalid" */
  get metaPrefix(): string {
    return readMetaPrefix(this.#parts.headers["x-system-metadata-prefix"]);
  }
}
