/** The places in the portal's rail, the keyboard shortcuts that open them (`g`, then the place's key), and the actions in its search. */
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

/** A place with a key. The key has no effect when the scope lacks the environment or ecosystem of the place's route. */
type PageKey = RailPlace & { readonly key: string };

export const PAGE_KEYS: readonly PageKey[] = [...IN_ENVIRONMENT, ...IN_ECOSYSTEM, ...OF_ACCOUNT].filter(
  (place): place is PageKey => place.key !== undefined,
);

/** Maximum time between `g` and the next key, in ms. */
export const SEQUENCE_MS = 1500;

interface Pressed {
  readonly key: string;
  /** Pressed with Ctrl, Alt or the system key: not a shortcut of the portal. */
  readonly isModified: boolean;
  /** The focus is in an input field, or a dialog is open. */
  readonly isTaken: boolean;
  /** In ms of any clock. */
  readonly at: number;
}

type Meaning =
  | { readonly kind: "none" }
  /** `g` was pressed at that time; the next key selects the page. */
  | { readonly kind: "begun"; readonly at: number }
  | { readonly kind: "page"; readonly page: PageKey }
  | { readonly kind: "help" };

/** @param begunAt when `g` was pressed; undefined when it was not the previous key */
export function meaningOf({ key, isModified, isTaken, at }: Pressed, begunAt: number | undefined): Meaning {
  if (isModified || isTaken) return { kind: "none" };
  if (begunAt !== undefined && at - begunAt <= SEQUENCE_MS) {
    const page = PAGE_KEYS.find((each) => each.key === key.toLowerCase());
    if (page) return { kind: "page", page };
  }
  if (key === "g") return { kind: "begun", at };
  return key === "?" ? { kind: "help" } : { kind: "none" };
}
