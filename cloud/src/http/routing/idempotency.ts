/** The header `idempotency-key` (A1.7.2): the first request with a key runs, and a repeat gets its answer. */

import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { isNamed, NamedError } from "@porchlight/shared/kernel";
import { problemBody, problemHeaders } from "@porchlight/shared/rest";
import type { FastifyReply, FastifyRequest } from "fastify";
import {
  type Caller,
  type IdempotencyKeys,
  type IdempotentAttempt,
  type KeptAnswer,
  principalOf,
} from "../../access/index.ts";
import type { ReadBody } from "./body-rules.ts";
import { Call } from "./call.ts";
import type { Answer, Route } from "./route.ts";

const NO_BODY: ReadBody<undefined> = { body: undefined, readBack: {} };

/** The request on whose behalf a resource is read. */
interface Reading {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly caller: Caller;
}

/**
 * Finds the GET that shows the same resource as an answer, by its `location`, so that a large answer need not be stored for a replay
 * (A1.7.2).
 */
export class ShownResources {
  readonly #readers: readonly { readonly route: Route; readonly segments: readonly string[] }[];

  constructor(routes: readonly Route[]) {
    this.#readers = routes
      .filter(({ method }) => method === "GET")
      .map((route) => ({ route, segments: route.path.split("/") }));
  }

  /** Whether a GET of the answer's `location` shows the same body. A body with a secret has another schema. */
  isShown({ answers }: Route, { status, headers }: Answer): boolean {
    const schema = answers[status];
    const reader = headers?.location === undefined ? undefined : this.#readerOf(headers.location);
    return schema !== undefined && reader?.route.answers[200] === schema;
  }

  /** The present resource; undefined when it is gone, or the caller may no longer read it. @throws the other errors of its GET */
  async read(location: string, { request, reply, caller }: Reading): Promise<Answer | undefined> {
    const reader = this.#readerOf(location);
    if (!reader) return undefined;
    const { route, params } = reader;
    const parts = { caller, read: NO_BODY, attempt: undefined, turns: undefined, resource: { params } };
    try {
      return await route.handle(new Call(request, reply, parts) as unknown as Call<never, never, never>);
    } catch (error) {
      if (isNamed(error) && (error.status === 403 || error.status === 404)) return undefined;
      throw error;
    }
  }

  #readerOf(
    location: string,
  ): { readonly route: Route; readonly params: Readonly<Record<string, string>> } | undefined {
    const given = location.split("/");
    for (const { route, segments } of this.#readers) {
      if (segments.length !== given.length) continue;
      const params: Record<string, string> = {};
      const matches = segments.every((segment, at) => {
        const value = given[at] ?? "";
        if (segment.startsWith(":")) params[segment.slice(1)] = value;
        return segment.startsWith(":") || segment === value;
      });
      if (matches) return { route, params };
    }
    return undefined;
  }
}

/** Members with more bytes are stored empty. */
const MOST_OF_MEMBER = 1_024;

/** The body of an answer without its large members: a replay shows it when the resource can no longer be read. */
function abridged(body: string): string {
  const resource: Readonly<Record<string, unknown>> = JSON.parse(body);
  const members = Object.entries(resource).map(([name, member]) => {
    const isLarge = Buffer.byteLength(JSON.stringify(member)) > MOST_OF_MEMBER;
    return [name, isLarge ? emptied(member) : member];
  });
  return JSON.stringify(Object.fromEntries(members));
}

function emptied(member: unknown): unknown {
  if (Array.isArray(member)) return [];
  return typeof member === "string" ? "" : {};
}

/** Statuses of refusals that do not depend on the request itself: a later attempt may succeed. */
const PASSING: readonly number[] = [401, 403, 409, 413, 429];

/** Longest answer, bytes, that is stored whole if it shows a resource: longer ones are abridged, and a replay reads the resource. */
const MOST_KEPT_OF_RESOURCE = 4_096;

/** The parts of a request that its key concerns. */
interface Keyed {
  readonly key: string;
  readonly caller: Caller;
  readonly method: string;
  /** Path without version and trailing slash, `%3B` as `;`. */
  readonly path: string;
  /** The parsed body; undefined without one. */
  readonly body: unknown;
  readonly requestId: string;
  /** See {@link Route.keepsCommands}. */
  readonly keepsCommands: boolean;
  /** The resource that the answer shows. */
  readonly resource: {
    /** Whether `read` returns the same as the body of an answer. */
    isShown(answer: Answer): boolean;
    /** The present resource; undefined when the caller can no longer read it. */
    read(location: string): Promise<Answer | undefined>;
  };
}

