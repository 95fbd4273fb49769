/** Describes log-ins. */
import type { LoginEntry } from "@porchlight/shared/api";

/** @param isOwn whether this page uses the log-in */
export function kindOf({ type, session }: Pick<LoginEntry, "type" | "session">, isOwn: boolean): string {
  if (isOwn) return "This portal";
  if (type === "authentication") return "Console";
  return session ? "Portal" : "Account token";
}

export { browserOf } from "@porchlight/shared/presentation";
