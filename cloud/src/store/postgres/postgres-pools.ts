/**
 * Connections to PostgreSQL and their timeouts. Limits on both sides detect a server that is stopped, unreachable or
 * replaced, so that no statement waits for it without end.
 *
 * All settings of a session are part of its first message, so that they cost no round trip.
 */
import { Socket } from "node:net";
import pg from "pg";

/** All in ms. */
export interface PostgresLimits {
  /** Timeout for a connection to be established. */
  readonly connectMs: number;
  readonly read: Waits;
  readonly write: Waits & {
    /** Timeout for a row that another transaction has locked. */
    readonly lockMs: number;
    /**
     * How long the server keeps an idle transaction: a node that freezes in the middle of one must
     * lose it, with the locked counter row, long before its lease ends.
     */
    readonly idleMs: number;
    /** For a transaction that others wait for. */
    readonly brief: Pick<Waits, "statementMs"> & { readonly lockMs: number };
  };
}

interface Waits {
  /** Timeout for a free connection of the pool. */
  readonly freeMs: number;
  /** Until the server cancels a statement. */
  readonly statementMs: number;
  /** Until this side gives up on the server: longer than `statementMs`, so that the server is the first to report a timeout. */
  readonly answerMs: number;
}

/** The lock timeout exceeds the longest silence of a lock's holder, so that the death of a node costs others time but no error. */
export const LIMITS: PostgresLimits = {
  connectMs: 2000,
  read: { freeMs: 4000, statementMs: 4000, answerMs: 5000 },
  write: {
    ...{ freeMs: 8000, statementMs: 7000, answerMs: 8000, lockMs: 6500, idleMs: 5000 },
    // A hundred times the duration of a statement for 200 records.
    brief: { statementMs: 1000, lockMs: 500 },
  },
};

/** TCP keep-alive starts after this idle time, ms. */
const KEEP_ALIVE_MS = 10_000;

const INT8 = 20;
/** All times, sequences and numbers here are integers below 2^53. */
const types = {
  getTypeParser: ((oid: number, format?: "text") =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

export interface PoolOptions {
  /** `postgres://…` */
  readonly url: string;
  /** Called when an idle connection breaks. */
  readonly onLost: (error: Error) => void;
  /** Maximum connections. */
  readonly connections: number;
  readonly limits: PostgresLimits;
}

/** The pool for reads. @param patient without a statement timeout: for commands that read whole tables */
export function readersOf(options: PoolOptions, patient: boolean): pg.Pool {
  const { statementMs, answerMs, freeMs } = options.limits.read;
  const waits = patient ? {} : { statement_timeout: statementMs, query_timeout: answerMs };
  return poolOf(options, freeMs, waits);
}

/** The pool for writes: statements sent together share a pipelined batch and run in that order. */
export function writersOf(options: PoolOptions): pg.Pool {
  const { statementMs, answerMs, freeMs, lockMs, idleMs } = options.limits.write;
  return poolOf(options, freeMs, {
    pipeline: true,
    statement_timeout: statementMs,
    query_timeout: answerMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleMs,
  });
}

/** A single connection without timeouts, for schema changes: they take long, and wait for those of another program. */
export function lonelyClient({ url, limits }: PoolOptions): pg.Client {
  return new pg.Client({ ...common(url), connectionTimeoutMillis: limits.connectMs });
}

function poolOf({ url, onLost, connections, limits }: PoolOptions, freeMs: number, waits: pg.ClientConfig): pg.Pool {
  class Client extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      // The pool's own setting of this name also limits the wait for a free connection.
      super({ ...config, connectionTimeoutMillis: limits.connectMs });
    }
  }
  const pool = new pg.Pool({ ...common(url), ...waits, Client, max: connections, connectionTimeoutMillis: freeMs });
  // The pool replaces an idle connection that breaks; without a listener the error would end the process.
  pool.on("error", onLost);
  return pool;
}

function common(url: string): pg.ClientConfig {
  // Gives `sslmode` the meaning of libpq. The driver's own treats all modes alike.
  const connectionString = /[?&]sslmode=/.test(url) ? `${url}&uselibpqcompat=true` : url;
  return { connectionString, types, keepAlive: true, keepAliveInitialDelayMillis: KEEP_ALIVE_MS, stream: openSocket };
}

/** Destroys a connection after its last byte is sent: the other side may be gone and never close its own half. */
function openSocket(): Socket {
  const socket = new BatchSocket();
  return socket.once("finish", () => socket.destroy());
}

/** The driver buffers the messages of one statement; this socket buffers all that are sent in one go: one system call for a batch. */
class BatchSocket extends Socket {
  override uncork(): void {
    process.nextTick(() => super.uncork());
  }
}
