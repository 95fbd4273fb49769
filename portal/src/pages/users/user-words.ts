/** What is said of a user in few words. */
import type { AccessEntry, User } from "@porchlight/shared/api";
import { cut, shortId } from "../../kit/text/names.ts";

/** The log-in, as far as it matters here. */
type Who = { readonly kind: string; readonly accountId?: string };

/** Whether it is the account's own user: its key is the account's ID, and it stays as long as the account. */
export function isOwn({ key }: Pick<User, "key">, who: Who): boolean {
  return who.kind === "in" && key === who.accountId;
}

/** Its key; a longer one is cut. */
export function userKeyOf({ key }: Pick<User, "key">): string {
  return cut(key, 60);
}

/** Names a few environments, and counts the others: "home, cabin and 3 more". @param names by ID, as far as they are known */
export function accessInWords(access: readonly AccessEntry[], names: ReadonlyMap<string, string>): string {
  const shown = access
    .slice(0, 2)
    .map(({ environmentId }) => cut(names.get(environmentId) ?? shortId(environmentId), 40));
  const more = access.length - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
}
