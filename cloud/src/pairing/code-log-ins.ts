/**
 * The program's side of a log-in by code (RFC 8628): it starts without a token, displays a code, and polls until a
 * logged-in user approves it. Then it gets a log-in of that account, once.
 */
import type { CodeLogInPoll, Login, StartedCodeLogIn } from "@porchlight/shared/api";
import { type Clock, type Log, NamedError, type Random } from "@porchlight/shared/kernel";
import { audit, lockAccount, type Tokens } from "../access/index.ts";
import { type CodeLogInRow, one, type Store, statement, type Transaction } from "../store/index.ts";
import { type DropOld, makeDeviceCode, OldRows, type PastBound, pairingCodeHash, storeUnderCode } from "./code-rows.ts";
import { type CodeState, decidePoll } from "./pairings.ts";
import { findLogInByDeviceCode, logInByDevice } from "./service-queries.ts";

type NewRow = Omit<CodeLogInRow, "polled_at" | "account_id" | "approved_by" | "state">;
const insertLogIn = statement<{ [K in keyof NewRow]: NewRow[K] }>("insert_code_log_in")((db, p) =>
  db
    .insertInto("code_log_ins")
    .values({
      device_hash: p.device_hash,
      user_hash: p.user_hash,
      address: p.address,
      user_agent: p.user_agent,
      state: "pending",
      interval_ms: p.interval_ms,
      created_at: p.created_at,
      expires_at: p.expires_at,
    })
    .onConflict((conflict) => conflict.column("user_hash").doNothing()),
);
const pastBound: PastBound = statement<{ bound: number }>("code_log_in_past_bound")((db, p) =>
  db.selectFrom("code_log_ins").select("expires_at").orderBy("expires_at").limit(1).offset(p.bound),
);
const polled = statement<{ hash: string; at: number | null; interval: number }>("code_log_in_polled")((db, p) =>
  db
    .updateTable("code_log_ins")
    .set({ polled_at: p.at, interval_ms: p.interval })
    .where("device_hash", "=", p.hash)
    .where("state", "=", "pending"),
);
const dropLogIn = statement<{ hash: string }>("drop_code_log_in")((db, p) =>
  db.deleteFrom("code_log_ins").where("device_hash", "=", p.hash),
);
const dropOld: DropOld = statement<{ before: number; slice: number }>("drop_old_code_log_ins")((db, p) =>
  db
    .deleteFrom("code_log_ins")
    .where("device_hash", "in", (of) =>
      of.selectFrom("code_log_ins").select("device_hash").where("expires_at", "<=", p.before).limit(p.slice),
    ),
);
const dropOfAccount = statement<{ account: string }>("drop_code_log_ins_of_account")((db, p) =>
  db.deleteFrom("code_log_ins").where("account_id", "=", p.account),
);
const endApproved = statement<{ account: string; now: number }>("end_approved_code_log_ins")((db, p) =>
  db
    .updateTable("code_log_ins")
    .set({ state: "denied" })
    .where("account_id", "=", p.account)
    .where("state", "=", "approved")
    .where("expires_at", ">", p.now),
);
const livingLogIn = statement<{ id: string; account: string }>("living_log_in")((db, p) =>
  db
    .selectFrom("tokens")
    .select("id")
    .where("id", "=", p.id)
    .where("subject_id", "=", p.account)
    .where("revoked_at", "is", null),
);

export interface CodeLogInsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly tokens: Tokens;
  /** Lifetime of a code, and minimum time between two polls, ms. */
  readonly lifeMs: number;
  readonly intervalMs: number;
  /** The service's address, without `/api`. */
  readonly serviceUrl: () => string;
}

/** A program's IP address, and its own description of itself. */
export interface AskedFrom {
  readonly address: string;
  readonly userAgent: string | undefined;
}

/** A refusal is a value, because a job that throws would roll back what it has stored of the poll. */
type Polled = { readonly login: Login } | { readonly refused: NamedError };

export class CodeLogIns implements AsyncDisposable {
  readonly #deps: CodeLogInsDeps;
  readonly #old: OldRows;

  private constructor(deps: CodeLogInsDeps) {
    this.#deps = deps;
    this.#old = OldRows.start(deps, "old log-ins by code", dropOld);
  }

  static start(deps: CodeLogInsDeps): CodeLogIns {
    return new CodeLogIns(deps);
  }

