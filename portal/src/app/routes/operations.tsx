/** What goes on: webhooks, events, requests, limits. */

export const operationRoutes = [] as const;
