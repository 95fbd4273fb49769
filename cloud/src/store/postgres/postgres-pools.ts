/**
 * Connections to PostgreSQL, and how long anything may take on them: its own file because a server that is stopped, cut off or
 * replaced is found out here, by limits on both sides, and nowhere waited for.
 *
 * All settings of a session go in its first message, so that they cost no turn.
 */
import { Socket } from "node:net";
import pg from "pg";

/** Each in ms. */
export interface PostgresLimits {
  /** Until a connection stands. */
  readonly connectMs: number;
  readonly read: Waits;
  readonly write: Waits & {
    /** For a row that another transaction holds. */
    readonly lockMs: number;
    /**
     * How long the server keeps a transaction of which it hears nothing: a node that stands still in the middle of one has to
     * lose it, with the counter row that it holds, long before its lease ends.
     */
    readonly idleMs: number;
    /** In a transaction for which others wait. */
    readonly brief: Pick<Waits, "statementMs"> & { readonly lockMs: number };
  };
}

interface Waits {
  /** For one of the pool's connections. */
  readonly freeMs: number;
  /** Until the server gives up on a statement. */
  readonly statementMs: number;
  /** Until this side gives up on the server: longer than that, or the server would never be the one to say it. */
  readonly answerMs: number;
}

/** A lock is waited for longer than its holder may be silent, so that the death of a node costs others time and no error. */
export const LIMITS: PostgresLimits = {
  connectMs: 2000,
  read: { freeMs: 4000, statementMs: 4000, answerMs: 5000 },
  write: {
    ...{ freeMs: 8000, statementMs: 7000, answerMs: 8000, lockMs: 6500, idleMs: 5000 },
    // A hundred times what a statement for 200 records takes.
    brief: { statementMs: 1000, lockMs: 500 },
  },
};

/** Idle connections are heard of by TCP after this long, ms. */
const KEEP_ALIVE_MS = 10_000;

const INT8 = 20;
/** Times, sequences and numbers are integers below 2^53 here. */
const types = {
  getTypeParser: ((oid: number, format?: "text") =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

export interface PoolOptions {
  /** `postgres://…` */
  readonly url: string;
  /** An idle connection broke. */
  readonly onLost: (error: Error) => void;
  /** At most. */
  readonly connections: number;
  readonly limits: PostgresLimits;
}

/** Connections that read. @param patient without a limit on how long a statement takes: for commands that go through everything */
export function readersOf(options: PoolOptions, patient: boolean): pg.Pool {
  const { statementMs, answerMs, freeMs } = options.limits.read;
  const waits = patient ? {} : { statement_timeout: statementMs, query_timeout: answerMs };
  return poolOf(options, freeMs, waits);
}

/** Connections that write: what is asked of one at once goes in one pipelined batch, and is done in that order. */
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

/** One connection without limits, for changes to the schema: they take what they take, and wait for another program's. */
export function lonelyClient({ url, limits }: PoolOptions): pg.Client {
  return new pg.Client({ ...common(url), connectionTimeoutMillis: limits.connectMs });
}

function poolOf({ url, onLost, connections, limits }: PoolOptions, freeMs: number, waits: pg.ClientConfig): pg.Pool {
  class Client extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      // The pool's own limit of this name is on the wait for a free one as well.
      super({ ...config, connectionTimeoutMillis: limits.connectMs });
    }
  }
  const pool = new pg.Pool({ ...common(url), ...waits, Client, max: connections, connectionTimeoutMillis: freeMs });
  // An idle connection that breaks is replaced by the pool; unheard it would end the process.
  pool.on("error", onLost);
  return pool;
}

function common(url: string): pg.ClientConfig {
  // With the meaning that libpq gives to `sslmode`. The driver's own takes all modes for the same one.
  const connectionString = /[?&]sslmode=/.test(url) ? `${url}&uselibpqcompat=true` : url;
  return { connectionString, types, keepAlive: true, keepAliveInitialDelayMillis: KEEP_ALIVE_MS, stream: openSocket };
}

/** A connection that has said its last word is closed: the other side may be gone, and never say its own. */
function openSocket(): Socket {
  const socket = new BatchSocket();
  return socket.once("finish", () => socket.destroy());
}

/** The driver holds back what belongs to a statement until it is whole; here, until all is that is asked in one go: one system call for a batch. */
class BatchSocket extends Socket {
  override uncork(): void {
    process.nextTick(() => super.uncork());
  }
}
