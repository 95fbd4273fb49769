/** A new password for who has forgotten the old one: asked for by address, set with the code that goes there. */
import type { NewPassword } from "@porchlight/shared/api";
import { type Clock, type Log, NamedError, type Random } from "@porchlight/shared/kernel";
import { audit, lockAccount, type Tokens } from "../../access/index.ts";
import { type Store, statement } from "../../store/index.ts";
import { codeHash, dropCodes, issueCode, redeemCode } from "../passwords/codes.ts";
import type { LogInLimiter } from "../passwords/log-in-limiter.ts";
import type { Passwords } from "../passwords/passwords.ts";
import { findAccountByEmail, findCodeHolder } from "../passwords/service-queries.ts";
import { type MailOutbox, passwordChangedEmail, resetEmail } from "./email-templates.ts";

/** Who sets a password by a code has shown that mail to the address arrives. */
const setPassword = statement<{ id: string; hash: string; at: number }>("set_password")((db, p) =>
  db
    .updateTable("accounts")
    .set((of) => ({ password_hash: p.hash, verified_at: of.fn.coalesce("verified_at", of.val(p.at)) }))
    .where("id", "=", p.id),
);

export interface PasswordResetsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly passwords: Passwords;
  readonly logInLimiter: LogInLimiter;
  readonly tokens: Tokens;
  readonly outbox: MailOutbox;
  readonly serviceUrl: () => string;
}

export class PasswordResets {
  readonly #deps: PasswordResetsDeps;

  constructor(deps: PasswordResetsDeps) {
    this.#deps = deps;
  }

  /**
   * Sends a code to an address; to an unknown one an email is made as well, with a code of no account, and not sent: the
   * answer and its time are the same. Past five an hour nothing is sent, and those that were sent stay good.
   * @param address where the request came from
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
    // The answer does not wait for it, as of a refused log-in.
    const actor = { kind: "unknown", accountId: account.id, address } as const;
    store
      .writeService((tx) => audit(tx, actor, "password.reset_asked", account.id))
      .catch((error: unknown) => log.warn({ error }, "a password reset could not be added to the audit"));
  }

  /**
   * Sets the password and ends all log-ins. A password that is refused leaves the code good.
   * @param address where the request came from
   * @throws "Reset Code Invalid", "Password Too Weak"
   */
  async confirm({ code, password }: NewPassword, address: string): Promise<void> {
    const { store, clock, passwords, tokens, outbox, serviceUrl } = this.#deps;
    const account = await findCodeHolder(store, codeHash(code), "reset", clock.now());
    if (!account) throw new NamedError("Reset Code Invalid");
    passwords.requireStrong(password, account);
    const hash = await passwords.hash(password);
    await store.writeService(async (tx) => {
      await lockAccount(tx, account.id);
      const id = await redeemCode(tx, code, "reset");
      await tx.run(setPassword, { id, hash, at: tx.now() });
      await dropCodes(tx, id);
      await tokens.revokeAll(tx, id);
      await audit(tx, { kind: "account", accountId: id, address }, "password.reset", id);
      await outbox.notify(tx, id, passwordChangedEmail(serviceUrl()));
    });
  }
}
