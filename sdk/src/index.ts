/** The public interface of the client for Porchlight's REST API. */

export type { Collection, Page, PageOptions } from "./collection.ts";
export {
  type FailureOutcome,
  isPorchlightError,
  type OutcomeText,
  outcomeText,
  PorchlightError,
  type PorchlightErrorName,
} from "./errors.ts";
export type {
  ConnectionState,
  EventLogFilter,
  EventLogPage,
  PorchlightEvent,
  PropertyChange,
  StreamItem,
  StreamOptions,
} from "./event.ts";
export { Porchlight, type PorchlightOptions } from "./porchlight.ts";
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
export type { AlertFilter } from "./resources/notifications.ts";
export {
  type ChangeOptions,
  type Meta,
  type ObjectOptions,
  ref,
  retryOnConflict,
  type Tagged,
} from "./resources/objects.ts";
export type { ActivityFilter, ActivityStepPage, AuditFilter, RequestFilter } from "./resources/service.ts";
export type { CallOptions, Fetch } from "./transport.ts";
export { type Delivery, verifyWebhook, WebhookSignatureError } from "./webhook-signature.ts";
