/** Devices, one device, and a new virtual one. */
import { createRoute } from "@tanstack/react-router";
import { deviceFilters } from "../../pages/devices/list/filters.ts";
import { lazyPage } from "../lazy-page.ts";
import { insideRoute } from "./inside.tsx";

const devicesRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/environments/$environmentId/devices",
  validateSearch: deviceFilters,
  component: lazyPage(() => import("../../pages/devices/list/devices.tsx"), "DevicesPage"),
});

const newDeviceRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/environments/$environmentId/devices/new",
  component: lazyPage(() => import("../../pages/devices/making/new-device.tsx"), "NewDevicePage"),
});

const deviceRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/environments/$environmentId/devices/$deviceId",
  validateSearch: ({ tab }: Record<string, unknown>): { readonly tab?: "log" | "developer" | undefined } => ({
    tab: tab === "developer" || tab === "log" ? tab : undefined,
  }),
  component: lazyPage(() => import("../../pages/devices/device/device.tsx"), "DevicePage"),
});

export const deviceRoutes = [devicesRoute, newDeviceRoute, deviceRoute] as const;
