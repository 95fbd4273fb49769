/** The person's side of a log-in by code: sees which program asks from where, and approves or denies it, once. */
import { type CodeLogIn, formatTime } from "@porchlight/shared/api";
import { type Clock, NamedError } from "@porchlight/shared/kernel";
import { type AccountCaller, audit } from "../access/index.ts";
import { type CodeLogInRow, one, type Store, statement, type Transaction } from "../store/index.ts";
import { logInState } from "./code-log-ins.ts";
import { codeLogInEmail, type EmailText } from "./email-template.ts";
import type { PairingCodeLimiter } from "./pairing-code-limiter.ts";
import { pairingCodeHash, readUserCode } from "./pairing-codes.ts";
import { decideAnswer } from "./pairing-state.ts";
import { findLogInByUserCode, logInByDevice } from "./service-queries.ts";

/** An approved program has at least this long to poll, ms. */
const GRACE = 60_000;

type Approved = { hash: string; account: string; by: string; now: number; grace: number };
/** Of two that answer at once, on any nodes, one finds it open. The next poll may come at once. */
const approveLogIn = statement<Approved>("approve_code_log_in")((db, p) =>
  db
    .updateTable("code_log_ins")
    .set((of) => ({
      state: "approved",
      account_id: p.account,
      approved_by: p.by,
      polled_at: null,
      expires_at: of.case().when("expires_at", "<", p.grace).then(of.val(p.grace)).else(of.ref("expires_at")).end(),
    }))
    .where("device_hash", "=", p.hash)
    .where("state", "=", "pending")
    .where("expires_at", ">", p.now),
);
const denyLogIn = statement<{ hash: string; now: number }>("deny_code_log_in")((db, p) =>
  db
    .updateTable("code_log_ins")
    .set({ state: "denied" })
    .where("device_hash", "=", p.hash)
    .where("state", "=", "pending")
    .where("expires_at", ">", p.now),
);

export interface CodeLogInApprovalsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly codeLimiter: PairingCodeLimiter;
  /** Writes to an account's own address, when that has been verified. @throws "Service Unavailable" */
  readonly outbox: { notify(tx: Transaction, accountId: string, letter: EmailText): Promise<boolean> };
  readonly serviceUrl: () => string;
}

export class CodeLogInApprovals {
  readonly #deps: CodeLogInApprovalsDeps;

  constructor(deps: CodeLogInApprovalsDeps) {
    this.#deps = deps;
  }

  /** The program that waits under a code. @throws "Login Code Invalid", "Login Expired", "Rate Limit Exceeded" */
  async get(caller: AccountCaller, userCode: string): Promise<CodeLogIn> {
    const row = await this.#open(caller, userCode);
    return {
      userCode: readUserCode(userCode),
      address: row.address,
      ...(row.user_agent !== null && { userAgent: row.user_agent }),
      createdAt: formatTime(row.created_at),
      expiresAt: formatTime(row.expires_at),
    };
  }

  /** Lets the program log in as the caller's account at its next poll. @throws those of {@link get} */
  async approve(caller: AccountCaller, userCode: string): Promise<void> {
    const { outbox, serviceUrl } = this.#deps;
    const { accountId: account, tokenId: by } = caller;
    await this.#answer(caller, userCode, async (tx, row, now) => {
      const changed = await tx.run(approveLogIn, { hash: row.device_hash, account, by, now, grace: now + GRACE });
      if (changed > 0) {
        await audit(tx, caller, "login.approved", account, askedBy(row));
        await outbox.notify(tx, account, codeLogInEmail(serviceUrl(), row.address));
      }
      return changed;
    });
  }

  /** @throws those of {@link get} */
  async deny(caller: AccountCaller, userCode: string): Promise<void> {
    await this.#answer(caller, userCode, async (tx, row, now) => {
      const changed = await tx.run(denyLogIn, { hash: row.device_hash, now });
      if (changed > 0) await audit(tx, caller, "login.denied", caller.accountId, askedBy(row));
      return changed;
    });
  }

  /** @param change gives how many rows it has changed: none when somebody else was quicker, or the code has expired meanwhile */
  async #answer(
    caller: AccountCaller,
    userCode: string,
    change: (tx: Transaction, row: CodeLogInRow, now: number) => Promise<number>,
  ): Promise<void> {
    const row = await this.#open(caller, userCode);
    await this.#deps.store.writeService(async (tx) => {
      if ((await change(tx, row, tx.now())) > 0) return;
      const now = await one(tx.all(logInByDevice, { hash: row.device_hash }));
      throw (now && refusal(now, tx.now())) ?? new NamedError("Login Code Invalid");
    });
  }

  async #open(caller: AccountCaller, userCode: string): Promise<CodeLogInRow> {
    const { store, clock, codeLimiter } = this.#deps;
    const right = await codeLimiter.begin(caller.accountId);
    const row = await findLogInByUserCode(store, pairingCodeHash(readUserCode(userCode, "Login Code Invalid")));
    if (!row) throw new NamedError("Login Code Invalid");
    await right();
    const problem = refusal(row, clock.now());
    if (problem) throw problem;
    return row;
  }
}

function askedBy({ address, user_agent }: CodeLogInRow) {
  return { programAddress: address, userAgent: user_agent ?? undefined };
}

/** Why it cannot be answered any more. A code that was answered is like one that never was. */
function refusal(row: CodeLogInRow, now: number): NamedError | undefined {
  switch (decideAnswer(logInState(row), now)) {
    case "open":
      return undefined;
    case "spent":
      return new NamedError("Login Code Invalid");
    case "expired":
      return new NamedError("Login Expired");
  }
}
