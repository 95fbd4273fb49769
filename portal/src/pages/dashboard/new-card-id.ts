/** A random card ID, so that two people who add cards at once get different IDs. */
export function newCardId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
