/**
 * An empty store for a test: a SQLite file of its own, or in a project that brings a PostgreSQL a database of its own. Its own
 * file because every test of the cloud gets its store here, and so runs on both without knowing.
 */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { IdMaker, seededRandom, systemClock } from "@porchlight/shared/kernel";
import type { Compilable } from "kysely";
import { inject } from "vitest";
import { WAIT_MS } from "../../../test/parts/limits.ts";
import { freshDatabase } from "../../../test/parts/postgres.ts";
import { isPostgres } from "../config/data-location.ts";
import { type JobKind, Store } from "./index.ts";
import { LIMITS, lonelyClient, type PostgresLimits } from "./postgres/postgres-pools.ts";
import { BUILDERS, type Build } from "./sql/statement.ts";

export interface FreshLocation extends AsyncDisposable {
  readonly location: string;
  /** What `Store.open` takes. */
  readonly opening: { readonly location: string; readonly limits: PostgresLimits };
}

/**
 * No statement fails because the machine is busy: what is tried again later would wait for a clock that stands still. What is brief fails as
 * soon as in earnest, for it is done again at once.
 */
export const PATIENT: PostgresLimits = {
  connectMs: WAIT_MS,
  read: { freeMs: WAIT_MS, statementMs: WAIT_MS, answerMs: WAIT_MS },
  write: {
    ...LIMITS.write,
    freeMs: WAIT_MS,
    statementMs: WAIT_MS,
    answerMs: WAIT_MS,
    lockMs: WAIT_MS,
    idleMs: WAIT_MS,
  },
};

/** @param end when it is disposed of */
export function freshAt(location: string, end: () => PromiseLike<void>): FreshLocation {
  return { location, opening: { location, limits: PATIENT }, [Symbol.asyncDispose]: end };
}

/**
 * Where nothing is stored yet; gone when disposed, once or twice.
 * @param onPostgres as the project has it, when a test does not say
 * @param has the tables already, where the project has made them, or not even those
 * @throws Error when the project's PostgreSQL cannot be had
 */
export async function freshLocation(
  onPostgres = inject("postgres") !== undefined,
  has: "tables" | "nothing" = "tables",
): Promise<FreshLocation> {
  if (onPostgres) {
    const database = await freshDatabase(has);
    return freshAt(database.url, () => database[Symbol.asyncDispose]());
  }
  const folder = mkdtempSync(join(tmpdir(), "porchlight-store-"));
  const location = join(folder, "cloud.db");
  const template = inject("sqliteTemplate");
  if (template !== undefined && has === "tables") copyFileSync(template, location);
  return freshAt(location, async () => rmSync(folder, { recursive: true, force: true }));
}

/** A store where nothing is stored yet, of the wall clock; both are gone when it is disposed of. */
export async function freshStore(): Promise<{ readonly store: Store } & AsyncDisposable> {
  const fresh = await freshLocation();
  const store = await besides(fresh.location);
  const dispose = async () => {
    await store[Symbol.asyncDispose]();
    await fresh[Symbol.asyncDispose]();
  };
  return { store, [Symbol.asyncDispose]: dispose };
}

/** The rows of a query, past all processes that run on that store. */
export async function rowsAt<R>(location: string, query: (build: Build) => Compilable<R>): Promise<R[]> {
  if (isPostgres(location)) return askPostgres(location, query(BUILDERS.postgres));
  await using store = await besides(location);
  return await store.service.query(query(store.service.build));
}

/** Makes a change past all processes that run on that store. */
export async function changeAt(location: string, change: (build: Build) => Compilable<unknown>): Promise<void> {
  if (isPostgres(location)) {
    await askPostgres(location, change(BUILDERS.postgres));
    return;
  }
  await using store = await besides(location);
  await store.writeService((tx) => tx.change(change(tx.build)));
}

/** By one connection: a store has many, and each is a process of the server. */
async function askPostgres<R>(url: string, query: Compilable<R>): Promise<R[]> {
  const client = lonelyClient({ url, limits: PATIENT, connections: 1, onLost: () => undefined });
  await client.connect();
  try {
    const { sql, parameters } = query.compile();
    return (await client.query(sql, [...parameters])).rows;
  } finally {
    await client.end();
  }
}

function besides(location: string): Promise<Store> {
  return Store.open({ location, limits: PATIENT, clock: systemClock, ids: new IdMaker(systemClock, seededRandom(1)) });
}

/** A kind of jobs that are done together by this function. */
export function kindOf<I, O>(together: JobKind<I, O>["together"]): JobKind<I, O> {
  return { together };
}
