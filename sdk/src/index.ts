/** The public interface of the client for Porchlight's REST API. */
export type { ActivityFilter, ActivityStepPage } from "./events/activity.ts";
export type { ConnectionState, PorchlightEvent, PropertyChange, StreamItem, StreamOptions } from "./events/event.ts";
export type { EventLogFilter, EventLogPage } from "./events/log.ts";
export { type FailureOutcome, type OutcomeText, outcomeText } from "./outcome-text.ts";
export { Porchlight, type PorchlightOptions } from "./porchlight.ts";
export { ref } from "./references.ts";
export type { AlertFilter } from "./resources/alerts.ts";
export type { SetupOptions } from "./resources/clients.ts";
export type {
  DeviceFilter,
  NewDevice,
  NewProperty,
  NewService,
  SetAsyncOptions,
  SetOptions,
} from "./resources/devices.ts";
export type { Confirmed, HistoryFilter, HistorySeriesPage, ReadOptions, WriteOptions } from "./resources/history.ts";
export type { ChangeOptions, Meta, ObjectOptions, Tagged } from "./resources/objects.ts";
export type { AuditFilter, RequestFilter } from "./resources/service.ts";
export type { Collection, Page, PageOptions } from "./transport/collection.ts";
export { isPorchlightError, PorchlightError, type PorchlightErrorName } from "./transport/errors.ts";
export { retryOnConflict } from "./transport/retry-on-conflict.ts";
export type { CallOptions, Fetch } from "./transport/transport.ts";
export { type Delivery, verifyWebhook, WebhookSignatureError } from "./webhook-signature.ts";
