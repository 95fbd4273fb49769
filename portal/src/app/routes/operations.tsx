/** What goes on: webhooks, events, requests, limits. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { insideRoute } from "./inside.tsx";

const webhooksRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/ecosystems/$ecosystemId/webhooks",
  component: lazyRouteComponent(() => import("../../pages/webhooks/webhooks.tsx"), "WebhooksPage"),
});

const newWebhookRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/ecosystems/$ecosystemId/webhooks/new",
  component: lazyRouteComponent(() => import("../../pages/webhooks/new-webhook.tsx"), "NewWebhookPage"),
});

const webhookRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/ecosystems/$ecosystemId/webhooks/$webhookId",
  component: lazyRouteComponent(() => import("../../pages/webhooks/webhook.tsx"), "WebhookPage"),
});

const deliveryRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/ecosystems/$ecosystemId/webhooks/$webhookId/deliveries/$deliveryId",
  component: lazyRouteComponent(() => import("../../pages/webhooks/delivery.tsx"), "DeliveryPage"),
});

export const operationRoutes = [webhooksRoute, newWebhookRoute, webhookRoute, deliveryRoute] as const;
