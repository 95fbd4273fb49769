/** `/api/session/token`, the one route that reads the cookie of a log-in (A2), and the cookies themselves. */
import { sessionToken } from "@porchlight/shared/api";
import type { Sessions } from "../../../accounts/index.ts";
import { defineOpenRoute, type Route } from "../../routing/route.ts";

export function sessionRoutes({ sessions, cookie }: { sessions: Sessions; cookie: HostCookie }): Route[] {
  return [
    defineOpenRoute({
      method: "POST",
      whenFull: { goesOn: "the portal shows what to delete; the token replaces that of its log-in" },
      path: "/api/session/token",
      operationId: "createSessionToken",
      tag: "accounts",
      summary: "Get an account token for 15 minutes with a session cookie",
      answers: { 201: sessionToken },
      setsCookie: true,
      readsCookie: true,
      errors: ["Token Missing", "Token Invalid", "Token Expired", "Access Denied", "Service Unavailable"],
      handle: async (call) => {
        const credential = cookie.read(call);
        const { token, isKept } = await sessions.open(credential, cookie.isOwnPage(call));
        // Sets the cookie again, because browsers count its lifetime from the last time.
        const cookies = isKept && credential ? [cookie.set(call, credential, true)] : undefined;
        return { status: 201, body: token, cookies };
      },
    }),
  ];
}

/** The headers that a cookie depends on. */
interface CookieRequest {
  header(name: string): string | undefined;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
/** Longest lifetime of a cookie in browsers, s: 400 days. */
const KEPT = 400 * 86_400;

/** A cookie bound to its host and hidden from scripts, such as that of a log-in: its flags, and the pages that may use it (A2). */
export class HostCookie {
  readonly #bareName: string;
  readonly #publicUrl: URL | undefined;

  /** @param name without the `__Host-` prefix @param publicUrl URL of the service, if configured */
  constructor(name: string, publicUrl: string | undefined) {
    this.#bareName = name;
    this.#publicUrl = publicUrl === undefined ? undefined : new URL(publicUrl);
  }

  /** Value of the request's cookie; undefined without one, and when there are several. */
  read(request: CookieRequest): string | undefined {
    const name = this.#name(request);
    const values = (request.header("cookie") ?? "")
      .split(/; */)
      .filter((pair) => pair.startsWith(`${name}=`))
      .map((pair) => pair.slice(name.length + 1));
    return values.length > 1 ? "" : values[0];
  }

  /** `set-cookie` with a value. @param isKept whether it outlives the browser session */
  set(request: CookieRequest, value: string, isKept: boolean): string {
    return `${this.#name(request)}=${value}${this.#flags(request)}${isKept ? `; Max-Age=${KEPT}` : ""}`;
  }

  /** `set-cookie` that deletes the cookie. */
  clear(request: CookieRequest): string {
    return `${this.#name(request)}=${this.#flags(request)}; Max-Age=0`;
  }

  /** Whether the requesting page has the service's own origin, according to the browser. */
  isOwnPage(request: CookieRequest): boolean {
    if (request.header("sec-fetch-site") === "same-origin") return true;
    const origin = request.header("origin");
    return origin !== undefined && origin === this.#origin(request);
  }

  #origin(request: CookieRequest): string {
    if (this.#publicUrl) return this.#publicUrl.origin;
    const host = request.header("host") ?? "";
    return `${isLoopback(host) ? "http" : "https"}://${host}`;
  }

  /** Browsers send a `__Host-` cookie over TLS only, and only to the host that set it. */
  #name(request: CookieRequest): string {
    return this.#isPlain(request) ? this.#bareName : `__Host-${this.#bareName}`;
  }

  #flags(request: CookieRequest): string {
    return `; Path=/; HttpOnly; SameSite=Strict${this.#isPlain(request) ? "" : "; Secure"}`;
  }

  /** Whether the request is HTTP to this machine itself, where no network is between. */
  #isPlain(request: CookieRequest): boolean {
    if (this.#publicUrl) return this.#publicUrl.protocol === "http:" && LOOPBACK.test(this.#publicUrl.hostname);
    return isLoopback(request.header("host") ?? "");
  }
}

function isLoopback(host: string): boolean {
  return LOOPBACK.test(host.replace(/:\d+$/, ""));
}
