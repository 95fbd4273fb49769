/** Routes of ecosystems, environments, zones and scenes. */
import { createRoute } from "@tanstack/react-router";
import { insideRoute, lazyPage } from "./entry.tsx";

const placesRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/places",
  component: lazyPage(() => import("../../pages/places/places.tsx"), "PlacesPage"),
});

const ecosystemRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/ecosystems/$ecosystemId",
  component: lazyPage(() => import("../../pages/places/ecosystem.tsx"), "EcosystemPage"),
});

const homeRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/environments/$environmentId/home",
  component: lazyPage(() => import("../../pages/home/home.tsx"), "HomePage"),
});

const dashboardRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/environments/$environmentId/dashboard",
  component: lazyPage(() => import("../../pages/dashboard/dashboard.tsx"), "DashboardPage"),
});

const environmentRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/environments/$environmentId",
  component: lazyPage(() => import("../../pages/places/environment.tsx"), "EnvironmentPage"),
});

const zonesRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/environments/$environmentId/zones",
  validateSearch: ({ new: isMaking }: Record<string, unknown>): { readonly new?: true | undefined } => ({
    new: isMaking === true || undefined,
  }),
  component: lazyPage(() => import("../../pages/zones/zones.tsx"), "ZonesPage"),
});

const zoneRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/environments/$environmentId/zones/$zoneId",
  component: lazyPage(() => import("../../pages/zones/zone.tsx"), "ZonePage"),
});

const scenesRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/environments/$environmentId/scenes",
  component: lazyPage(() => import("../../pages/scenes/scenes.tsx"), "ScenesPage"),
});

const newSceneRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/environments/$environmentId/scenes/new",
  component: lazyPage(() => import("../../pages/scenes/new-scene.tsx"), "NewScenePage"),
});

const sceneRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/environments/$environmentId/scenes/$sceneId",
  component: lazyPage(() => import("../../pages/scenes/scene.tsx"), "ScenePage"),
});

export const placeRoutes = [
  ...[placesRoute, ecosystemRoute, homeRoute, dashboardRoute, environmentRoute, zonesRoute, zoneRoute],
  ...[scenesRoute, newSceneRoute, sceneRoute],
] as const;
