/** The API at home of a hub of the world, asked past HTTP: its routes are called in the hub's process, and nobody answers when that is dead. */
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import type { ServeAtHome } from "@porchlight/agent/agent-deps.ts";
import { type HomeAnswer, HomeCall, type HomeRoute } from "@porchlight/agent/local-api/home-call.ts";
import { homeApi } from "@porchlight/agent/local-api/index.ts";
import type { State } from "@porchlight/agent/state/index.ts";
import { isNamed } from "@porchlight/shared/kernel";
import type { WorldProcess } from "./process.ts";

const PROPERTY = "/api/devices/:id/services/:selector";
/** A token of the home: who asks does not matter here, but keys are bound to it. */
const TOKEN = { id: "tok_1", hash: "ab", label: "", createdAt: 0 };

/** A write of a property. */
export interface HomeAsk {
  readonly deviceId: string;
  readonly selector: string;
  readonly value: unknown;
  readonly headers: Readonly<Record<string, string>>;
  /** The hub has read it: not while it stands still. */
  readonly taken?: (() => void) | undefined;
}

export interface HomeReply {
  readonly status: number;
  readonly outcome: string | undefined;
  readonly value: unknown;
  readonly commandId: string | undefined;
}

export class ApiAtHome {
  #routes: readonly HomeRoute[] = [];
  #tokens: Pick<State["home"], "token" | "addToken"> | undefined;

  readonly serve: ServeAtHome = async (api) => {
    this.#routes = homeApi(api);
    this.#tokens = api.state.home;
    return { url: "http://hub.home", [Symbol.asyncDispose]: async () => undefined };
  };

  call(process: WorldProcess, ask: HomeAsk): Promise<HomeReply | undefined> {
    return new Promise((resolve, reject) => {
      process.onKill(() => resolve(undefined));
      process.enter(() => {
        ask.taken?.();
        this.#answer(ask).then((reply) => process.enter(() => resolve(reply)), reject);
      });
    });
  }

  /** As a client of its own asks it, over a connection that breaks when the hub dies. @throws TypeError when nobody answers */
  fetch(process: WorldProcess, url: string, init: RequestInit, taken?: () => void): Promise<Response> {
    const { method = "GET", headers, body, signal } = init;
    const { pathname, searchParams } = new URL(url);
    return new Promise((resolve, reject) => {
      const fail = (why: unknown) => reject(why);
      process.onKill(() => fail(new TypeError("the connection broke")));
      signal?.addEventListener("abort", () => fail(signal.reason), { once: true });
      process.enter(() => {
        taken?.();
        const found = this.#find(method, decodeURIComponent(pathname));
        if (!found) return fail(new Error(`the API at home has no ${method} ${pathname}`));
        const own = Object.fromEntries(new Headers(headers));
        const call = new HomeCall({
          ...{ token: TOKEN, path: pathname, params: found.params, query: Object.fromEntries(searchParams) },
          ...{
            body: typeof body === "string" ? JSON.parse(body) : {},
            headers: own,
            rawHeaders: Object.entries(own).flat(),
          },
          signal: signal ?? new AbortController().signal,
        });
        this.#reply(found.route, call).then(
          (reply) => process.enter(() => resolve(asResponse(process, reply, signal))),
          fail,
        );
      });
    });
  }

  /** A stream ends when its token is none of the hub's. */
  async #reply(route: HomeRoute, call: HomeCall): Promise<HomeAnswer> {
    if (this.#tokens && !this.#tokens.token(TOKEN.hash)) await this.#tokens.addToken(TOKEN);
    return replyOf(route, call);
  }

  #find(method: string, path: string) {
    for (const route of this.#routes) {
      if (route.method !== method) continue;
      const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
      const values = new RegExp(`^${route.path.replace(/:\w+/g, "([^/]+)")}$`).exec(path)?.slice(1);
      if (values) return { route, params: Object.fromEntries(names.map((name, at) => [name, values[at] ?? ""])) };
    }
    return undefined;
  }

  async #answer({ deviceId, selector, value, headers }: HomeAsk): Promise<HomeReply> {
    const route = this.#routes.find(({ method, path }) => method === "PUT" && path === PROPERTY);
    if (!route) throw new Error(`the API at home has no PUT ${PROPERTY}`);
    const path = PROPERTY.replace(":id", deviceId).replace(":selector", selector);
    const { signal } = new AbortController();
    const rawHeaders = Object.entries(headers).flat();
    const params = { id: deviceId, selector };
    try {
      const call = new HomeCall({
        token: TOKEN,
        path,
        params,
        query: {},
        body: { value },
        headers,
        rawHeaders,
        signal,
      });
      const { status, headers: said, body } = await route.handle(call);
      const item = body as { readonly value: unknown };
      return { status, outcome: undefined, value: item.value, commandId: said?.["x-command-id"] };
    } catch (error) {
      if (!isNamed(error)) throw error;
      return {
        status: error.status,
        outcome: error.outcome,
        value: undefined,
        commandId: error.headers?.["x-command-id"],
      };
    }
  }
}

/** What a route answers, its errors too. */
async function replyOf(route: HomeRoute, call: HomeCall): Promise<HomeAnswer> {
  try {
    return await route.handle(call);
  } catch (error) {
    if (!isNamed(error)) throw error;
    const { status, name, message: detail, outcome, headers } = error;
    return { status, headers, body: { title: name, status, detail, ...(outcome && { outcome }) } };
  }
}

function asResponse(
  process: WorldProcess,
  { status, headers, body, slices, stream }: HomeAnswer,
  signal: AbortSignal | null | undefined,
): Response {
  const text = slices ? [...slices].join("") : JSON.stringify(body);
  const breaks = () => stream?.destroy(new Error("the connection broke"));
  process.onKill(breaks);
  signal?.addEventListener("abort", breaks, { once: true });
  const bytes = stream && (Readable.toWeb(stream) as ReadableStream<Uint8Array>);
  return new Response(bytes ?? text, { status, headers: { ...headers } });
}
