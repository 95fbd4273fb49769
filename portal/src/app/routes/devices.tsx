/** Devices, one device, and a new virtual one. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { deviceFilters } from "../../pages/devices/list/filters.ts";
import { insideRoute } from "./inside.tsx";

const devicesRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/environments/$environmentId/devices",
  validateSearch: deviceFilters,
  component: lazyRouteComponent(() => import("../../pages/devices/list/devices.tsx"), "DevicesPage"),
});

const newDeviceRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/environments/$environmentId/devices/new",
  component: lazyRouteComponent(() => import("../../pages/devices/making/new-device.tsx"), "NewDevicePage"),
});

const deviceRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/environments/$environmentId/devices/$deviceId",
  component: lazyRouteComponent(() => import("../../pages/devices/device/device.tsx"), "DevicePage"),
});

export const deviceRoutes = [devicesRoute, newDeviceRoute, deviceRoute] as const;
