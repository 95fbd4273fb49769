/**
 * When a battery that reports only a level counts as low: on the page of the home, and for the alerts of an account that has not chosen
 * a limit.
 */

/** Percent; this level itself counts as low. */
export const LOW_BATTERY_PERCENT = 15;
