/** Scoped references: a container, a semicolon, and the ID or alias of what is directly in it (`env_…;kitchen;lamp`). */

/** What no alias can have, since it has a meaning in a reference or an address. */
const FORBIDDEN = /[;/?#%\p{Cc}]/u;

/**
 * A reference from the outside in: `ref(environmentId, "lamp")`.
 * @param parts IDs and aliases; only the first must be an ID, for an alias is reached through its container
 * @throws TypeError for a part that cannot be an ID or alias, so that what somebody typed never leads elsewhere
 */
export function ref(...parts: readonly [string, ...string[]]): string {
  for (const part of parts) {
    if (part === "" || FORBIDDEN.test(part) || part.trim() !== part || [...part].length > 128)
      throw new TypeError(`${JSON.stringify(part)} is no ID and no alias`);
  }
  return parts.map((part) => part.normalize("NFC")).join(";");
}
