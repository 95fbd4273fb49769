/** Routes of the first page, the account and the API callers: server keys and users. */
import { createRoute } from "@tanstack/react-router";
import { insideRoute, lazyPage } from "./entry.tsx";

const startRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/",
  component: lazyPage(() => import("../start-here.tsx"), "StartHere"),
});

/** Undefined: the last hour. */
interface OverviewSearch {
  readonly period?: "day" | undefined;
}

const overviewRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/overview",
  validateSearch: ({ period }: Record<string, unknown>): OverviewSearch => ({
    period: period === "day" ? "day" : undefined,
  }),
  component: lazyPage(() => import("../start-here.tsx"), "OverviewHere"),
});

const accountRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/account",
  component: lazyPage(() => import("../../pages/account/account.tsx"), "AccountPage"),
});

const accessRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/account/access",
  component: lazyPage(() => import("../../pages/account/access.tsx"), "AccessPage"),
});

const alertsRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/alerts",
  component: lazyPage(() => import("../../pages/alerts/alerts.tsx"), "AlertsPage"),
});

const serversRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/ecosystems/$ecosystemId/servers",
  component: lazyPage(() => import("../../pages/servers/servers.tsx"), "ServersPage"),
});

const serverRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/ecosystems/$ecosystemId/servers/$serverId",
  component: lazyPage(() => import("../../pages/servers/server.tsx"), "ServerPage"),
});

const usersRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/ecosystems/$ecosystemId/users",
  component: lazyPage(() => import("../../pages/users/users.tsx"), "UsersPage"),
});

const userRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/ecosystems/$ecosystemId/users/$userId",
  component: lazyPage(() => import("../../pages/users/user.tsx"), "UserPage"),
});

export const accountRoutes = [
  startRoute,
  overviewRoute,
  accountRoute,
  accessRoute,
  alertsRoute,
  serversRoute,
  serverRoute,
  usersRoute,
  userRoute,
] as const;
