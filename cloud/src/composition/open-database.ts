/** The database before anything stands on it: claimed, opened, its clock followed, and its sealed columns readable. */
import { IdMaker, type Scope } from "@porchlight/shared/kernel";
import { checkSealingKeys, type Keyring, openKeyring } from "../access/index.ts";
import { databaseOf, isPostgres, makeDataFolder, secretFileOf } from "../config/index.ts";
import { outageLog } from "../ops/index.ts";
import { steer } from "../several-nodes.ts";
import { Store, takeDatabase } from "../store/index.ts";
import type { AppDeps } from "./app-deps.ts";

export interface OpenDatabase {
  /** On an SQLite database, which no other process serves meanwhile. */
  readonly claim: Disposable | undefined;
  readonly keyring: Keyring;
  readonly ids: IdMaker;
  readonly store: Store;
}

/** @throws DatabaseUnusable, KeyFileBroken, KeyMismatch, and SystemError of the data folder */
export async function openDatabase(
  { settings, clock, random, log, steered, beforeStoring, beforeReading, limits }: AppDeps,
  scope: Scope,
): Promise<OpenDatabase> {
  makeDataFolder(settings.data);
  const location = databaseOf(settings);
  const claim = isPostgres(location) ? undefined : scope.use(takeDatabase(location, log));
  const keyring = openKeyring(secretFileOf(settings), random);
  const ids = new IdMaker(clock, random);
  const onLost = (error: Error) => log.debug({ error }, "a database connection broke; the pool replaces it");
  const outages = outageLog(log);
  const store = scope.use(
    await Store.open({ location, clock, ids, onLost, outages, limits, before: beforeStoring, beforeReading }),
  );
  if (steered) await steer(steered, store, log, scope);
  await checkSealingKeys(store, keyring);
  return { claim, keyring, ids, store };
}
