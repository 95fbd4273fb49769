/** `/api/session/token`: the one route that reads the cookie of a log-in (A2). */
import { sessionToken } from "@porchlight/shared/api";
import type { Sessions } from "../../../accounts/index.ts";
import { defineOpenRoute, type Route } from "../../routing/route.ts";
import type { HostCookie } from "./host-cookie.ts";

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
        // A browser keeps a cookie for so long from when it last got it.
        const cookies = isKept && credential ? [cookie.set(call, credential, true)] : undefined;
        return { status: 201, body: token, cookies };
      },
    }),
  ];
}
