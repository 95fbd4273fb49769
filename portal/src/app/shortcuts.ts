/** Keys that lead to pages: `g`, then the page's own. Which key means what is decided here. Pure. */
import { IN_ECOSYSTEM, IN_ENVIRONMENT, OF_ACCOUNT, type RailPlace } from "./places.ts";

/** A place with a key. Without the environment or ecosystem that its route names, the key leads nowhere. */
export type PageKey = RailPlace & { readonly key: string };

export const PAGE_KEYS: readonly PageKey[] = [...IN_ENVIRONMENT, ...IN_ECOSYSTEM, ...OF_ACCOUNT].filter(
  (place): place is PageKey => place.key !== undefined,
);

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
