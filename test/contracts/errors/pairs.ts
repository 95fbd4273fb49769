/** What must be provoked: every (route, error, kind of credential) of the document that can be at all. */
import type { ErrorName } from "@porchlight/shared/kernel";
import type { DocumentedRoute, Listed } from "./document.ts";
import { CALLERS, type Kind } from "./stages.ts";

export interface Pair {
  readonly listed: Listed;
  readonly kind: Kind;
  readonly documented: DocumentedRoute;
}

const OF_ACCOUNTS: readonly Kind[] = ["account", "authentication"];

/** Errors that befall some kinds of credential only, and why. */
const BEFALLS: Partial<Readonly<Record<ErrorName, readonly Kind[]>>> = {
  // Tokens of servers and of the console's log-ins do not expire.
  "Token Expired": ["account", "user", "none"],
  // Only users are confined to environments; without a credential it is the page that asks with a cookie.
  "Access Denied": ["user", "none"],
  // A server and a user act for an account that had a verified address when it made them.
  "Address Not Verified": OF_ACCOUNTS,
  // A server and a user have one ecosystem; when that has gone, so have they.
  "Ecosystem Missing": OF_ACCOUNTS,
  "Ecosystem Not Found": OF_ACCOUNTS,
};

export function pairsOf(routes: readonly DocumentedRoute[]): Pair[] {
  return routes.flatMap((documented) =>
    documented.listed.flatMap((listed) =>
      kindsFor(documented, listed.error).map((kind) => ({ listed, kind, documented })),
    ),
  );
}

function kindsFor({ kinds }: DocumentedRoute, error: ErrorName): readonly Kind[] {
  const accepted: readonly Kind[] = kinds.length === 0 ? ["none"] : CALLERS.filter((kind) => kinds.includes(kind));
  if (error === "Token Type Not Allowed")
    return [...CALLERS, "client" as const].filter((kind) => !accepted.includes(kind));
  return accepted.filter((kind) => BEFALLS[error]?.includes(kind) ?? true);
}
