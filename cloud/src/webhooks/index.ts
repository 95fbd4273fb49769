/** Webhooks: registered and changed by their owners, sent from the event log, and what became of each delivery. */
export { type Networks, readNetworks } from "./address-rules.ts";
export { Deliveries } from "./deliveries.ts";
export { Dispatcher } from "./dispatcher.ts";
export type { Resolve } from "./resolver.ts";
export { SharedClaims } from "./shared-claims.ts";
export { deliveryResource, webhookResource } from "./webhook-resource.ts";
export { SEALED_WEBHOOKS } from "./webhook-store.ts";
export { type Sender, Webhooks } from "./webhooks.ts";
