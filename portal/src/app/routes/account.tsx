/** The first page, the account, and who may call the API: server keys and users. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { insideRoute } from "./inside.tsx";

const startRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/",
  component: lazyRouteComponent(() => import("../start-here.tsx"), "StartHere"),
});

const accountRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/account",
  component: lazyRouteComponent(() => import("../../pages/account/account.tsx"), "AccountPage"),
});

const serversRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/ecosystems/$ecosystemId/servers",
  component: lazyRouteComponent(() => import("../../pages/servers/servers.tsx"), "ServersPage"),
});

const serverRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/ecosystems/$ecosystemId/servers/$serverId",
  component: lazyRouteComponent(() => import("../../pages/servers/server.tsx"), "ServerPage"),
});

const usersRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/ecosystems/$ecosystemId/users",
  component: lazyRouteComponent(() => import("../../pages/users/users.tsx"), "UsersPage"),
});

const userRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/ecosystems/$ecosystemId/users/$userId",
  component: lazyRouteComponent(() => import("../../pages/users/user.tsx"), "UserPage"),
});

export const accountRoutes = [startRoute, accountRoute, serversRoute, serverRoute, usersRoute, userRoute] as const;
