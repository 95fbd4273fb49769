/** The header `idempotency-key` (A1.7.2): the first request with a key runs, and a repeat gets its answer. */
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { isNamed, NamedError } from "@porchlight/shared/kernel";
import { problemBody, problemHeaders } from "@porchlight/shared/rest";
import {
  type Caller,
  type IdempotencyKeys,
  type IdempotentAttempt,
  type KeptAnswer,
  principalOf,
} from "../../access/index.ts";
import type { Answer, Route } from "./route.ts";
import { abridged } from "./shown-resource.ts";

/** Statuses of refusals that do not depend on the request itself: a later attempt may succeed. */
const PASSING: readonly number[] = [401, 403, 409, 413, 429];

/** Longest answer, bytes, that is stored whole if it shows a resource: longer ones are abridged, and a replay reads the resource. */
const MOST_KEPT_OF_RESOURCE = 4_096;

/** The parts of a request that its key concerns. */
export interface Keyed {
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
