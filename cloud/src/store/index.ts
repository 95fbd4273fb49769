/** The store: SQL on SQLite or PostgreSQL, with one way to write. */

export type * from "./account-tables.ts";
export { entryDigest, nextLink } from "./audit-digest.ts";
export type * from "./audit-tables.ts";
export { BackupRefused, copyDatabase, copyPrivately, restoreDatabase } from "./backup.ts";
export { DatabaseClaimed, takeDatabase } from "./claim.ts";
export type * from "./idempotency-tables.ts";
export { SchemaTooNew } from "./migrate.ts";
export type * from "./node-tables.ts";
export type { Outage, OutageListener } from "./outages.ts";
export type * from "./pairing-tables.ts";
export { isOutage } from "./refusal.ts";
export type { Memory, Step } from "./remembered.ts";
export { one, type Sql } from "./sql.ts";
export { type Bound, type Statement, statement } from "./statement.ts";
export { type EventsListener, isUniqueViolation, Store, type TenantReader } from "./store.ts";
export type * from "./tables.ts";
export type { Job, NewEvent, Transaction } from "./transaction.ts";
export { DatabaseUnusable, unusable } from "./unusable.ts";
export type * from "./webhook-tables.ts";
export type { Commit } from "./write-coordinator.ts";
export type { Fence } from "./write-group.ts";
