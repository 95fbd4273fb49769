/** Ways in: pages that need no log-in. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "./inside.tsx";

export interface EntrySearch {
  /** Where to go afterwards: a path of the portal. */
  readonly next?: string | undefined;
  /** Whether a log-in of this tab has just ended. */
  readonly ended?: boolean | undefined;
}

const entrySearch = (search: Record<string, unknown>): EntrySearch => ({
  next: ownPath(search.next),
  ended: search.ended === true || undefined,
});

/** Only what is of this very site: a link must not lead away from it by way of the form. */
function ownPath(next: unknown): string | undefined {
  if (typeof next !== "string" || !URL.canParse(next, location.origin)) return undefined;
  const url = new URL(next, location.origin);
  return url.origin === location.origin ? `${url.pathname}${url.search}${url.hash}` : undefined;
}

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/login",
  validateSearch: entrySearch,
  component: lazyRouteComponent(() => import("../../pages/entry/login.tsx"), "LoginPage"),
});

export const entryRoutes = [loginRoute] as const;
