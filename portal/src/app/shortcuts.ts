/** Keys that lead to pages: `g`, then the page's own. Which key means what is decided here. Pure. */

export interface PageKey {
  readonly key: string;
  /** On the list of keys: "Devices". */
  readonly label: string;
  /** A route, with the parameters of what is looked at. */
  readonly to: string;
  /** Without an environment, or an ecosystem, it leads nowhere. */
  readonly needs?: "environment" | "ecosystem";
}

export const PAGE_KEYS: readonly PageKey[] = [
  { key: "h", label: "Home", to: "/environments/$environmentId/home", needs: "environment" },
  { key: "d", label: "Devices", to: "/environments/$environmentId/devices", needs: "environment" },
  { key: "z", label: "Zones", to: "/environments/$environmentId/zones", needs: "environment" },
  { key: "u", label: "Hubs", to: "/environments/$environmentId/hubs", needs: "environment" },
  { key: "o", label: "Overview", to: "/overview" },
  { key: "w", label: "Webhooks", to: "/ecosystems/$ecosystemId/webhooks", needs: "ecosystem" },
  { key: "e", label: "Events", to: "/ecosystems/$ecosystemId/events", needs: "ecosystem" },
  { key: "r", label: "Requests", to: "/ecosystems/$ecosystemId/requests", needs: "ecosystem" },
  { key: "a", label: "Account", to: "/account" },
];

/** So long after `g` the next key counts, ms. */
export const SEQUENCE_MS = 1500;

export interface Pressed {
  readonly key: string;
  /** Ctrl, Alt or the system's own key: not for us. */
  readonly isModified: boolean;
  /** The focus is where something is typed, or a dialog is open. */
  readonly isTaken: boolean;
  /** ms of any clock */
  readonly at: number;
}

export type Meaning =
  | { readonly kind: "none" }
  /** `g` was pressed at that time: the next key says where to. */
  | { readonly kind: "begun"; readonly at: number }
  | { readonly kind: "page"; readonly page: PageKey }
  | { readonly kind: "help" };

/** @param begunAt when `g` was pressed, if nothing has been pressed since */
export function meaningOf({ key, isModified, isTaken, at }: Pressed, begunAt: number | undefined): Meaning {
  if (isModified || isTaken) return { kind: "none" };
  if (begunAt !== undefined && at - begunAt <= SEQUENCE_MS) {
    const page = PAGE_KEYS.find((each) => each.key === key.toLowerCase());
    if (page) return { kind: "page", page };
  }
  if (key === "g") return { kind: "begun", at };
  return key === "?" ? { kind: "help" } : { kind: "none" };
}
