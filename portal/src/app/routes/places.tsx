/** Ecosystems, environments and zones. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { insideRoute } from "./inside.tsx";

const placesRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/places",
  component: lazyRouteComponent(() => import("../../pages/places/places.tsx"), "PlacesPage"),
});

const ecosystemRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/ecosystems/$ecosystemId",
  component: lazyRouteComponent(() => import("../../pages/places/ecosystem.tsx"), "EcosystemPage"),
});

const environmentRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/environments/$environmentId",
  component: lazyRouteComponent(() => import("../../pages/places/environment.tsx"), "EnvironmentPage"),
});

const zonesRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/environments/$environmentId/zones",
  component: lazyRouteComponent(() => import("../../pages/zones/zones.tsx"), "ZonesPage"),
});

const zoneRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/environments/$environmentId/zones/$zoneId",
  component: lazyRouteComponent(() => import("../../pages/zones/zone.tsx"), "ZonePage"),
});

export const placeRoutes = [placesRoute, ecosystemRoute, environmentRoute, zonesRoute, zoneRoute] as const;
