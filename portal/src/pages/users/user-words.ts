/** Short descriptions of users. */
import type { AccessEntry, User } from "@porchlight/shared/api";
import { cut, shortId } from "../../kit/text/names.ts";

/** The parts of the session that identify the account. */
type Who = { readonly kind: string; readonly accountId?: string };

/** Whether this is the account's own user: its key is the account's ID, and it exists as long as the account. */
export function isOwn({ key }: Pick<User, "key">, who: Who): boolean {
  return who.kind === "in" && key === who.accountId;
}

/** The user's key, shortened when it is long. */
export function userKeyOf({ key }: Pick<User, "key">): string {
  return cut(key, 60);
}

/** Lists a few environments and counts the others: "home, cabin and 3 more". @param names known names by ID */
export function accessInWords(access: readonly AccessEntry[], names: ReadonlyMap<string, string>): string {
  const shown = access
    .slice(0, 2)
    .map(({ environmentId }) => cut(names.get(environmentId) ?? shortId(environmentId), 40));
  const more = access.length - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
}