  /** @throws "Service Unavailable" when too many are in progress */
  async begin({ address, userAgent }: AskedFrom): Promise<StartedCodeLogIn> {
    const { store, random, lifeMs, intervalMs, serviceUrl } = this.#deps;
    const deviceCode = makeDeviceCode(random);
    const userCode = await store.writeService((tx) => {
      const now = tx.now();
      return storeUnderCode(tx, random, pastBound, (code) =>
        tx.run(insertLogIn, {
          device_hash: pairingCodeHash(deviceCode),
          user_hash: pairingCodeHash(code),
          address,
          user_agent: userAgent ?? null,
          interval_ms: intervalMs,
          created_at: now,
          expires_at: now + lifeMs,
        }),
      );
    });
    const verificationUri = `${serviceUrl()}/log-in-by-code`;
    return {
      deviceCode,
      userCode,
      verificationUri,
      verificationUriComplete: `${verificationUri}?code=${userCode}`,
      expiresIn: lifeMs / 1000,
      interval: intervalMs / 1000,
    };
  }

  /**
   * Answers with the log-in once a user has approved it, and only that one time.
   * @throws "Login Code Invalid", "Login Pending", "Login Slow Down", "Login Denied", "Login Expired"
   */
  async poll({ deviceCode }: CodeLogInPoll, address: string): Promise<Login> {
    const { store } = this.#deps;
    const hash = pairingCodeHash(deviceCode);
    // Outside a job: polls with unknown codes must not queue for the writer.
    if (!(await findLogInByDeviceCode(store, hash))) throw new NamedError("Login Code Invalid");
    const outcome = await store.writeService((tx) => this.#polled(tx, hash, address));
    if ("login" in outcome) return outcome.login;
    throw outcome.refused;
  }

  /** Denies the log-ins that an account has approved. Returns their number. */
  endApproved(tx: Transaction, account: string): Promise<number> {
    return tx.run(endApproved, { account, now: tx.now() });
  }

  /** Deletes everything of an erased account. */
  async forget(account: string): Promise<void> {
    await this.#deps.store.writeService((tx) => tx.run(dropOfAccount, { account }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#old[Symbol.asyncDispose]();
  }

  async #polled(tx: Transaction, hash: string, address: string): Promise<Polled> {
    const row = await one(tx.all(logInByDevice, { hash }));
    if (!row) return { refused: new NamedError("Login Code Invalid") };
    const now = tx.now();
    const decision = decidePoll(logInState(row), now);
    switch (decision.kind) {
      case "denied":
        return { refused: new NamedError("Login Denied") };
      case "expired":
        return { refused: new NamedError("Login Expired") };
      case "slow_down": {
        const { intervalMs, waitMs } = decision;
        if (intervalMs !== row.interval_ms) await tx.run(polled, { hash, at: row.polled_at, interval: intervalMs });
        const retryAfter = Math.ceil(waitMs / 1000);
        return { refused: new NamedError("Login Slow Down", undefined, { retryAfter }) };
      }
      case "pending":
        await tx.run(polled, { hash, at: now, interval: row.interval_ms });
        return { refused: new NamedError("Login Pending") };
      case "approved":
        return this.#issue(tx, row, address);
    }
  }

  /** The approval is valid only while the log-in that gave it exists: a new password ends both. */
  async #issue(tx: Transaction, row: CodeLogInRow, address: string): Promise<Polled> {
    const { account_id: accountId, approved_by: approvedBy, device_hash: hash } = row;
    // Of two concurrent polls, on any nodes, only one deletes the row.
    if ((await tx.run(dropLogIn, { hash })) === 0) return { refused: new NamedError("Login Code Invalid") };
    const held = accountId === null ? undefined : await lockAccount(tx, accountId);
    const id = approvedBy ?? "";
    const isApproved = held && (await one(tx.all(livingLogIn, { id, account: held.id }))) !== undefined;
    if (!isApproved) return { refused: new NamedError("Login Denied") };
    const made = await this.#deps.tokens.issue(tx, {
      kind: "auth",
      owner: { accountId: held.id },
      subjectId: held.id,
      address,
      userAgent: row.user_agent ?? undefined,
    });
    const actor = { kind: "account", accountId: held.id, tokenId: made.id, address } as const;
    await audit(tx, actor, "login.created", made.id, { byCode: true });
    return { login: { id: made.id, type: "authentication", token: made.token, accountId: held.id } };
  }
}

/** The state of a stored log-in. */
export function logInState(row: CodeLogInRow): CodeState {
  return {
    // Only this module writes the column.
    state: row.state as CodeState["state"],
    intervalMs: row.interval_ms,
    polledAt: row.polled_at,
    expiresAt: row.expires_at,
  };
}
