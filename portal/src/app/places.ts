/** The places in the portal's rail with their shortcut keys, and the actions in its search. */
import type { LinkProps } from "@tanstack/react-router";
import type { IconName } from "../kit/display/icon.tsx";

export interface RailPlace {
  readonly icon: IconName;
  readonly label: string;
  readonly to: NonNullable<LinkProps["to"]> | `/docs/${string}`;
  /** The key that opens the place after `g`. */
  readonly key?: string;
}

export const IN_ENVIRONMENT: readonly RailPlace[] = [
  { icon: "home", label: "Home", to: "/environments/$environmentId/home", key: "h" },
  { icon: "usage", label: "Dashboard", to: "/environments/$environmentId/dashboard", key: "b" },
  { icon: "device", label: "Devices", to: "/environments/$environmentId/devices", key: "d" },
  { icon: "zone", label: "Zones", to: "/environments/$environmentId/zones", key: "z" },
  { icon: "scene", label: "Scenes", to: "/environments/$environmentId/scenes", key: "s" },
  { icon: "hub", label: "Hubs", to: "/environments/$environmentId/hubs", key: "u" },
];
export const IN_ECOSYSTEM: readonly RailPlace[] = [
  { icon: "list", label: "Overview", to: "/overview", key: "o" },
  { icon: "webhook", label: "Webhooks", to: "/ecosystems/$ecosystemId/webhooks", key: "w" },
  { icon: "event", label: "Events", to: "/ecosystems/$ecosystemId/events", key: "e" },
  { icon: "request", label: "Requests", to: "/ecosystems/$ecosystemId/requests", key: "r" },
  { icon: "audit", label: "Audit", to: "/ecosystems/$ecosystemId/audit" },
  { icon: "usage", label: "Usage", to: "/ecosystems/$ecosystemId/usage" },
  { icon: "user", label: "Users", to: "/ecosystems/$ecosystemId/users" },
  { icon: "server", label: "Server keys", to: "/ecosystems/$ecosystemId/servers" },
];
export const OF_ACCOUNT: readonly RailPlace[] = [
  { icon: "warn", label: "Alerts", to: "/alerts" },
  { icon: "place", label: "Ecosystems", to: "/places" },
  { icon: "account", label: "Account", to: "/account", key: "a" },
  { icon: "docs", label: "About", to: "/about" },
];

/** The service has public pages at the same addresses. */
export const DOCUMENTS: readonly RailPlace[] = [
  { icon: "docs", label: "Reference", to: "/docs" },
  { icon: "docs", label: "First hour", to: "/docs/first-hour" },
  { icon: "docs", label: "Guide", to: "/docs/guide" },
  { icon: "docs", label: "Webhook checks", to: "/docs/webhooks" },
  { icon: "docs", label: "Errors", to: "/docs/errors" },
  { icon: "docs", label: "Glossary", to: "/docs/glossary" },
  { icon: "docs", label: "Changelog", to: "/docs/changelog" },
];

/** Actions that are available everywhere, for the search. */
export const ACTIONS: readonly {
  readonly name: string;
  readonly also: string;
  readonly to: string;
  readonly search?: string;
}[] = [
  { name: "Pair hub", also: "a new", to: "/pair" },
  { name: "Create zone", also: "new", to: "/environments/$environmentId/zones", search: "?new=true" },
  { name: "Create scene", also: "new", to: "/environments/$environmentId/scenes/new" },
  { name: "Create virtual device", also: "new", to: "/environments/$environmentId/devices/new" },
  { name: "Create webhook", also: "new", to: "/ecosystems/$ecosystemId/webhooks/new" },
];
