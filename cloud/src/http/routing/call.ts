/** One request as a route sees it once everything before the route's own rules has been checked. */
import { nextTurn } from "@porchlight/shared/kernel";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Caller, type IdempotentAttempt, readMetaPrefix } from "../../access/index.ts";
import type { OwnerTurns } from "../limits/owner-turns.ts";
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
  /** Undefined: the processor is not shared between owners. */
  readonly turns: OwnerTurns | undefined;
  /** Of a resource that is read for a request to another path: the parameters of its own. */
  readonly resource?: { readonly params: Readonly<Record<string, string>> };
}

/** `C` who may call (undefined: without a credential), `B` what the body is, `P` the path's pattern. */
export class Call<C extends Caller | undefined = Caller, B = undefined, P extends string = string> {
  readonly caller: C;
  readonly params: Params<P>;
  /** Listed parameters only, each once. */
  readonly query: Readonly<Record<string, string>>;
  readonly body: B;
  /** Read-only fields that came with the body of a PUT: see `requireUnchanged`. */
  readonly readBack: Readonly<Record<string, unknown>>;
  /** Keeps the commands of this request; there when it came with an idempotency key. */
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
    // The router has filled in the parameters of the pattern; the query has been checked.
    this.params = (resource?.params ?? request.params) as Params<P>;
    this.#isForAnother = resource !== undefined;
    this.query = request.query as Readonly<Record<string, string>>;
    this.body = read.body;
    this.readBack = read.readBack;
  }

  get requestId(): string {
    return this.#request.id;
  }

  /** Whether only the head of the answer is asked for. */
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

  /** Where the request comes from, as far as proxies are trusted. */
  get address(): string {
    return this.#request.address;
  }

  /** For how long it may have waited since it came, ms: also before it was read. */
  get waitedMs(): number {
    return this.#request.waitedMs;
  }

  /** Since it was read, ms. */
  get elapsedMs(): number {
    return this.#reply.elapsedTime;
  }

  /** Settles when the next slice of a large answer can be made: after requests of others have had their turn. */
  turn(): Promise<void> {
    const ownerId = this.#request.ownerId;
    return ownerId !== null && this.#turns ? this.#turns.next(ownerId) : nextTurn();
  }

  /** Says so beside the answer, whichever it will be, and not again with a kept one. */
  tell(header: string, value: string): void {
    this.#reply.header(header, value);
  }

  /** A request header; of one that came several times, all of it. */
  header(name: string): string | undefined {
    // Conditions are about the path of the request.
    if (this.#isForAnother && name.startsWith("if-")) return undefined;
    const value = this.#request.headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  }

  /** Prefix of system metadata for this request. @throws "Metadata Prefix Invalid" */
  get metaPrefix(): string {
    return readMetaPrefix(this.#request.headers["x-system-metadata-prefix"]);
  }

  /** Aborted when the caller goes away before its answer. */
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

/** The request is closed as soon as its body has been read; the answer only when it has been written, or never will be. */
function abortedWith({ raw }: FastifyReply): AbortSignal {
  const abort = new AbortController();
  const leave = () => {
    if (!raw.writableFinished) abort.abort(new Error("the caller went away"));
  };
  if (raw.destroyed) leave();
  else raw.once("close", leave);
  return abort.signal;
}
