/** What is said of a user in few words. */
import type { AccessEntry, User } from "@porchlight/shared/api";

/** The log-in, as far as it matters here. */
type Who = { readonly kind: string; readonly accountId?: string };

/** Whether it is the account's own user: its key is the account's ID, and it stays as long as the account. */
export function isOwn({ key }: Pick<User, "key">, who: Who): boolean {
  return who.kind === "in" && key === who.accountId;
}

/** Its key; longer ones are cut, and whole in the filter and on its page. */
export function titleOf({ key }: Pick<User, "key">): string {
  const characters = [...key];
  return characters.length > 60 ? `${characters.slice(0, 59).join("")}…` : key;
}

/** Names a few environments, and counts the others: "home, cabin and 3 more". @param names by ID, as far as they are known */
export function accessInWords(access: readonly AccessEntry[], names: ReadonlyMap<string, string>): string {
  const shown = access.slice(0, 2).map(({ environmentId }) => names.get(environmentId) ?? environmentId);
  const more = access.length - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
}
