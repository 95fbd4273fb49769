/**
 * Erases accounts. The job that asks for it makes the address free and ends every log-in; all else goes after it, in steps that
 * may be taken again, also when a process dies in between. What other parts store a little late (what a request has used, say) goes with a
 * second pass, and only then the erasure itself is forgotten.
 */
import { type Clock, every, type Log, Rounds, sleep, type Timer } from "@porchlight/shared/kernel";
import type { AccountCaller, Tokens } from "../access/index.ts";
import { type ErasureRow, statement, type Transaction } from "../store/index.ts";
import { type PasswordProofDeps, requirePassword } from "./passwords/passwords.ts";
import { findErasures } from "./passwords/service-queries.ts";

/** Destroys what one part keeps of an account and its ecosystems: all of it, and a second time without harm. */
export type Eraser = (accountId: string, pass: ErasurePass) => Promise<void>;

export interface ErasurePass {
  /** IDs of all ecosystems that the account had. */
  readonly ecosystems: readonly string[];
  /** Whether nothing is stored late any more. */
  readonly isLast: boolean;
}

/** Between the first pass and the last, ms: longer than anything is kept in memory before it is stored. */
const SETTLED_AFTER = 60_000;
const LOOK_EVERY = 30_000;
/** Whoever asks waits for the first pass this long, ms: of a large account the rest goes while they leave. */
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
/** Until the last pass a log-in says no more than that it was one. */
const blankLogins = statement<Of>("blank_logins")((db, p) =>
  db.updateTable("tokens").set({ address: null, user_agent: null }).where("account_id", "=", p.account),
);
const dropAccount = statement<Of>("drop_account")((db, p) => db.deleteFrom("accounts").where("id", "=", p.account));

export interface ErasuresDeps extends PasswordProofDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly tokens: Tokens;
  /** One of each part that keeps something, in the order in which they are to run. */
  readonly erasers: readonly Eraser[];
}

/**
 * To be called first in each step of an eraser that is no ecosystem's own: several nodes may be at the same erasure, and take turns
 * here, so that "there is nothing more" is not said of what another is just taking away.
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

  /** Goes on with what an earlier process had begun. */
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
    // First: a job that makes another ecosystem holds the account, and is either listed here or finds no account.
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
    // Before the pass: what is stored while it runs is for the next one.
    const isLast = clock.now() - requested_at >= SETTLED_AFTER;
    // Written by #begin.
    const ecosystems = JSON.parse(ecosystem_ids) as string[];
    for (const erase of erasers) await erase(account, { ecosystems, isLast });
    if (isLast) await store.writeService((tx) => tx.run(endErasure, { account }));
  }
}
