/** Webhooks: managed by their owners, sent from the event log, with a record of each delivery. */

export { type Networks, readNetworks, readReceiverUrl } from "./callback-url.ts";
export { Deliveries } from "./deliveries.ts";
export { Dispatcher } from "./delivery/dispatcher.ts";
export { isSuccess, type Outcome } from "./schedule.ts";
export { SharedClaims } from "./shared-claims.ts";
export { deliveryDetails, deliveryResource, webhookResource } from "./webhook-resource.ts";
export {
  Connections,
  dnsResolve,
  type Resolve,
  type Sent,
  type SentMessage,
  WebhookSender,
} from "./webhook-sender.ts";
export { newestSequence, SEALED_WEBHOOKS } from "./webhook-store.ts";
export { type Sender, Webhooks, type WebhooksDeps } from "./webhooks.ts";
