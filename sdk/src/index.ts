/** The public interface of the client for Porchlight's REST API. */
export type { ActivityFilter, ActivityStepPage } from "./activity.ts";
export type { ConnectionState, PorchlightEvent, PropertyChange, StreamItem, StreamOptions } from "./event.ts";
export type { EventLogFilter, EventLogPage } from "./event-log.ts";
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
export type { Collection, Page, PageOptions } from "./collection.ts";
export { isPorchlightError, PorchlightError, type PorchlightErrorName } from "./errors.ts";
export { retryOnConflict } from "./retry-on-conflict.ts";
export type { CallOptions, Fetch } from "./transport.ts";
export { type Delivery, verifyWebhook, WebhookSignatureError } from "./webhook-signature.ts";
