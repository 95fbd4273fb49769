/**
 * Finds the GET that shows the same resource as an answer, by its `location`, so that a large answer need not be stored for a replay
 * (A1.7.2).
 */
import { isNamed } from "@porchlight/shared/kernel";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../../access/index.ts";
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
export function abridged(body: string): string {
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
