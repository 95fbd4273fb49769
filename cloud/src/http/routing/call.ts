/** A request for its route, after all checks that precede the route's own rules. */
import { nextTurn } from "@porchlight/shared/kernel";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Caller, type IdempotentAttempt, readMetaPrefix } from "../../access/index.ts";
import type { OwnerTurns } from "../owner-turns.ts";
import type { ReadBody } from "./body-rules.ts";

/** `:name` parameters of a path. */
export type Params<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? { readonly [key in Name]: string } & Params<`/${Rest}`>
  : P extends `${string}:${infer Name}`
    ? { readonly [key in Name]: string }
    : Readonly<Record<never, string>>;

interface CallParts<C, B> {
  readonly caller: C;
  readonly read: ReadBody<B>;
  readonly attempt: IdempotentAttempt | undefined;
  /** Undefined: owners do not share the processor. */
  readonly turns: OwnerTurns | undefined;
  /** When a resource is read for a request to another path: the parameters of the resource's path. */
  readonly resource?: { readonly params: Readonly<Record<string, string>> };
}

/** `C` is the caller (undefined: without a credential), `B` the body, `P` the path's pattern. */
export class Call<C extends Caller | undefined = Caller, B = undefined, P extends string = string> {
  readonly caller: C;
  readonly params: Params<P>;
  /** Declared parameters only, each once. */
  readonly query: Readonly<Record<string, string>>;
  readonly body: B;
  /** Read-only fields in the body of a PUT: see `requireUnchanged`. */
  readonly readBack: Readonly<Record<string, unknown>>;
  /** The attempt that stores this request's commands; undefined without an idempotency key. */
  readonly attempt: IdempotentAttempt | undefined;
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly #turns: OwnerTurns | undefined;
  readonly #isForAnother: boolean;
  #signal: AbortSignal | undefined;

  constructor(
    request: FastifyRequest,
    reply: FastifyReply,
    { caller, read, attempt, turns, resource }: CallParts<C, B>,
  ) {
    this.#request = request;
    this.#reply = reply;
    this.#turns = turns;
    this.caller = caller;
    this.attempt = attempt;
    // The router has filled in the parameters of the pattern, and the query has been checked.
    this.params = (resource?.params ?? request.params) as Params<P>;
    this.#isForAnother = resource !== undefined;
    this.query = request.query as Readonly<Record<string, string>>;
    this.body = read.body;
    this.readBack = read.readBack;
  }

  get requestId(): string {
    return this.#request.id;
  }

  /** Whether the request is HEAD. */
  get isHead(): boolean {
    return this.#request.method === "HEAD";
  }

  /** Path without version segment, query and trailing slash. */
  get path(): string {
    return pathOf(this.#request);
  }

  /** The account that the caller belongs to, or its ecosystem when there is none; "" without a caller. */
  get ownerId(): string {
    return this.#request.ownerId ?? "";
  }

  /** Network address of the client, as far as proxies are trusted. */
  get address(): string {
    return this.#request.address;
  }

  /** Longest possible time since the request arrived, ms, including the time before it was read. */
  get waitedMs(): number {
    return this.#request.waitedMs;
  }

  /** Time since the request was read, ms. */
  get elapsedMs(): number {
    return this.#reply.elapsedTime;
  }

  /** Resolves when the next slice of a large answer may be made, after requests of others have had their turn. */
  turn(): Promise<void> {
    const ownerId = this.#request.ownerId;
    return ownerId !== null && this.#turns ? this.#turns.next(ownerId) : nextTurn();
  }

  /** Adds a header to any answer; a replay does not repeat it. */
  tell(header: string, value: string): void {
    this.#reply.header(header, value);
  }

  /** A request header; repeated ones are joined. */
  header(name: string): string | undefined {
    // Conditions apply to the request's own path.
    if (this.#isForAnother && name.startsWith("if-")) return undefined;
    const value = this.#request.headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  }

  /** Prefix of system metadata for this request. @throws "Metadata Prefix Invalid" */
  get metaPrefix(): string {
    return readMetaPrefix(this.#request.headers["x-system-metadata-prefix"]);
  }

  /** Aborted when the client disconnects before its answer. */
  get signal(): AbortSignal {
    this.#signal ??= abortedWith(this.#reply);
    return this.#signal;
  }
}

/** Path of a request without version segment, query and trailing slash. */
export function pathOf({ url }: FastifyRequest): string {
  const end = url.indexOf("?");
  return (end < 0 ? url : url.slice(0, end)).replace(/(?<=.)\/$/, "");
}

/** Watches the answer rather than the request, which closes as soon as its body has been read. */
function abortedWith({ raw }: FastifyReply): AbortSignal {
  const abort = new AbortController();
  const leave = () => {
    if (!raw.writableFinished) abort.abort(new Error("the caller went away"));
  };
  if (raw.destroyed) leave();
  else raw.once("close", leave);
  return abort.signal;
}
