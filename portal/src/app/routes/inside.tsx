/** Routes of the pages that need a log-in: places, the account and its callers, webhooks, events, requests, limits, hubs and codes. */
import { createRoute, getRouteApi, Navigate } from "@tanstack/react-router";
import { AUDIT_ACTORS, type AuditSearch, type RequestsSearch } from "../../data/log-search.ts";
import { Loading } from "../../kit/display/query-view.tsx";
import { useScope } from "../scope.ts";
import { insideRoute, lazyPage, page } from "./entry.tsx";

const zonesRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/environments/$environmentId/zones",
  validateSearch: ({ new: isMaking }: Record<string, unknown>): { readonly new?: true | undefined } => ({
    new: isMaking === true || undefined,
  }),
  component: lazyPage(() => import("../../pages/zones/zones.tsx"), "ZonesPage"),
});

export const placeRoutes = [
  page("/places", () => import("../../pages/places/places.tsx"), "PlacesPage"),
  page("/ecosystems/$ecosystemId", () => import("../../pages/places/ecosystem.tsx"), "EcosystemPage"),
  page("/environments/$environmentId/home", () => import("../../pages/home/home.tsx"), "HomePage"),
  page("/environments/$environmentId/dashboard", () => import("../../pages/dashboard/dashboard.tsx"), "DashboardPage"),
  page("/environments/$environmentId", () => import("../../pages/places/environment.tsx"), "EnvironmentPage"),
  zonesRoute,
  page("/environments/$environmentId/zones/$zoneId", () => import("../../pages/zones/zone.tsx"), "ZonePage"),
  page("/environments/$environmentId/scenes", () => import("../../pages/scenes/scenes.tsx"), "ScenesPage"),
  page("/environments/$environmentId/scenes/new", () => import("../../pages/scenes/new-scene.tsx"), "NewScenePage"),
  page("/environments/$environmentId/scenes/$sceneId", () => import("../../pages/scenes/scene.tsx"), "ScenePage"),
] as const;

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

export const accountRoutes = [
  page("/", () => import("../start-here.tsx"), "StartHere"),
  overviewRoute,
  page("/account", () => import("../../pages/account/account.tsx"), "AccountPage"),
  page("/account/access", () => import("../../pages/account/access.tsx"), "AccessPage"),
  page("/alerts", () => import("../../pages/alerts/alerts.tsx"), "AlertsPage"),
  page("/ecosystems/$ecosystemId/servers", () => import("../../pages/servers/servers.tsx"), "ServersPage"),
  page("/ecosystems/$ecosystemId/servers/$serverId", () => import("../../pages/servers/server.tsx"), "ServerPage"),
  page("/ecosystems/$ecosystemId/users", () => import("../../pages/users/users.tsx"), "UsersPage"),
  page("/ecosystems/$ecosystemId/users/$userId", () => import("../../pages/users/user.tsx"), "UserPage"),
] as const;

const route = getRouteApi("/inside/requests");

/** Redirects a link to a request to the log of the current ecosystem; any ecosystem's log can show the request. */
function ToRequests() {
  const search = route.useSearch();
  const { ecosystem } = useScope();
  if (!ecosystem) return <Loading />;
  const params = { ecosystemId: ecosystem.id };
  return <Navigate to="/ecosystems/$ecosystemId/requests" params={params} search={search} replace />;
}

interface EventsSearch {
  /** Types and `prefix.*`, comma-separated; undefined: all. */
  readonly types?: string | undefined;
  readonly device?: string | undefined;
  readonly environment?: string | undefined;
  /** Sequence number: show the events after it instead of live events. */
  readonly after?: number | undefined;
  /** `YYYY-MM-DD HH:MM:SSZ`: show the events from this time on instead. */
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

const requestsSearch = (search: Record<string, unknown>): RequestsSearch => ({
  request: textOf(search.request),
  status: statusText(search.status),
  method: textOf(search.method),
  path: textOf(search.path),
  since: momentText(search.since),
  until: momentText(search.until),
  token: textOf(search.token),
  all: search.all === true || undefined,
  own: search.own === true || undefined,
});

const requestsRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/ecosystems/$ecosystemId/requests",
  validateSearch: requestsSearch,
  component: lazyPage(() => import("../../pages/requests/requests.tsx"), "RequestsPage"),
});

