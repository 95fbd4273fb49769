/** What goes on: webhooks, events, requests, limits. */
import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../lazy-page.ts";
import { ToRequests } from "../to-requests.tsx";
import { insideRoute } from "./inside.tsx";
import { countOf, textOf } from "./search.ts";

const webhooksRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/ecosystems/$ecosystemId/webhooks",
  component: lazyPage(() => import("../../pages/webhooks/webhooks.tsx"), "WebhooksPage"),
});

const newWebhookRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/ecosystems/$ecosystemId/webhooks/new",
  component: lazyPage(() => import("../../pages/webhooks/new-webhook.tsx"), "NewWebhookPage"),
});

const webhookRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/ecosystems/$ecosystemId/webhooks/$webhookId",
  component: lazyPage(() => import("../../pages/webhooks/webhook.tsx"), "WebhookPage"),
});

const deliveryRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/ecosystems/$ecosystemId/webhooks/$webhookId/deliveries/$deliveryId",
  component: lazyPage(() => import("../../pages/webhooks/delivery.tsx"), "DeliveryPage"),
});

export interface EventsSearch {
  /** Types and `prefix.*`, comma-separated; all when left out. */
  readonly types?: string | undefined;
  readonly device?: string | undefined;
  readonly environment?: string | undefined;
  /** Sequence: what came after it is shown, and not what happens now. */
  readonly after?: number | undefined;
  /** `YYYY-MM-DD HH:MM:SSZ`: the same from that time on. */
  readonly at?: string | undefined;
}

const eventsRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/ecosystems/$ecosystemId/events",
  validateSearch: ({ types, device, environment, after, at }: Record<string, unknown>): EventsSearch => ({
    types: textOf(types),
    device: textOf(device),
    environment: textOf(environment),
    after: countOf(after),
    at: textOf(at),
  }),
  component: lazyPage(() => import("../../pages/events/events.tsx"), "EventsPage"),
});

export interface RequestsSearch {
  /** The one to be shown, by its ID. */
  readonly request?: string | undefined;
  readonly status?: number | undefined;
  readonly token?: string | undefined;
  /** Of the whole account. */
  readonly all?: boolean | undefined;
  /** With what this portal itself changed and was refused. */
  readonly own?: boolean | undefined;
}

const requestsSearch = ({ request, status, token, all, own }: Record<string, unknown>): RequestsSearch => ({
  request: textOf(request),
  status: countOf(status, 100),
  token: textOf(token),
  all: all === true || undefined,
  own: own === true || undefined,
});

const requestsRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/ecosystems/$ecosystemId/requests",
  validateSearch: requestsSearch,
  component: lazyPage(() => import("../../pages/requests/requests.tsx"), "RequestsPage"),
});

/** For who knows a request and not its ecosystem: every error links here. */
const anyRequestRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/requests",
  validateSearch: requestsSearch,
  component: ToRequests,
});

const usageRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/ecosystems/$ecosystemId/usage",
  component: lazyPage(() => import("../../pages/usage/usage.tsx"), "UsagePage"),
});

export const operationRoutes = [
  ...[webhooksRoute, newWebhookRoute, webhookRoute, deliveryRoute],
  ...[eventsRoute, requestsRoute, anyRequestRoute, usageRoute],
] as const;
