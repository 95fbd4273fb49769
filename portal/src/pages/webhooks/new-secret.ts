/** A secret for a webhook, of the form that the service makes: `whsec_` and 32 random bytes in base64. */

/** @param random fills what it is given, as the browser's own does */
export function newSecret(
  random: (bytes: Uint8Array<ArrayBuffer>) => void = (bytes) => crypto.getRandomValues(bytes),
): string {
  const bytes = new Uint8Array(32);
  random(bytes);
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}
