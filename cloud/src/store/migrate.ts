/** Migrates a database to this program's schema, and rejects a database that is newer than the program. */
import type { IdMaker } from "@porchlight/shared/kernel";
import { type Compilable, type RawBuilder, sql } from "kysely";
import { first } from "./migrations/0001-first.ts";
import { places } from "./migrations/0002-places.ts";
import { accounts } from "./migrations/0003-accounts.ts";
import { ops } from "./migrations/0004-ops.ts";
import { idempotency } from "./migrations/0005-idempotency.ts";
import { pairing } from "./migrations/0006-pairing.ts";
import { events } from "./migrations/0007-events.ts";
import { webhooks } from "./migrations/0008-webhooks.ts";
import { auditChain } from "./migrations/0009-audit-chain.ts";
import { logIns } from "./migrations/0010-log-ins.ts";
import { nodes } from "./migrations/0011-nodes.ts";
import { webhookShares } from "./migrations/0012-webhook-shares.ts";
import { instances } from "./migrations/0013-instances.ts";
import { sharedLimits } from "./migrations/0014-shared-limits.ts";
import { logBytes } from "./migrations/0015-log-bytes.ts";
import { deliveryAttempts } from "./migrations/0016-delivery-attempts.ts";
import { requestDetails } from "./migrations/0017-request-details.ts";
import { codeLogIns } from "./migrations/0018-code-log-ins.ts";
import { alerts } from "./migrations/0019-alerts.ts";
import { activity } from "./migrations/0020-activity.ts";
import { history } from "./migrations/0021-history.ts";
import { accountExports } from "./migrations/0022-account-exports.ts";
import { commandOrigin } from "./migrations/0023-command-origin.ts";
import { scenes } from "./migrations/0024-scenes.ts";
import { sinks } from "./migrations/0025-sinks.ts";
import { hubScenes } from "./migrations/0026-hub-scenes.ts";
import { confirmedValues } from "./migrations/0027-confirmed-values.ts";
import { keysOfOwner } from "./migrations/0028-keys-of-owner.ts";
import { tokenReadings } from "./migrations/0029-token-readings.ts";
import type { MigrationMeans } from "./migrations/schema.ts";
import type { Connection, Database } from "./sql/sql.ts";
import type { Build, DialectName } from "./sql/statement.ts";

type Migration = (
  db: Build,
  dialect: DialectName,
  means: MigrationMeans,
) => Iterable<Compilable> | AsyncIterable<Compilable>;

/** By number: the file `0001-….ts` creates schema 1. A released migration never changes. */
export const STORE_MIGRATIONS: readonly Migration[] = [
  first,
  places,
  accounts,
  ops,
  idempotency,
  pairing,
  events,
  webhooks,
  auditChain,
  logIns,
  nodes,
  webhookShares,
  instances,
  sharedLimits,
  logBytes,
  deliveryAttempts,
  requestDetails,
  codeLogIns,
  alerts,
  activity,
  history,
  accountExports,
  commandOrigin,
  scenes,
  sinks,
  hubScenes,
  confirmedValues,
  keysOfOwner,
  tokenReadings,
];

/** A newer program has written to the database. */
export class SchemaTooNew extends Error {
  constructor(found: number) {
    super(
      `The database has schema ${found}; this program knows schemas up to ${STORE_MIGRATIONS.length}. Install the newer program.`,
    );
  }
}

/** Returns the database's schema number after the migration. @throws SchemaTooNew */
export function migrate(database: Database, ids: IdMaker): Promise<number> {
  return database.withPatience(async (connection) => {
    await connection.begin();
    try {
      const version = await schemaVersion(connection, database.dialect);
      if (version > STORE_MIGRATIONS.length) throw new SchemaTooNew(version);
      const steps = STORE_MIGRATIONS.flatMap((migration, index) =>
        index < version ? [] : [migration, recordVersion(index + 1)],
      );
      const means: MigrationMeans = { read: (query) => connection.query(query), ids };
      for (const step of steps) {
        for await (const change of step(connection.build, database.dialect, means)) await connection.change(change);
      }
      await connection.commit();
      return STORE_MIGRATIONS.length;
    } catch (error) {
      // On a full disk SQLite has rolled back already: report the first error.
      await connection.rollback().catch(() => undefined);
      throw error;
    }
  });
}

/** Two programs that start on one empty PostgreSQL take turns here. */
async function schemaVersion(connection: Connection, dialect: DialectName): Promise<number> {
  const raw = <R>(text: RawBuilder<R>): Compilable<R> => ({ compile: () => text.compile(connection.build) });
  if (dialect === "postgres") await connection.query(raw(sql`select pg_advisory_xact_lock(7460111)`));
  const { schema } = connection.build;
  await connection.change(
    schema
      .createTable("schema_versions")
      .ifNotExists()
      .addColumn("version", "integer", (of) => of.notNull()),
  );
  const rows = await connection.query(
    raw(sql<{ version: number | null }>`select max(version) as version from schema_versions`),
  );
  return rows[0]?.version ?? 0;
}

function recordVersion(version: number): Migration {
  return (db) => [{ compile: () => sql`insert into schema_versions (version) values (${version})`.compile(db) }];
}
