/**
 * The database of the ladder's cloud: the product's tables, written by plain functions that share one transaction a turn of the loop. Behind a plus
 * SQLite does not look at a variable while it plans, and need not plan anew when it is bound.
 */
import { statSync } from "node:fs";
import { migrate } from "@porchlight/cloud/store/migrate.ts";
import { openSqlite } from "@porchlight/cloud/store/sqlite.ts";
import { formatTime } from "@porchlight/shared/api";
import { IdMaker, systemClock, systemRandom } from "@porchlight/shared/kernel";
import Sqlite from "better-sqlite3";
import {
  type CommandFrame,
  deviceIdOf,
  ECOSYSTEM,
  ENVIRONMENT,
  edgeIdOf,
  type Has,
  HUB,
  INDEX,
  PROPERTY,
  type ResultFrame,
  SERVICE,
  TOKEN_ID,
} from "./steps.ts";

/** What an event takes besides its data, bytes. */
const ROW_BYTES = 200;
const MOST_JOBS = 500;

/** Of the process that writes. */
const LEASE = { node: "nod_01m7yjmq0ge3bajhkne939870n", lease: 1 };
/** What every property is at first: no benchmark sets it. */
const FIRST = 100;

export interface Confirmed {
  readonly command: CommandFrame;
  readonly deviceId: string;
  readonly result: ResultFrame;
  readonly acceptedAt: number;
  readonly requestId: string;
}

interface Standing {
  readonly epoch: number;
  readonly id: string | null;
  readonly gone_at: number | null;
  readonly value: string | null;
  readonly number: number | null;
}

export interface CloudRows {
  readonly db: Sqlite.Database;
  readonly ids: IdMaker;
  /** Does it in the next transaction; what it gives runs after the commit. */
  write(job: () => () => void): void;
  /** Stores the end of a command; `done` gets the JSON of the item. */
  confirm(confirmed: Confirmed, done: (item: string) => void): void;
  /** Stores what the hub tells; `done` gets the number up to which all is stored. */
  records(records: readonly ResultFrame[], done: (acknowledged: number) => void): void;
}

/** Makes the database, with the hub's devices and their first values. */
export async function openRows(path: string, devices: number, has: Has): Promise<CloudRows> {
  const ids = new IdMaker(systemClock, systemRandom);
  const db = await openTables(path, devices, ids);
  const file = statSync(path).ino;
  const commandsStored = new Set<string>();

  const begin = db.prepare("begin immediate");
  const commit = db.prepare("commit");
  const fence = db.prepare<[string, number]>("select id from nodes where id = +? and lease = +?").pluck();
  const takeCounter = db.prepare<[string], { sequence: number; log_bytes: number | null }>(
    `insert into counters (ecosystem_id, sequence, version) values (?, 0, 1)
     on conflict (ecosystem_id) do update set version = coalesce(counters.version, 0) + 1 returning sequence, log_bytes`,
  );
  const setCounter = db.prepare("update counters set sequence = ?, log_bytes = ? where ecosystem_id = +?");
  const standing = db.prepare<string[], Standing>(
    `select clients.epoch, objects.id, objects.gone_at, old.value, old.number from clients
     left join objects on objects.ecosystem_id = clients.ecosystem_id and objects.id = +?
     left join property_values as old on old.ecosystem_id = clients.ecosystem_id and old.device_id = +?
       and old.service = +? and old.idx = +? and old.property = +?
     where clients.ecosystem_id = +? and clients.id = +?`,
  );
  const addCommand = db.prepare(
    `insert into commands (ecosystem_id, id, environment_id, device_id, client_id, service, idx, property, value, state, outcome,
       created_at, expires_at, completed_at, token_id, origin, hops)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, 'confirmed', 'confirmed', ?, ?, ?, ?, ?, ?) on conflict (ecosystem_id, id) do nothing`,
  );
  const setValue = db.prepare(
    `update property_values set value = ?, number = ?, modified_at = ?, observed_at = ?
     where ecosystem_id = +? and device_id = +? and service = +? and idx = +? and property = +?`,
  );
  const addEvent = db.prepare(
    `insert into events (ecosystem_id, sequence, id, type, environment_id, data, created_at, log_offset)
     values (?, ?, ?, 'property.changed', ?, ?, ?, ?)`,
  );
  const position = db
    .prepare<string[], number>("select position from clients where ecosystem_id = +? and id = +? and epoch = 1")
    .pluck();
  const setPosition = db.prepare("update clients set position = ? where ecosystem_id = +? and id = +?");

  const waiting: (() => () => void)[] = [];
  /** The end of the log, in the transaction under way. */
  let log = { sequence: 0, bytes: 0 };

  const flush = () => {
    const group = waiting.splice(0, MOST_JOBS);
    if (waiting.length > 0) setImmediate(flush);
    if (has("fence") && statSync(path).ino !== file) throw new Error("the database has gone");
    begin.run();
    if (has("fence") && fence.get(LEASE.node, LEASE.lease) === undefined) throw new Error("the lease is lost");
    const counter = takeCounter.get(ECOSYSTEM);
    log = { sequence: counter?.sequence ?? 0, bytes: counter?.log_bytes ?? 0 };
    const before = log.sequence;
    const effects = group.map((job) => job());
    if (log.sequence > before) setCounter.run(log.sequence, log.bytes, ECOSYSTEM);
    commit.run();
    for (const effect of effects) effect();
  };
  const write = (job: () => () => void) => {
    if (waiting.push(job) === 1) setImmediate(flush);
  };

  const append = (item: string, previous: string, cause: string, now: number) => {
    const data = `{"item":${item},"previousValue":${previous},"cause":${cause}}`;
    addEvent.run(ECOSYSTEM, ++log.sequence, ids.next("evt"), ENVIRONMENT, data, now, log.bytes);
    log.bytes += Buffer.byteLength(data) + ROW_BYTES;
  };

  const confirm = (confirmed: Confirmed, done: (item: string) => void) => {
    const { command, deviceId, result, acceptedAt, requestId } = confirmed;
    const { id, service, index, property } = command;
    write(() => {
      const now = Date.now();
      const found = standing.get(deviceId, deviceId, service, index, property, ECOSYSTEM, HUB);
      if (found?.epoch !== 1 || found.id === null || found.gone_at !== null) throw new Error("not this hub's any more");
      const value = JSON.stringify(result.value);
      const origin = `{"address":"127.0.0.1","requestId":"${requestId}"}`;
      const hops = `{"api":0.1,"tunnel":${now - acceptedAt}}`;
      const where = [deviceId, HUB, service, index, property] as const;
      addCommand.run(
        ECOSYSTEM,
        id,
        ENVIRONMENT,
        ...where,
        value,
        acceptedAt,
        acceptedAt + 10_000,
        now,
        TOKEN_ID,
        origin,
        hops,
      );
      const item = itemOf(deviceId, command, value, result.observedAt);
      if (found.value !== null && (found.number ?? 0) < result.n) {
        setValue.run(
          value,
          result.n,
          result.observedAt,
          result.observedAt,
          ECOSYSTEM,
          deviceId,
          service,
          index,
          property,
        );
        const cause = `{"kind":"command","commandId":"${id}","tokenId":"${TOKEN_ID}","durationMs":${now - acceptedAt}}`;
        if (found.value !== value) append(item, found.value, cause, now);
      }
      // Its record may be in this very transaction; the process ends with one that fails.
      if (has("outbox")) commandsStored.add(id);
      return () => done(item);
    });
  };

  const records = (told: readonly ResultFrame[], done: (acknowledged: number) => void) => {
    write(() => {
      const stands = position.get(ECOSYSTEM, HUB);
      if (stands === undefined) throw new Error("a newer connection has taken over");
      for (const { n, command } of told)
        if (n > stands && !commandsStored.delete(command)) throw new Error("a command that is not stored");
      const last = told.at(-1)?.n ?? stands;
      setPosition.run(last, ECOSYSTEM, HUB);
      return () => done(last);
    });
  };
  return { db, ids, write, confirm, records };
}

