/** When a battery that reports only a figure counts as low: on the page of the home, and for the alert of an account that has chosen no limit. */

/** Percent; at this level it is low. */
export const LOW_BATTERY_PERCENT = 15;
