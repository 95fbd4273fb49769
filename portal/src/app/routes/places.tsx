/** Ecosystems, environments and zones. */

export const placeRoutes = [] as const;
