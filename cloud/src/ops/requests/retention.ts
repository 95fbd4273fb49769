/** Retention of requests, audit entries and commands, by age and by size: the rest is deleted in small jobs. */
import { BoundedMap, type Clock, every, type Log, Rounds, type Timer } from "@porchlight/shared/kernel";
import { SERVICE_TIMES } from "@porchlight/shared/presentation";
import { sweepSharedLimits } from "../../access/index.ts";
import { type Store, statement } from "../../store/index.ts";
import { sweepCounts } from "../activity/service-queries.ts";
import { KEEP_ACTIVITY } from "../activity/steps.ts";
import { sweepAudit } from "../audit-service-queries.ts";
import { sweepCommands } from "./old-commands.ts";
import type { LoggedRequest } from "./request-buffer.ts";
import { firstOf } from "./service-queries.ts";

/** How long requests are kept, ms. */
export const KEEP_REQUESTS = SERVICE_TIMES.requestsKept;
/** How long audit entries and version records are kept, ms: a year, with time for questions about it. */
export const KEEP_AUDIT = SERVICE_TIMES.auditKept;
/** Maximum requests kept for one ecosystem. */
const KEEP_OF_OWNER = 10_000;
/** The log is trimmed after this many new requests. */
const TRIM_AFTER = 500;
/** Maximum owners with a counter of new requests. */
const OWNERS = 10_000;
/** Interval between two sweeps, ms. */
const INTERVAL = 3_600_000;
/** Rows of one job. */
const SLICE = 500;

type Cut = { eco: string; skip: number };
/** The newest request of an ecosystem beyond the maximum. */
const cutOfEcosystem = statement<Cut>("request_log_cut_of_ecosystem")((db, p) =>
  db
    .selectFrom("request_log")
    .select("id")
    .where("ecosystem_id", "=", p.eco)
    .orderBy("id", "desc")
    .limit(1)
    .offset(p.skip),
);
const trimEcosystem = statement<{ eco: string; id: string }>("trim_request_log_of_ecosystem")((db, p) =>
  db.deleteFrom("request_log").where("ecosystem_id", "=", p.eco).where("id", "<=", p.id),
);
const cutOfAccount = statement<{ account: string; skip: number }>("request_log_cut_of_account")((db, p) =>
  db
    .selectFrom("request_log")
    .select("id")
    .where("account_id", "=", p.account)
    .where("ecosystem_id", "is", null)
    .orderBy("id", "desc")
    .limit(1)
    .offset(p.skip),
);
const trimAccount = statement<{ account: string; id: string }>("trim_request_log_of_account")((db, p) =>
  db
    .deleteFrom("request_log")
    .where("account_id", "=", p.account)
    .where("ecosystem_id", "is", null)
    .where("id", "<=", p.id),
);

/** Keeps each ecosystem's log within its maximum size, counting the requests that this node stores. */
export class LogTrimmer {
  readonly #store: Store;
  /** New requests since the last trim; this process has not trimmed owners without an entry. */
  readonly #fresh = new BoundedMap<string, number>(OWNERS);

  constructor(store: Store) {
    this.#store = store;
  }

  /** @param stored requests that have just been stored @throws "Service Unavailable" */
  async trim(stored: readonly LoggedRequest[]): Promise<void> {
    const counts = new Map<string, { readonly of: LoggedRequest; count: number }>();
    for (const request of stored) {
      const owner = request.ecosystemId ?? request.accountId ?? "";
      const held = counts.get(owner);
      if (held) held.count += 1;
      else counts.set(owner, { of: request, count: 1 });
    }
    for (const [owner, { of, count }] of counts) {
      const fresh = (this.#fresh.get(owner) ?? TRIM_AFTER) + count;
      this.#fresh.set(owner, fresh > TRIM_AFTER ? 0 : fresh);
      if (fresh > TRIM_AFTER) await this.#trim(of);
    }
  }

  async #trim({ ecosystemId: eco, accountId: account }: LoggedRequest): Promise<void> {
    const skip = KEEP_OF_OWNER - TRIM_AFTER;
    await this.#store.writeService(async (tx) => {
      if (eco !== undefined) {
        const [cut] = await tx.all(cutOfEcosystem, { eco, skip });
        if (cut) await tx.run(trimEcosystem, { eco, id: cut.id });
      } else if (account !== undefined) {
        const [cut] = await tx.all(cutOfAccount, { account, skip });
        if (cut) await tx.run(trimAccount, { account, id: cut.id });
      }
    });
  }
}

/** A slice of expired requests, the oldest first: selects the time of its last one, and deletes everything up to that. */
const REQUESTS = {
  last: statement<{ before: number; skip: number }>("oldest_of_request_log")((db, p) =>
    db.selectFrom("request_log").select("at").where("at", "<", p.before).orderBy("at").limit(1).offset(p.skip),
  ),
  remove: statement<{ upTo: number }>("sweep_request_log")((db, p) =>
    db.deleteFrom("request_log").where("at", "<=", p.upTo),
  ),
};

/** The deletion of a table's expired rows: can be repeated at any time. */
interface Sweep {
  readonly table: string;
  readonly sweep: () => Promise<unknown>;
}

/** Deletes expired rows every hour. */
export class Retention implements AsyncDisposable {
  readonly #deps: { readonly store: Store; readonly clock: Clock; readonly log: Log };
  readonly #timer: Timer;
  readonly #sweeping = new Rounds(() => this.#sweep());

  private constructor(deps: { readonly store: Store; readonly clock: Clock; readonly log: Log }) {
    this.#deps = deps;
    this.#timer = every(deps.clock, "sweep request log, audit and commands", INTERVAL, () => void this.sweep());
  }

  static start(deps: { readonly store: Store; readonly clock: Clock; readonly log: Log }): Retention {
    return new Retention(deps);
  }

  /** Resolves when all expired rows are deleted, or the store refuses; the next sweep continues. */
  sweep(): Promise<void> {
    return this.#sweeping.ask();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer.cancel();
    await this.#sweeping.end();
  }

  async #sweep(): Promise<void> {
    const { store, clock, log } = this.#deps;
    const now = clock.now();
    const goOn = () => !this.#sweeping.ended;
    const sweeps: readonly Sweep[] = [
      { table: "request_log", sweep: () => this.#sweepRequests(now - KEEP_REQUESTS) },
      { table: "request_counts", sweep: () => sweepCounts(store, now - KEEP_ACTIVITY, goOn) },
      { table: "audit_entries", sweep: () => sweepAudit(store, log, now - KEEP_AUDIT, goOn) },
      { table: "limits", sweep: () => store.writeService(sweepSharedLimits) },
      { table: "commands", sweep: () => sweepCommands(store, now, goOn) },
    ];
    try {
      await store.setAside.each(sweeps, {
        ...{ loop: "log_retention", log, about: ({ table }) => ({ table }) },
        work: async (some) => {
          for (const { sweep } of some) await sweep();
        },
      });
    } catch (error) {
      log.warn({ error }, "old requests, audit entries and commands could not be deleted");
    }
  }

  async #sweepRequests(before: number): Promise<void> {
    const { store } = this.#deps;
    for (let more = true; more && !this.#sweeping.ended; ) {
      const end = await firstOf(store, REQUESTS.last, { before, skip: SLICE - 1 });
      more = end !== undefined;
      await store.writeService((tx) => tx.run(REQUESTS.remove, { upTo: end?.at ?? before - 1 }));
    }
  }
}
