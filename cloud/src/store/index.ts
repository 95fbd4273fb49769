/** The store: SQL on SQLite or PostgreSQL, with one way to write. */

export { BackupRefused, copyDatabase, copyPrivately, restoreDatabase } from "./opening/backup.ts";
export { DatabaseClaimed, takeDatabase } from "./opening/claim.ts";
export { SchemaTooNew } from "./opening/migrate.ts";
export { DatabaseUnusable, unusable } from "./opening/unusable.ts";
export type { Outage, OutageListener } from "./sql/outages.ts";
export { isOutage } from "./sql/refusal.ts";
export { one, type Sql } from "./sql/sql.ts";
export { type Bound, type Statement, statement } from "./sql/statement.ts";
export { type EventsListener, isUniqueViolation, Store, type TenantReader } from "./store.ts";
export type * from "./tables/account-tables.ts";
export type * from "./tables/activity-tables.ts";
export type * from "./tables/alert-tables.ts";
export { entryDigest, nextLink } from "./tables/audit-digest.ts";
export type * from "./tables/audit-tables.ts";
export type * from "./tables/export-tables.ts";
export type * from "./tables/history-tables.ts";
export type * from "./tables/idempotency-tables.ts";
export type * from "./tables/node-tables.ts";
export type * from "./tables/pairing-tables.ts";
export type * from "./tables/request-tables.ts";
export type * from "./tables/scene-tables.ts";
export type * from "./tables/tables.ts";
export type * from "./tables/webhook-tables.ts";
export type { Memory, Step } from "./writes/remembered.ts";
export type { Job, NewEvent, Transaction } from "./writes/transaction.ts";
export type { Commit } from "./writes/write-coordinator.ts";
export type { Fence } from "./writes/write-group.ts";
