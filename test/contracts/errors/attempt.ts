/** One try to provoke an error: a route asked by a kind of caller, with a request that lacks nothing but what a cause changes in it. */
import type { Reply } from "@porchlight/cloud/app.fixture.ts";
import type { Method } from "@porchlight/cloud/http/routing/route.ts";
import { type Ask, askOf } from "../isolation/asks.ts";
import type { Place } from "../isolation/places.ts";
import type { DocumentedRoute, Listed } from "./document.ts";
import { pairingBody } from "./hubs-that-pair.ts";
import type { Kind, Stage } from "./stages.ts";

/** What a cause makes of the good request. */
export interface Change {
  /** After the question mark. */
  readonly query?: string;
  /** In the place of the body, or undefined for none; a text goes unchanged. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** In the place of the caller's token; null: none. */
  readonly token?: string | null;
  /** In the place of path parameters. */
  readonly params?: Readonly<Record<string, string>>;
}

/** A text in one place of the request. */
export interface Put {
  readonly place: Place;
  readonly text: string;
}

export interface Tried {
  readonly listed: Listed;
  readonly kind: Kind;
  readonly documented: DocumentedRoute;
  /** Where IDs stand in the route. */
  readonly places: readonly Place[];
  /** Code of a hub that waits, where the route has one in its path. */
  readonly userCode: string | undefined;
}

export class Attempt<S extends Stage> {
  readonly stage: S;
  readonly listed: Listed;
  readonly kind: Kind;
  readonly documented: DocumentedRoute;
  readonly places: readonly Place[];
  readonly userCode: string | undefined;
  readonly #next: () => number;

  /** @param next a number that no request has had */
  constructor(stage: S, { listed, kind, documented, places, userCode }: Tried, next: () => number) {
    this.stage = stage;
    this.listed = listed;
    this.kind = kind;
    this.documented = documented;
    this.places = places;
    this.userCode = userCode;
    this.#next = next;
  }

  get route(): string {
    return this.listed.route;
  }

  get token(): string | undefined {
    return this.kind === "none" ? undefined : this.stage.tokens[this.kind];
  }

  /** A number for names that must be new. */
  count(): number {
    return this.#next();
  }

  /** The request that lacks nothing. */
  ask(put?: Put): Ask {
    const { route, stage } = this;
    if (this.documented.kinds.length > 0) return askOf(route, stage.own, this.count(), put?.place, put?.text);
    const [method, url = ""] = route.split(" ");
    const body = openBody(route, stage, this.count());
    // The rows of open routes are routes.
    return { method: method as Method, url, ...(body && { body }) };
  }

  /** The fields of its body. */
  body(): Readonly<Record<string, unknown>> {
    return { ...this.ask().body };
  }

  send(change: Change = {}, put?: Put): Promise<Reply> {
    const { method, url, body } = this.ask(put);
    const {
      params = { ...(this.userCode && { userCode: this.userCode }) },
      query,
      headers,
      token = this.token,
    } = change;
    const path = Object.entries(params).reduce((made, [name, value]) => replaced(this.route, made, name, value), url);
    const separator = path.includes("?") ? "&" : "?";
    const sent = "body" in change ? change.body : body;
    return this.stage.cloud.call(method, query === undefined ? path : path + separator + query, {
      ...(token !== null && { token }),
      ...(sent !== undefined && { body: sent }),
      ...(headers && { headers: { ...headers } }),
    });
  }
}

/** The path with another value for one of its parameters. */
function replaced(route: string, url: string, name: string, value: string): string {
  const at = (route.split(" ")[1] ?? "").split("/").indexOf(`:${name}`);
  return url
    .split("/")
    .map((segment, index) => (index === at ? encodeURIComponent(value) : segment))
    .join("/");
}

/** A code that was sent to no user. */
const WELL_FORMED = "ABCD-EFGH-JKMN-PQRS";

/** The request of a public route by a caller that does all right. */
function openBody(route: string, { home }: Stage, count: number): object | undefined {
  const { email, password } = home;
  switch (route) {
    case "POST /api/accounts":
      return { email: `new-${count}@example.com`, password };
    case "POST /api/accounts/login":
      return { email, password };
    case "POST /api/accounts/verify":
      return { code: WELL_FORMED };
    case "POST /api/accounts/password-reset":
      return { email };
    case "POST /api/accounts/password-reset/confirm":
      return { code: WELL_FORMED, password };
    default:
      return pairingBody(route);
  }
}
