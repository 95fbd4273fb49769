/** Keyboard shortcuts to pages: `g`, then the page's key. Pure. */
import { IN_ECOSYSTEM, IN_ENVIRONMENT, OF_ACCOUNT, type RailPlace } from "./places.ts";

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
