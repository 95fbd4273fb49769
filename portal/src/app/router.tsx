/** All addresses of the portal. Each area of pages has its routes in its own file, and its pages are loaded when they are gone to. */
import { createRouter } from "@tanstack/react-router";
import { CrashedPage, MissingPage } from "./odd-pages.tsx";
import type { RouterContext } from "./router-context.ts";
import { accountRoutes } from "./routes/account.tsx";
import { deviceRoutes } from "./routes/devices.tsx";
import { documentRoutes } from "./routes/documents.tsx";
import { entryRoutes } from "./routes/entry.tsx";
import { hubRoutes } from "./routes/hubs.tsx";
import { insideRoute, rootRoute } from "./routes/inside.tsx";
import { operationRoutes } from "./routes/operations.tsx";
import { placeRoutes } from "./routes/places.tsx";

const tree = rootRoute.addChildren([
  ...entryRoutes,
  insideRoute.addChildren([
    ...accountRoutes,
    ...placeRoutes,
    ...deviceRoutes,
    ...hubRoutes,
    ...operationRoutes,
    ...documentRoutes,
  ]),
]);

export function makeRouter(context: RouterContext) {
  return createRouter({
    routeTree: tree,
    context,
    defaultPreload: "intent",
    defaultNotFoundComponent: MissingPage,
    defaultErrorComponent: CrashedPage,
    scrollRestoration: true,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
