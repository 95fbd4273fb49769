/** The core that every part of the cloud depends on: settings, clock, random numbers, log, the database, and the other nodes. */
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
  /** Undefined for a single node. */
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

/** The open database: claimed, with its clock followed and its sealed columns readable. */
interface OpenDatabase {
  /** For an SQLite database: excludes other processes. */
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

/** The external dependencies of the cloud. */
export interface AppDeps {
  readonly settings: CloudSettings;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Processor time that the thread has used so far, ms. Without it, anonymous requests and background work are not limited: for tests. */
  readonly processorTime?: (() => number) | undefined;
  /** The same clock, when the database is to correct it. */
  readonly steered?: SteeredClock | undefined;
  /** In place of NATS, for tests. */
  readonly bus?: Bus | undefined;
  /** A fast one in tests: argon2id is slow by design. */
  readonly hasher?: PasswordHasher;
  /** Time limits of PostgreSQL work. On a clock that stands still nothing is retried, so tests pass limits that only end it. */
  readonly limits?: PostgresLimits | undefined;
  /** See {@link Store.open}: for `test/world`. */
  readonly beforeStoring?: ((what: "job" | "commit") => void) | undefined;
  readonly beforeReading?: (() => void) | undefined;
  /** Resolver of webhook host names, for tests; DNS when left out. */
  readonly resolve?: Resolve | undefined;
}

/** The parts of the cloud that the process needs after the start. */
export interface Parts {
  readonly fastify: FastifyInstance;
  readonly store: Store;
  /** Undefined for a single node. */
  readonly nodes: ThisNode | undefined;
  readonly authenticator: Authenticator;
  readonly tunnels: Tunnels;
  readonly streams: Streams;
  readonly webhooks: Dispatcher;
  readonly health: Health;
  readonly recorder: Recorder;
  /** The text of `/metrics`. */
  readonly metrics: MetricsText;
  readonly routes: readonly Route[];
  /** The service's public URL, and its own certificate once it listens. */
  readonly place: { url: string; certificate?: Pick<TlsKeeper, "expiresAt"> };
  /** For an SQLite database: excludes other processes. */
  readonly claim: Disposable | undefined;
  /** The certificate and key that its own TLS starts with. */
  readonly tls: TlsPair | undefined;
}