/** The page of a request whose ecosystem is unknown: every error links here. */
const anyRequestRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/requests",
  validateSearch: requestsSearch,
  component: ToRequests,
});

const auditRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/ecosystems/$ecosystemId/audit",
  validateSearch: ({ actor, kind, since, until, all }: Record<string, unknown>): AuditSearch => ({
    actor: AUDIT_ACTORS.find((each) => each === actor),
    kind: typeof kind === "string" && /^[A-Za-z]{1,40}$/.test(kind) ? kind : undefined,
    since: momentText(since),
    until: momentText(until),
    all: all === true || undefined,
  }),
  component: lazyPage(() => import("../../pages/audit.tsx"), "AuditPage"),
});

export const operationRoutes = [
  page("/ecosystems/$ecosystemId/webhooks", () => import("../../pages/webhooks/webhooks.tsx"), "WebhooksPage"),
  page("/ecosystems/$ecosystemId/webhooks/new", () => import("../../pages/webhooks/new-webhook.tsx"), "NewWebhookPage"),
  page("/ecosystems/$ecosystemId/webhooks/$webhookId", () => import("../../pages/webhooks/webhook.tsx"), "WebhookPage"),
  page(
    "/ecosystems/$ecosystemId/webhooks/$webhookId/deliveries/$deliveryId",
    () => import("../../pages/webhooks/delivery.tsx"),
    "DeliveryPage",
  ),
  eventsRoute,
  requestsRoute,
  anyRequestRoute,
  auditRoute,
  page("/ecosystems/$ecosystemId/usage", () => import("../../pages/usage.tsx"), "UsagePage"),
  page("/about", () => import("../../pages/about.tsx"), "AboutPage"),
] as const;

interface PairSearch {
  /** The code that the hub shows, as typed by the user. */
  readonly code?: string | undefined;
  /** The intended environment of the hub, when known. */
  readonly environment?: string | undefined;
  /** ID of the client that the hub has become. */
  readonly approved?: string | undefined;
}

const pairRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/pair",
  validateSearch: ({ code, environment, approved }: Record<string, unknown>): PairSearch => ({
    code: textOf(code),
    environment: textOf(environment),
    approved: textOf(approved),
  }),
  component: lazyPage(() => import("../../pages/pairing/pair.tsx"), "PairPage"),
});

const logInByCodeRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/log-in-by-code",
  validateSearch: ({ code }: Record<string, unknown>): Pick<PairSearch, "code"> => ({ code: textOf(code) }),
  component: lazyPage(() => import("../../pages/pairing/log-in-by-code.tsx"), "LogInByCodePage"),
});

export const hubRoutes = [
  page("/environments/$environmentId/hubs", () => import("../../pages/hubs/hubs.tsx"), "HubsPage"),
  page("/environments/$environmentId/hubs/$clientId", () => import("../../pages/hubs/hub.tsx"), "HubPage"),
  pairRoute,
  logInByCodeRoute,
] as const;

/**
 * A non-empty text; the router parses digits as a number, which is converted back. People edit addresses by hand, so invalid parameters are
 * ignored.
 */
function textOf(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** An integer of at least `least`. */
function countOf(value: unknown, least = 0): number | undefined {
  const number = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= least ? number : undefined;
}

/** An HTTP status or a class: "404", "4xx". */
function statusText(value: unknown): string | undefined {
  const text = textOf(value);
  return text !== undefined && /^[1-5](?:\d\d|xx)$/.test(text) ? text : undefined;
}

/** A time in the service's format. */
function momentText(value: unknown): string | undefined {
  return typeof value === "string" && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ$/.test(value) ? value : undefined;
}
