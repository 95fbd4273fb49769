/** Devices and one device. */

export const deviceRoutes = [] as const;
