/** Resets of forgotten passwords: requested by address, confirmed with the code that is emailed to it. */
import { formatTime, type NewPassword, type PasswordResetResult } from "@porchlight/shared/api";
import { type Clock, type Log, NamedError, type Random } from "@porchlight/shared/kernel";
import { audit, lockAccount, type Tokens } from "../access/index.ts";
import { type Store, statement, type Transaction } from "../store/index.ts";
import { codeHash, dropCodes, issueCode, redeemCode } from "./codes.ts";
import { type MailOutbox, passwordResetEmail, resetEmail } from "./email-templates.ts";
import type { GrantEnder } from "./grant-ender.ts";
import type { Grants } from "./grants.ts";
import type { LogInLimiter } from "./log-in-limiter.ts";
import type { Passwords } from "./passwords.ts";
import { findAccountByEmail, findCodeHolder, logInsOf } from "./service-queries.ts";

const setPassword = statement<{ id: string; hash: string }>("set_password")((db, p) =>
  db.updateTable("accounts").set({ password_hash: p.hash }).where("id", "=", p.id),
);
/** A person who sets a password by a code has proved to receive mail at the address. */
const setVerified = statement<{ id: string; at: number }>("set_verified_by_reset")((db, p) =>
  db.updateTable("accounts").set({ verified_at: p.at }).where("id", "=", p.id).where("verified_at", "is", null),
);

/** Most grants, and log-ins, in the answer. */
const SHOWN_GRANTS = 100;
const SHOWN_LOG_INS = 20;

export interface PasswordResetsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly passwords: Passwords;
  readonly logInLimiter: LogInLimiter;
  readonly tokens: Tokens;
  readonly outbox: MailOutbox;
  readonly grants: Grants;
  readonly grantEnder: GrantEnder;
  readonly codeLogIns: { endApproved(tx: Transaction, account: string): Promise<number> };
  readonly serviceUrl: () => string;
}

export class PasswordResets {
  readonly #deps: PasswordResetsDeps;

  constructor(deps: PasswordResetsDeps) {
    this.#deps = deps;
  }

  /**
   * Sends a code to an address. For an unknown address it prepares an email too, with a code of no account, and does not send it,
   * so that answer and timing are the same. Past five an hour nothing is sent, and earlier codes stay valid.
   * @param address network address of the request
   */
  async request(email: string, address: string): Promise<void> {
    const { store, random, log, logInLimiter, outbox, serviceUrl } = this.#deps;
    const account = await findAccountByEmail(store, email);
    if (!(await logInLimiter.mayWrite(email))) return;
    await store.writeService(async (tx) => {
      const accountId = account?.id ?? tx.ids.next("acc");
      const code = await issueCode(tx, random, accountId, "reset");
      await outbox.post(tx, { accountId, to: account?.email, ...resetEmail(serviceUrl(), code) });
    });
    if (!account) return;
    // The answer does not wait for it, for the same reason as with a refused log-in.
    const actor = { kind: "unknown", accountId: account.id, address } as const;
    store
      .writeService((tx) => audit(tx, actor, "password.reset_asked", account.id))
      .catch((error: unknown) => log.warn({ error }, "a password reset could not be added to the audit"));
  }

  /**
   * Sets the password, ends all log-ins, then other grants: all of them if this verifies the address, otherwise those that the
   * account made itself. The address is marked as verified last, so that the next reset repeats an interrupted one. A rejected
   * password leaves the code valid.
   * @param address network address of the request
   * @throws "Reset Code Invalid", "Password Too Weak"
   */
  async confirm({ code, password }: NewPassword, address: string): Promise<PasswordResetResult> {
    const { store, clock, log, passwords, grants, grantEnder, outbox, serviceUrl } = this.#deps;
    const account = await findCodeHolder(store, codeHash(code), "reset", clock.now());
    if (!account) throw new NamedError("Reset Code Invalid");
    passwords.requireStrong(password, account);
    const hash = await passwords.hash(password);
    const { id } = account;
    const actor = { kind: "account", accountId: id, address } as const;
    const first = await store.writeService((tx) => this.#setPassword(tx, code, hash, actor));
    const { wasVerified, sessions } = first;
    const { pendingCodes, ...others } = await grantEnder.end(id, actor, wasVerified ? "account's own" : "all");
    const ended = { sessions, ...others, pendingCodes: pendingCodes + first.pendingCodes };
    const { items: left, count: leftCount } = await grants.newest(id, SHOWN_GRANTS);
    await store.writeService(async (tx) => {
      await tx.run(setVerified, { id, at: tx.now() });
      if (!wasVerified) await audit(tx, actor, "account.verified", id);
    });
    // The password is set: a full outbox must not fail the request. The answer contains the same facts.
    await store
      .writeService((tx) => outbox.notify(tx, id, passwordResetEmail(serviceUrl(), ended, left, leftCount)))
      .catch((error: unknown) => log.warn({ error }, "the e-mail that confirms a password reset could not be sent"));
    const logIns = await logInsOf(store, id, SHOWN_LOG_INS);
    return {
      addressVerified: !wasVerified,
      ended,
      left: [...left],
      leftCount,
      logIns: logIns.map((row) => ({ at: formatTime(row.at), ...(row.address !== null && { address: row.address }) })),
    };
  }

  async #setPassword(
    tx: Transaction,
    code: string,
    hash: string,
    actor: { readonly kind: "account"; readonly accountId: string; readonly address: string },
  ): Promise<{ readonly wasVerified: boolean; readonly sessions: number; readonly pendingCodes: number }> {
    const { tokens, codeLogIns } = this.#deps;
    const { accountId: id } = actor;
    const held = await lockAccount(tx, id);
    await redeemCode(tx, code, "reset");
    await tx.run(setPassword, { id, hash });
    await dropCodes(tx, id);
    const sessions = await tokens.revokeAll(tx, id);
    const pendingCodes = await codeLogIns.endApproved(tx, id);
    await audit(tx, actor, "password.reset", id);
    return { wasVerified: typeof held?.verified_at === "number", sessions, pendingCodes };
  }
}
