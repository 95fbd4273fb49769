/** Scoped references: a container, a semicolon, and the ID or alias of an object directly in it (`env_…;kitchen;lamp`). */

/** Characters that no alias may contain, because they have a meaning in a reference or an address. */
const FORBIDDEN = /[;/?#%\p{Cc}]/u;

/**
 * Builds a reference from the outermost container inwards: `ref(environmentId, "lamp")`.
 * @param parts IDs and aliases; only the first must be an ID, because an alias is resolved in its container
 * @throws TypeError for a part that cannot be an ID or alias, so that user input never addresses another object
 */
export function ref(...parts: readonly [string, ...string[]]): string {
  for (const part of parts) {
    if (part === "" || FORBIDDEN.test(part) || part.trim() !== part || [...part].length > 128)
      throw new TypeError(`${JSON.stringify(part)} is no ID and no alias`);
  }
  return parts.map((part) => part.normalize("NFC")).join(";");
}