type Target = Pick<CommandFrame, "service" | "index" | "property">;

function itemOf(deviceId: string, { service, index, property }: Target, value: string, at: number): string {
  const time = formatTime(at);
  return `{"ecosystemId":"${ECOSYSTEM}","id":"${ENVIRONMENT}","deviceId":"${deviceId}","service":"${service}","index":"${index}","property":"${property}","value":${value},"modifiedAt":"${time}","observedAt":"${time}"}`;
}

/** Makes the database, with the hub's devices and their first values. */
async function openTables(path: string, devices: number, ids: IdMaker): Promise<Sqlite.Database> {
  const database = openSqlite(path);
  await migrate(database, ids);
  await database.close();
  const db = new Sqlite(path);
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = FULL");
  db.pragma("cache_size = -32000");
  fill(db, devices);
  return db;
}

function fill(db: Sqlite.Database, devices: number): void {
  db.exec("begin immediate");
  db.prepare("insert into nodes (id, lease, lease_until, started_at) values (?, ?, 0, 0)").run(LEASE.node, LEASE.lease);
  db.prepare(
    "insert into clients (ecosystem_id, id, environment_id, epoch, position, online) values (?, ?, ?, 1, 0, 1)",
  ).run(ECOSYSTEM, HUB, ENVIRONMENT);
  for (let device = 0; device < devices; device++) {
    const id = deviceIdOf(device);
    db.prepare(
      "insert into objects (ecosystem_id, id, kind, environment_id, meta, version, created_at) values (?, ?, 'dev', ?, '{}', 1, 0)",
    ).run(ECOSYSTEM, id, ENVIRONMENT);
    db.prepare(
      `insert into devices (ecosystem_id, id, environment_id, type, edge_id, client_id, arrival, digest, description, about, online, online_since)
       values (?, ?, ?, 'hub', ?, ?, 1, '', '[]', '{}', 1, 0)`,
    ).run(ECOSYSTEM, id, ENVIRONMENT, edgeIdOf(device), HUB);
    db.prepare("insert into property_values values (?, ?, ?, ?, ?, ?, ?, 0, 0, 0)").run(
      ECOSYSTEM,
      id,
      SERVICE,
      INDEX,
      PROPERTY,
      ENVIRONMENT,
      String(FIRST),
    );
  }
  db.exec("commit");
}
