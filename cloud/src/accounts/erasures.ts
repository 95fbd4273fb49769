/**
 * Erases accounts. The job of the request frees the address and ends every log-in; all else follows in steps that are safe to
 * repeat, also after a crash. A second pass erases the rows that other parts store some seconds late, such as token uses, and only
 * then the record of the erasure itself is deleted.
 */
import { type Clock, every, type Log, Rounds, sleep, type Timer } from "@porchlight/shared/kernel";
import {
  type AccountCaller,
  eraseAuditChains,
  forgetIdempotencyKeys,
  type Revocations,
  type Tokens,
} from "../access/index.ts";
import { eraseEcosystem } from "../places/index.ts";
import { type ErasureRow, type Store, statement, type Transaction } from "../store/index.ts";
import { type PasswordProofDeps, requirePassword } from "./passwords.ts";
import { findErasures } from "./service-queries.ts";

/** Erases the data that one part keeps of an account and its ecosystems; safe to repeat. */
export type Eraser = (accountId: string, pass: ErasurePass) => Promise<void>;

interface ErasurePass {
  /** IDs of all ecosystems that the account had. */
  readonly ecosystems: readonly string[];
  /** Whether no part stores rows of the account any more. */
  readonly isLast: boolean;
}

/** From the first pass to the last, ms: longer than any part keeps rows in memory before it stores them. */
const SETTLED_AFTER = 60_000;
const LOOK_EVERY = 30_000;
/** Longest wait of the request for the first pass, ms: the rest of a large account is erased after the answer. */
const ANSWER_WITHIN = 2_000;

type Of = { account: string };
const ecosystemsOf = statement<Of>("all_ecosystems_of_account")((db, p) =>
  db.selectFrom("ecosystems").select("id").where("account_id", "=", p.account).orderBy("id"),
);
const beginErasure = statement<Of & { ecosystems: string; now: number }>("begin_erasure")((db, p) =>
  db
    .insertInto("erasures")
    .values({ account_id: p.account, ecosystem_ids: p.ecosystems, requested_at: p.now })
    .onConflict((conflict) => conflict.column("account_id").doNothing()),
);
const endErasure = statement<Of>("end_erasure")((db, p) =>
  db.deleteFrom("erasures").where("account_id", "=", p.account),
);
const touchErasure = statement<Of>("touch_erasure")((db, p) =>
  db
    .updateTable("erasures")
    .set((of) => ({ requested_at: of.ref("requested_at") }))
    .where("account_id", "=", p.account),
);
/** Blanks log-ins, which stay until the last pass. */
const blankLogins = statement<Of>("blank_logins")((db, p) =>
  db.updateTable("tokens").set({ address: null, user_agent: null }).where("account_id", "=", p.account),
);
const dropAccount = statement<Of>("drop_account")((db, p) => db.deleteFrom("accounts").where("id", "=", p.account));

export interface ErasuresDeps extends PasswordProofDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly tokens: Tokens;
  /** The erasers of all parts that keep data, in the order in which they run. */
  readonly erasers: readonly Eraser[];
}

/**
 * Call it first in each step of an eraser that is no ecosystem's own. Several nodes can run the same erasure and take turns here,
 * so that no node finds nothing left while another's deletion is still uncommitted.
 */
export async function takeTurn(tx: Transaction, account: string): Promise<void> {
  await tx.run(touchErasure, { account });
}

export class Erasures implements AsyncDisposable {
  readonly #deps: ErasuresDeps;
  readonly #stop = new AbortController();
  #timer: Timer | undefined;
  readonly #looking = new Rounds(() => this.#look());

  private constructor(deps: ErasuresDeps) {
    this.#deps = deps;
  }

  /** Starts, and continues the erasures that an earlier process began. */
  static start(deps: ErasuresDeps): Erasures {
    const erasures = new Erasures(deps);
    erasures.#timer = every(deps.clock, "erasures", LOOK_EVERY, () => void erasures.#looking.ask());
    void erasures.#looking.ask();
    return erasures;
  }

