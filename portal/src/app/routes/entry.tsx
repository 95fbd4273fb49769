/** Ways in: pages that need no log-in. */
import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../lazy-page.ts";
import { rootRoute } from "./inside.tsx";

export interface EntrySearch {
  /** Where to go afterwards: a path of the portal. */
  readonly next?: string | undefined;
  /** Whether a log-in of this tab has just ended. */
  readonly ended?: boolean | undefined;
  /** Whether the account has just been erased. */
  readonly erased?: boolean | undefined;
}

const entrySearch = (search: Record<string, unknown>): EntrySearch => ({
  next: ownPath(search.next),
  ended: search.ended === true || undefined,
  erased: search.erased === true || undefined,
});

/** Only what is of this very site: a link must not lead away from it by way of the form. */
function ownPath(next: unknown): string | undefined {
  if (typeof next !== "string" || !URL.canParse(next, location.origin)) return undefined;
  const url = new URL(next, location.origin);
  return url.origin === location.origin ? `${url.pathname}${url.search}${url.hash}` : undefined;
}

/** A code may look like a number, and is none. */
const codeSearch = ({ code }: Record<string, unknown>): { readonly code?: string | undefined } => ({
  code: typeof code === "string" || typeof code === "number" ? String(code) : undefined,
});

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/login",
  validateSearch: entrySearch,
  component: lazyPage(() => import("../../pages/entry/login.tsx"), "LoginPage"),
});

const signupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/signup",
  validateSearch: entrySearch,
  component: lazyPage(() => import("../../pages/entry/signup.tsx"), "SignupPage"),
});

const resetRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/reset",
  validateSearch: codeSearch,
  component: lazyPage(() => import("../../pages/entry/reset.tsx"), "ResetPage"),
});

const verifyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/verify",
  validateSearch: codeSearch,
  component: lazyPage(() => import("../../pages/entry/verify.tsx"), "VerifyPage"),
});

export const entryRoutes = [loginRoute, signupRoute, resetRoute, verifyRoute] as const;
