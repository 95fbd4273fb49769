/** What every part of the cloud stands on: its settings, time, chance and log, the database, and the other nodes. */
import { type Clock, IdMaker, type Log, type Random, type Scope, type SteeredClock } from "@porchlight/shared/kernel";
import type { FastifyInstance } from "fastify";
import { type Authenticator, checkSealingKeys, type Keyring, openKeyring } from "../access/index.ts";
import type { PasswordHasher } from "../accounts/index.ts";
import type { Bus } from "../bus/index.ts";
import { type CloudSettings, databaseOf, isPostgres, makeDataFolder, secretFileOf } from "../config/index.ts";
import type { MetricsText, Route, TlsKeeper, TlsPair } from "../http/index.ts";
import type { ThisNode } from "../nodes/index.ts";
import { type Health, outageLog, type Recorder, withoutEchoes } from "../ops/index.ts";
import { joinNodes, steer } from "../several-nodes.ts";
import { type PostgresLimits, Store, takeDatabase } from "../store/index.ts";
import type { Streams } from "../streams/index.ts";
import type { Tunnels } from "../tunnels/index.ts";
import type { Dispatcher, Resolve } from "../webhooks/index.ts";

export interface Core extends OpenDatabase {
  readonly settings: CloudSettings;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly processorTime: AppDeps["processorTime"];
  /** Undefined of a lone node. */
  readonly nodes: ThisNode | undefined;
}

/** @throws as `openDatabase` does */
export async function startCore(deps: AppDeps, scope: Scope): Promise<Core> {
  const { settings, clock, random, bus, processorTime } = deps;
  const log = withoutEchoes(deps.log);
  const database = await openDatabase({ ...deps, log }, scope);
  const nodes = joinNodes({ settings, clock, log, bus, store: database.store }, scope);
  return { settings, clock, random, log, processorTime, nodes, ...database };
}

/** The database before anything stands on it: claimed, opened, its clock followed, and its sealed columns readable. */
interface OpenDatabase {
  /** On an SQLite database, which no other process serves meanwhile. */
  readonly claim: Disposable | undefined;
  readonly keyring: Keyring;
  readonly ids: IdMaker;
  readonly store: Store;
}

/** @throws DatabaseUnusable, KeyFileBroken, KeyMismatch, and SystemError of the data folder */
async function openDatabase(
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

/** What the cloud is made of from outside, and what it is once it is put together. */
export interface AppDeps {
  readonly settings: CloudSettings;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Processor time that the thread has used so far, ms. Without, anonymous requests and work in the background may take as much as they can: for tests. */
  readonly processorTime?: (() => number) | undefined;
  /** The same clock, when the database is to set it right. */
  readonly steered?: SteeredClock | undefined;
  /** In place of NATS, for tests. */
  readonly bus?: Bus | undefined;
  /** A quick one in tests: argon2id is slow by design. */
  readonly hasher?: PasswordHasher;
  /** How long anything on PostgreSQL may take: on a clock that stands still nothing is tried again, so a test has limits that only end it. */
  readonly limits?: PostgresLimits | undefined;
  /** See {@link Store.open}: for `test/world`. */
  readonly beforeStoring?: ((what: "job" | "commit") => void) | undefined;
  readonly beforeReading?: (() => void) | undefined;
  /** Where the names of webhooks lead, for tests; by DNS when left out. */
  readonly resolve?: Resolve | undefined;
}

export interface Parts {
  readonly fastify: FastifyInstance;
  readonly store: Store;
  /** Undefined of a lone node. */
  readonly nodes: ThisNode | undefined;
  readonly authenticator: Authenticator;
  readonly tunnels: Tunnels;
  readonly streams: Streams;
  readonly webhooks: Dispatcher;
  readonly health: Health;
  readonly recorder: Recorder;
  /** What `/metrics` tells. */
  readonly metrics: MetricsText;
  readonly routes: readonly Route[];
  /** Where others reach the service, and with which certificate of its own once it listens. */
  readonly place: { url: string; certificate?: Pick<TlsKeeper, "expiresAt"> };
  /** On an SQLite database, which no other process serves meanwhile. */
  readonly claim: Disposable | undefined;
  /** What its own TLS began with. */
  readonly tls: TlsPair | undefined;
}