  /** Erases the caller's account and everything that it owns. @throws "Password Incorrect", "Rate Limit Exceeded" */
  async erase(caller: AccountCaller, password: string): Promise<void> {
    const { store, clock } = this.#deps;
    const { id } = await requirePassword(this.#deps, caller, password);
    await store.writeService((tx) => this.#begin(tx, id));
    await Promise.race([this.#looking.ask(), sleep(clock, "erasure answer", ANSWER_WITHIN, this.#stop.signal)]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer?.cancel();
    this.#stop.abort(new Error("the service stops"));
    await this.#looking.end();
  }

  async #begin(tx: Transaction, account: string): Promise<void> {
    // First: a job that creates another ecosystem locks the account, and is either listed here or finds no account.
    await tx.run(dropAccount, { account });
    const ids = (await tx.all(ecosystemsOf, { account })).map((row) => row.id);
    await tx.run(beginErasure, { account, ecosystems: JSON.stringify(ids), now: tx.now() });
    await this.#deps.tokens.revokeAll(tx, account);
    await tx.run(blankLogins, { account });
  }

  async #look(): Promise<void> {
    const { store, log } = this.#deps;
    try {
      await store.setAside.each(await findErasures(store), {
        ...{ loop: "erasures", log, about: ({ account_id }) => ({ account: account_id }) },
        work: async (rows) => {
          for (const row of rows) if (!this.#looking.ended) await this.#pass(row);
        },
      });
    } catch (error) {
      log.warn({ error }, "an account could not be erased; will retry");
    }
  }

  async #pass({ account_id: account, ecosystem_ids, requested_at }: ErasureRow): Promise<void> {
    const { store, clock, erasers } = this.#deps;
    // Read before the pass: rows stored while it runs are for the next pass.
    const isLast = clock.now() - requested_at >= SETTLED_AFTER;
    // Trusted: #begin wrote the text.
    const ecosystems = JSON.parse(ecosystem_ids) as string[];
    for (const erase of erasers) await erase(account, { ecosystems, isLast });
    if (isLast) await store.writeService((tx) => tx.run(endErasure, { account }));
  }
}

const AT_ONCE = 500;
const endEcosystem = statement<{ eco: string; at: number }>("end_ecosystem_of_erased")((db, p) =>
  db.updateTable("ecosystems").set({ gone_at: p.at }).where("id", "=", p.eco),
);
const endRoot = statement<{ eco: string; at: number }>("end_root_of_erased")((db, p) =>
  db.updateTable("objects").set({ gone_at: p.at }).where("ecosystem_id", "=", p.eco).where("id", "=", p.eco),
);
const eraseAudit = statement<Of>("erase_audit")((db, p) =>
  db
    .deleteFrom("audit_entries")
    .where("account_id", "=", p.account)
    .where("id", "in", (of) =>
      of.selectFrom("audit_entries").select("id").where("account_id", "=", p.account).limit(AT_ONCE),
    ),
);
const eraseRequests = statement<Of>("erase_request_log")((db, p) =>
  db
    .deleteFrom("request_log")
    .where("account_id", "=", p.account)
    .where("id", "in", (of) =>
      of.selectFrom("request_log").select("id").where("account_id", "=", p.account).limit(AT_ONCE),
    ),
);
const eraseNotices = statement<Of>("erase_version_notices")((db, p) =>
  db.deleteFrom("version_notices").where("account_id", "=", p.account),
);
const eraseAlertSettings = statement<Of>("erase_alert_settings")((db, p) =>
  db.deleteFrom("alert_settings").where("account_id", "=", p.account),
);
const eraseUses = statement<Of>("erase_uses_of_logins")((db, p) =>
  db
    .deleteFrom("token_uses")
    .where("token_id", "in", (of) => of.selectFrom("tokens").select("id").where("account_id", "=", p.account)),
);
const eraseVersions = statement<Of>("erase_versions_of_logins")((db, p) =>
  db
    .deleteFrom("token_versions")
    .where("token_id", "in", (of) => of.selectFrom("tokens").select("id").where("account_id", "=", p.account)),
);
const eraseSessionTokens = statement<Of>("erase_session_tokens")((db, p) =>
  db
    .deleteFrom("session_tokens")
    .where("login_id", "in", (of) => of.selectFrom("tokens").select("id").where("account_id", "=", p.account)),
);
const eraseCodes = statement<Of>("erase_codes")((db, p) =>
  db.deleteFrom("account_codes").where("account_id", "=", p.account),
);
const eraseLogins = statement<Of>("erase_logins")((db, p) =>
  db.deleteFrom("tokens").where("account_id", "=", p.account),
);

/**
 * Ends the connections and streams of the ecosystems, then erases the ecosystems with their contents: a few hundred rows at a time,
 * so that no request waits.
 */
export function ecosystemEraser(store: Store, revocations: Revocations): Eraser {
  return async (_account, { ecosystems }) => {
    for (const eco of ecosystems) {
      await store.write(eco, async (tx) => {
        await tx.run(endEcosystem, { eco, at: tx.now() });
        await tx.run(endRoot, { eco, at: tx.now() });
        await forgetIdempotencyKeys(tx, eco);
        await revocations.end(tx, { kind: "ecosystem", subjectId: eco });
      });
    }
    for (const eco of ecosystems) await eraseEcosystem(store, eco);
  };
}

/** Erases the account's records. Its log-ins stay until the last pass, because token uses are found by them. */
export function recordsEraser(store: Store): Eraser {
  return async (account, { isLast }) => {
    const step = <T>(job: (tx: Transaction) => Promise<T>) =>
      store.writeService(async (tx) => {
        await takeTurn(tx, account);
        return job(tx);
      });
    await step((tx) => eraseAuditChains(tx, account));
    for (const erase of [eraseAudit, eraseRequests]) while ((await step((tx) => tx.run(erase, { account }))) > 0);
    await step(async (tx) => {
      await forgetIdempotencyKeys(tx, account);
      for (const erase of [eraseNotices, eraseAlertSettings, eraseUses, eraseVersions, eraseSessionTokens, eraseCodes])
        await tx.run(erase, { account });
      if (isLast) await tx.run(eraseLogins, { account });
    });
  };
}
