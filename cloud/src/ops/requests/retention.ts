/** What is told of requests, deeds and commands is kept so long, and so much of it: the rest goes in small jobs. */
import { BoundedMap, type Clock, every, type Log, Rounds, type Timer } from "@porchlight/shared/kernel";
import { SERVICE_TIMES } from "@porchlight/shared/presentation";
import { sweepSharedLimits } from "../../access/index.ts";
import { type Store, statement } from "../../store/index.ts";
import { sweepCounts } from "../activity/service-queries.ts";
import { KEEP_ACTIVITY } from "../activity/steps.ts";
import { sweepAudit } from "../audit/audit-service-queries.ts";
import { sweepCommands } from "./old-commands.ts";
import type { LoggedRequest } from "./request-buffer.ts";
import { firstOf } from "./service-queries.ts";

/** How long requests are kept, ms. */
export const KEEP_REQUESTS = SERVICE_TIMES.requestsKept;
/** How long audit entries and version records are kept, ms: a year, and time to ask about it. */
export const KEEP_AUDIT = SERVICE_TIMES.auditKept;
/** Most requests kept of one ecosystem. */
const KEEP_OF_OWNER = 10_000;
/** After so many new ones what is too much is taken away. */
const TRIM_AFTER = 500;
/** Owners whose new requests are counted. */
const OWNERS = 10_000;
/** Between two sweeps, ms. */
const INTERVAL = 3_600_000;
/** Rows of one job. */
const SLICE = 500;

type Cut = { eco: string; skip: number };
/** The newest of an ecosystem that is too much. */
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

/** Keeps the log of each ecosystem to its size: what one node stores never passes it. */
export class LogTrimmer {
  readonly #store: Store;
  /** New ones since the last trim; who is not here has not been looked at by this process. */
  readonly #fresh = new BoundedMap<string, number>(OWNERS);

  constructor(store: Store) {
    this.#store = store;
  }

  /** @param stored what has just been stored @throws "Service Unavailable" */
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

/** Of a slice that begins with the oldest, as far as requests are older: the time of the last, and how what is no later goes. */
const REQUESTS = {
  last: statement<{ before: number; skip: number }>("oldest_of_request_log")((db, p) =>
    db.selectFrom("request_log").select("at").where("at", "<", p.before).orderBy("at").limit(1).offset(p.skip),
  ),
  remove: statement<{ upTo: number }>("sweep_request_log")((db, p) =>
    db.deleteFrom("request_log").where("at", "<=", p.upTo),
  ),
};

/** What is too old of one table: may be done again at any time. */
interface Sweep {
  readonly table: string;
  readonly sweep: () => Promise<unknown>;
}

/** Takes away what is too old, every hour. */
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

  /** Settles when all that is too old has gone, or the store does not take it: the next sweep goes on. */
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
