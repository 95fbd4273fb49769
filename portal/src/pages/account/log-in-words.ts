/** A log-in in words. */
import type { LoginEntry } from "@porchlight/shared/api";

/** @param isOwn whether this very page is logged in by it */
export function kindOf({ type, session }: Pick<LoginEntry, "type" | "session">, isOwn: boolean): string {
  if (isOwn) return "This portal";
  if (type === "authentication") return "Console";
  return session ? "Portal" : "Account token";
}

export { browserOf } from "@porchlight/shared/presentation";
