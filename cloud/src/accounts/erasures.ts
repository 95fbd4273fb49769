/**
 * Erases accounts. The job of the request frees the address and ends every log-in; all else follows in steps that are safe to
 * repeat, also after a crash. A second pass erases the rows that other parts store some seconds late, such as token uses, and only
 * then the record of the erasure itself is deleted.
 */
import { type Clock, every, type Log, Rounds, sleep, type Timer } from "@porchlight/shared/kernel";
import type { AccountCaller, Tokens } from "../access/index.ts";
import { type ErasureRow, statement, type Transaction } from "../store/index.ts";
import { type PasswordProofDeps, requirePassword } from "./passwords.ts";
import { findErasures } from "./service-queries.ts";

/** Erases the data that one part keeps of an account and its ecosystems; safe to repeat. */
export type Eraser = (accountId: string, pass: ErasurePass) => Promise<void>;

export interface ErasurePass {
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
