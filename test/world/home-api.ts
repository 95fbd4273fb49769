/** The API at home of a hub of the world, asked past HTTP: its routes are called in the hub's process, and nobody answers when that is dead. */
import type { ServeAtHome } from "@porchlight/agent/agent-deps.ts";
import { homeApi } from "@porchlight/agent/local-api/index.ts";
import { HomeCall, type HomeRoute } from "@porchlight/agent/local-api/server/home-call.ts";
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

  readonly serve: ServeAtHome = async (api) => {
    this.#routes = homeApi(api);
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
