/** Hubs, one hub, and pairing. */

export const hubRoutes = [] as const;
