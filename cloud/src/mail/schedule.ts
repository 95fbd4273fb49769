/** When an email that could not be handed over is tried again, and when it is given up: a pure decision. */

/** Waits after the first failures, ms; the last one from then on. */
const WAITS = [30_000, 120_000, 600_000, 1_800_000, 3_600_000] as const;

/** A transport's word that it will never take this email: the address does not exist. */
export class Undeliverable extends Error {}

export type NextSending =
  | { readonly kind: "retry"; readonly at: number }
  | { readonly kind: "give up"; readonly why: string };

/**
 * What becomes of an email after a failure.
 * @param attempts how often it has been tried, at least once
 * @param expiresAt when it is not worth sending any more, wall clock, ms
 * @param fraction of [0, 1): a quarter of the wait is left to chance, so that not all come at once
 */
export function afterFailure(
  failure: unknown,
  attempts: number,
  now: number,
  expiresAt: number,
  fraction: number,
): NextSending {
  if (failure instanceof Undeliverable) return { kind: "give up", why: "the address was refused for good" };
  const wait = WAITS[Math.min(attempts, WAITS.length) - 1] ?? WAITS[0];
  const at = Math.round(now + wait * (0.875 + fraction / 4));
  return at < expiresAt ? { kind: "retry", at } : { kind: "give up", why: "it could not be handed over in time" };
}
