/** Generates a webhook secret in the service's format: `whsec_` and 32 random bytes in base64. */

/** @param random fills the given array with random bytes */
export function newSecret(
  random: (bytes: Uint8Array<ArrayBuffer>) => void = (bytes) => crypto.getRandomValues(bytes),
): string {
  const bytes = new Uint8Array(32);
  random(bytes);
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}
