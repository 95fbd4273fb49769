/** Webhooks: registered and changed by their owners, sent from the event log, and what became of each delivery. */

export { Dispatcher } from "./delivery/dispatcher.ts";
export { Deliveries } from "./management/deliveries.ts";
export { type Sender, Webhooks, type WebhooksDeps } from "./management/webhooks.ts";
export { SharedClaims } from "./ownership/shared-claims.ts";
export { deliveryDetails, deliveryResource, webhookResource } from "./rows/webhook-resource.ts";
export { SEALED_WEBHOOKS } from "./rows/webhook-store.ts";
export { type Networks, readNetworks } from "./transport/address-rules.ts";
export type { Resolve } from "./transport/resolver.ts";
