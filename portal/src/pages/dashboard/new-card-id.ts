/** A name for a new card: chance makes it another for two people who add one at once. */
export function newCardId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