export class Idempotency {
  readonly #keys: IdempotencyKeys;
  readonly #publicUrl: string | undefined;

  /** @param publicUrl URL of the service, for stored errors */
  constructor(keys: IdempotencyKeys, publicUrl: string | undefined) {
    this.#keys = keys;
    this.#publicUrl = publicUrl;
  }

  /**
   * Runs the request, unless its key has an answer already or is in use.
   * @throws "Idempotency Key In Use", "Idempotency Key Reused", and what `work` throws
   */
  once(request: Keyed, work: (attempt: IdempotentAttempt) => Promise<Answer>): Promise<Answer> {
    const { key, caller, method, path, body } = request;
    const principal = principalOf(caller);
    const keyed = {
      hash: digest([principal, method, path, key]),
      owner: caller.kind === "account" ? caller.accountId : caller.ecosystemId,
      fingerprint: digest([key, canonical(body ?? {})]),
    };
    return this.#keys.claimed(keyed, async (claim) => {
      switch (claim.kind) {
        case "attempt":
          return this.#attempt(claim.attempt, request, work);
        case "answered":
          return replayed(claim.answer, request);
        case "reused":
          throw new NamedError("Idempotency Key Reused");
        case "running":
          throw new NamedError("Idempotency Key In Use", undefined, { retryAfter: 1 });
      }
    });
  }

  async #attempt(
    attempt: IdempotentAttempt,
    request: Keyed,
    work: (attempt: IdempotentAttempt) => Promise<Answer>,
  ): Promise<Answer> {
    let answer: Answer;
    try {
      answer = await (!request.keepsCommands ? attempt.remember(() => work(attempt)) : work(attempt));
    } catch (error) {
      await this.#failed(attempt, error, request.requestId);
      throw error;
    }
    const kept = await keptOf(answer);
    const { body = "" } = kept;
    const isAbridged = Buffer.byteLength(body) > MOST_KEPT_OF_RESOURCE && request.resource.isShown(answer);
    await attempt.finish(isAbridged ? { ...kept, body: abridged(body), isAbridged } : kept).catch(unkept);
    return { ...answer, body: undefined, text: kept.body };
  }

  async #failed(attempt: IdempotentAttempt, error: unknown, requestId: string): Promise<void> {
    if (isNamed(error) && isFinal(error)) {
      const { "content-type": _type, ...headers } = problemHeaders(error);
      const body = JSON.stringify(problemBody(error, requestId, this.#publicUrl));
      return attempt.finish({ status: error.status, headers, body }).catch(unkept);
    }
    const outcome = isNamed(error) ? error.outcome : undefined;
    const isVoid = outcome === "not_sent" || outcome === "not_applied";
    return attempt.free(isVoid ? "is void" : "counts").catch(unkept);
  }
}

/** Ignores that the answer could not be stored: it is still true. The key keeps its steps, and the next request continues from them. */
function unkept(error: unknown): void {
  if (!isNamed(error, "Service Unavailable")) throw error;
}

function isFinal({ status, outcome }: NamedError): boolean {
  return status < 500 && !PASSING.includes(status) && outcome !== "not_sent";
}

async function keptOf({ status, body, text, headers = {} }: Answer): Promise<KeptAnswer> {
  if (text !== undefined) return { status, headers, body: text.toString() };
  if (body === undefined) return { status, headers };
  return { status, headers, body: body instanceof Readable ? await textOf(body) : JSON.stringify(body) };
}

async function textOf(stream: Readable): Promise<string> {
  let text = "";
  for await (const chunk of stream.setEncoding("utf8")) text += chunk;
  return text;
}

async function replayed({ status, headers, body, isAbridged }: KeptAnswer, { resource }: Keyed): Promise<Answer> {
  const replay = { ...headers, "idempotent-replayed": "true" };
  const { location } = headers;
  const now = isAbridged && location !== undefined ? await resource.read(location) : undefined;
  return now ? { ...now, status, headers: { ...replay, ...now.headers } } : { status, headers: replay, text: body };
}

function digest(parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/** A text that is equal for equal JSON, in any order of keys. */
function canonical(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`);
  return `{${members.sort().join(",")}}`;
}
