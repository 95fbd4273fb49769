/** The store: SQL on SQLite or PostgreSQL, with a single way to write. */

export { BackupRefused, copyDatabase, copyPrivately, restoreDatabase } from "./backup.ts";
export { DatabaseClaimed, takeDatabase } from "./claim.ts";
export { SchemaTooNew } from "./migrate.ts";
export type { PostgresLimits } from "./postgres/postgres-pools.ts";
export { type Bulk, bulk } from "./sql/bulk.ts";
export type { GatheredReads } from "./sql/gathered-reads.ts";
export { allPacked, packedRows } from "./sql/packed.ts";
export { isOfRecord, isOutage, type Outage, type OutageListener, type StoreWork } from "./sql/refusal.ts";
export { one, type Sql } from "./sql/sql.ts";
export { type Bound, type Build, type Statement, statement } from "./sql/statement.ts";
export { type EventsListener, isUniqueViolation, Store, type TenantReader } from "./store.ts";
export type * from "./tables/account-tables.ts";
export { entryDigest, nextLink } from "./tables/audit-digest.ts";
export type * from "./tables/audit-tables.ts";
export type * from "./tables/delivery-tables.ts";
export type * from "./tables/history-tables.ts";
export type * from "./tables/home-tables.ts";
export type * from "./tables/service-tables.ts";
export type * from "./tables/tables.ts";
export { DatabaseUnusable, unusable } from "./unusable.ts";
export { GiveWay, type GiveWayDeps } from "./writes/give-way.ts";
export type { Job, JobKind, KindSql, NewEvent, Transaction, Work } from "./writes/job.ts";
export type { Memory, Step } from "./writes/remembered.ts";
export { type BatchLoop, LOOPS, type Loop, type SetAside } from "./writes/set-aside.ts";
export type { Commit } from "./writes/write-coordinator.ts";
export type { Fence } from "./writes/write-group.ts";
