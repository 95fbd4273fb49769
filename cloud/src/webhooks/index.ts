/** Webhooks: managed by their owners, sent from the event log, with a record of each delivery. */

export { Dispatcher } from "./delivery/dispatcher.ts";
export { Deliveries } from "./management/deliveries.ts";
export { type Sender, Webhooks, type WebhooksDeps } from "./management/webhooks.ts";
export { SharedClaims } from "./ownership/shared-claims.ts";
export { deliveryDetails, deliveryResource, webhookResource } from "./rows/webhook-resource.ts";
export { newestSequence, SEALED_WEBHOOKS } from "./rows/webhook-store.ts";
export { type Networks, readNetworks, readReceiverUrl } from "./transport/callback-url.ts";
export { isSuccess, type Outcome } from "./transport/schedule.ts";
export {
  Connections,
  dnsResolve,
  type Resolve,
  type Sent,
  type SentMessage,
  WebhookSender,
} from "./transport/webhook-sender.ts";
