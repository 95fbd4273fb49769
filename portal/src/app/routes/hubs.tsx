/** Hubs, one hub, and what waits under a code: a hub that is paired, a program that logs in. */
import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../lazy-page.ts";
import { insideRoute } from "./inside.tsx";
import { textOf } from "./search.ts";

const hubsRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/environments/$environmentId/hubs",
  component: lazyPage(() => import("../../pages/hubs/hubs.tsx"), "HubsPage"),
});

const hubRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/environments/$environmentId/hubs/$clientId",
  component: lazyPage(() => import("../../pages/hubs/hub.tsx"), "HubPage"),
});

export interface PairSearch {
  /** As the hub shows it, or as somebody typed it. */
  readonly code?: string | undefined;
  /** Where the hub is to go, when that is known. */
  readonly environment?: string | undefined;
  /** The client that it has become. */
  readonly approved?: string | undefined;
}

const pairRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/pair",
  validateSearch: ({ code, environment, approved }: Record<string, unknown>): PairSearch => ({
    code: textOf(code),
    environment: textOf(environment),
    approved: textOf(approved),
  }),
  component: lazyPage(() => import("../../pages/pairing/pair.tsx"), "PairPage"),
});

const logInByCodeRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/log-in-by-code",
  validateSearch: ({ code }: Record<string, unknown>): Pick<PairSearch, "code"> => ({ code: textOf(code) }),
  component: lazyPage(() => import("../../pages/pairing/log-in-by-code.tsx"), "LogInByCodePage"),
});

export const hubRoutes = [hubsRoute, hubRoute, pairRoute, logInByCodeRoute] as const;
