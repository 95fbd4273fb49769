/** The first page, the account, and who may call the API: server keys and users. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { insideRoute } from "./inside.tsx";

const startRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/",
  component: lazyRouteComponent(() => import("../../pages/start/start.tsx"), "StartPage"),
});

export const accountRoutes = [startRoute] as const;
