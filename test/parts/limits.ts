/**
 * How long a test may wait, declared once: limits that only end what hangs. A machine that is shared may stand still for a minute, and
 * a test that was right before it must be right after it.
 */

/** Of a test and of each of its hooks, ms. */
export const TEST_MS = 300_000;
/** Of one wait in it, ms: shorter, so that the wait reports what it waited for. */
export const WAIT_MS = 240_000;
