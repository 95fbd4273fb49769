/**
 * The root of all routes, the way in which they load their pages, and the routes of the documentation, of devices, and of pages that
 * need no log-in.
 */
import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, createRoute, lazyRouteComponent, Outlet, redirect } from "@tanstack/react-router";
import { deviceFilters } from "../../pages/devices/filters.ts";
import type { Access } from "../../session/context.tsx";
import { Shell } from "../shell.tsx";

/** The context of all routes. */
export interface RouterContext {
  readonly access: Access;
  readonly queries: QueryClient;
}

/**
 * When loading fails because the service is unreachable, the page shows the error: the router's default is to reload the document, which
 * would replace the last known state with the browser's error page.
 */
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(() => load().catch(notLoaded), name);

/** @throws the original reason when the service is reachable: its version has changed, and the router then reloads the page */
async function notLoaded(reason: unknown): Promise<never> {
  const isThere = await fetch("/healthz").then(
    ({ ok }) => ok,
    () => false,
  );
  if (isThere) throw reason;
  throw new Error("Could not load the page. The service cannot be reached.", { cause: reason });
}

/** The documentation. The service serves a plain page at each of these addresses; a logged-in user reads it within the portal's frame. */
const component = lazyPage(() => import("../document-here.tsx"), "DocumentHere");

const referenceRoute = createRoute({ getParentRoute: () => insideRoute, path: "/docs", component });
/** The service knows which documents exist. */
const documentRoute = createRoute({ getParentRoute: () => insideRoute, path: "/docs/$", component });

export const documentRoutes = [referenceRoute, documentRoute] as const;

/** The root of all routes. */
export const rootRoute = createRootRouteWithContext<RouterContext>()({ component: Outlet });

/**
 * The routes that need a log-in. Without one they redirect to the log-in form, which leads back; a document redirects to its plain page.
 */
export const insideRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "inside",
  beforeLoad: async ({ context, location }) => {
    const token = await context.access.session.token();
    if (token === undefined && location.pathname.startsWith("/docs")) {
      // Documents need no log-in. The service delivered this frame because of a log-in that has expired since.
      window.location.replace(`${location.pathname}?plain`);
      await new Promise(() => undefined);
    }
    const { state } = context.access.session;
    if (token === undefined)
      throw redirect({ to: "/login", search: { next: location.href, ended: state.kind === "out" && state.ended } });
  },
  component: Shell,
});

/** A page that needs a log-in and has no search parameters. */
export function page<const P extends string, M extends Record<string, unknown>>(
  path: P,
  load: () => Promise<M>,
  name: keyof M & string,
) {
  return createRoute({ getParentRoute: () => insideRoute, path, component: lazyPage(load, name) });
}

const devicesRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/environments/$environmentId/devices",
  validateSearch: deviceFilters,
  component: lazyPage(() => import("../../pages/devices/devices.tsx"), "DevicesPage"),
});

const deviceRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/environments/$environmentId/devices/$deviceId",
  validateSearch: ({ tab }: Record<string, unknown>): { readonly tab?: "log" | "developer" | undefined } => ({
    tab: tab === "developer" || tab === "log" ? tab : undefined,
  }),
  component: lazyPage(() => import("../../pages/devices/device.tsx"), "DevicePage"),
});

export const deviceRoutes = [
  devicesRoute,
  page("/environments/$environmentId/devices/new", () => import("../../pages/devices/new-device.tsx"), "NewDevicePage"),
  deviceRoute,
] as const;

interface EntrySearch {
  /** Path of the portal to open after the log-in. */
  readonly next?: string | undefined;
  /** Whether a log-in of this tab has just expired. */
  readonly ended?: boolean | undefined;
  /** Whether the account has just been erased. */
  readonly erased?: boolean | undefined;
}

const entrySearch = (search: Record<string, unknown>): EntrySearch => ({
  next: ownPath(search.next),
  ended: search.ended === true || undefined,
  erased: search.erased === true || undefined,
});

/** Accepts only addresses of this origin, so that a link cannot redirect to another site through the log-in form. */
function ownPath(next: unknown): string | undefined {
  if (typeof next !== "string" || !URL.canParse(next, location.origin)) return undefined;
  const url = new URL(next, location.origin);
  return url.origin === location.origin ? `${url.pathname}${url.search}${url.hash}` : undefined;
}

/** The router parses a code of digits as a number; keep it as text. */
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
