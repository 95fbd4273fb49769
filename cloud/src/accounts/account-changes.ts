/** Changes that holders make to their own account, each with the password: name, address, password. */
import type { AccountChange } from "@porchlight/shared/api";
import { NamedError, type Random } from "@porchlight/shared/kernel";
import { type AccountCaller, audit, lockAccount, type Tokens } from "../access/index.ts";
import { type AccountRow, isUniqueViolation, statement, type Transaction } from "../store/index.ts";
import { dropCodes, issueCode } from "./codes.ts";
import {
  emailChangedEmail,
  type MailOutbox,
  NOTICE_LIFE,
  passwordChangedEmail,
  verificationEmail,
} from "./email-templates.ts";
import { emailKey } from "./log-in-limiter.ts";
import { type PasswordProofDeps, requirePassword } from "./passwords.ts";
import { findAccountByEmail } from "./service-queries.ts";

type Changed = Pick<AccountRow, "id" | "name" | "email" | "email_key" | "password_hash" | "verified_at">;
const changeAccount = statement<Changed>("change_account")((db, p) =>
  db
    .updateTable("accounts")
    .set({
      name: p.name,
      email: p.email,
      email_key: p.email_key,
      password_hash: p.password_hash,
      verified_at: p.verified_at,
    })
    .where("id", "=", p.id),
);

export interface AccountChangesDeps extends PasswordProofDeps {
  readonly random: Random;
  readonly tokens: Tokens;
  readonly outbox: MailOutbox;
  readonly serviceUrl: () => string;
}

export class AccountChanges {
  readonly #deps: AccountChangesDeps;

  constructor(deps: AccountChangesDeps) {
    this.#deps = deps;
  }

  /**
   * Changes name, address or password. A new password ends the account's other log-ins; a new address must be verified again, and
   * the old one is notified. Repeating an unverified address sends another code to it.
   * @throws "Password Incorrect", "Password Too Weak", "Email Exists", "Rate Limit Exceeded"
   */
  async change(caller: AccountCaller, given: AccountChange): Promise<void> {
    const { store, passwords, logInLimiter } = this.#deps;
    const account = await requirePassword(this.#deps, caller, given.currentPassword);
    const email = given.email ?? account.email;
    if (given.password !== undefined)
      passwords.requireStrong(given.password, { email, name: given.name === undefined ? account.name : given.name });
    const isOther = emailKey(email) !== account.email_key;
    if (isOther && (await findAccountByEmail(store, email))) throw new NamedError("Email Exists");
    const hashed = given.password === undefined ? undefined : await passwords.hash(given.password);
    // Counted outside the job, because a job can run twice.
    const writes =
      given.email !== undefined && (isOther || account.verified_at === null) && (await logInLimiter.mayWrite(email));
    try {
      await store.writeService(async (tx) => {
        const held = await lockAccount(tx, account.id);
        // Of two password changes at once the second must prove the new password.
        if (held?.password_hash !== account.password_hash) throw new NamedError("Password Incorrect");
        const next = changed(held, given, hashed);
        await tx.run(changeAccount, next);
        if (given.password !== undefined) await this.#endOthers(tx, caller);
        if (next.email_key !== held.email_key) await this.#leaveAddress(tx, held);
        if (writes) await this.#askToVerify(tx, next);
        const fields = { name: given.name !== undefined, email: given.email, password: given.password !== undefined };
        await audit(tx, caller, "account.updated", account.id, fields);
      });
    } catch (error) {
      if (isUniqueViolation(error)) throw new NamedError("Email Exists", undefined, { cause: error });
      throw error;
    }
  }

  async #endOthers(tx: Transaction, { accountId, tokenId }: AccountCaller): Promise<void> {
    const { tokens, outbox, serviceUrl } = this.#deps;
    await tokens.revokeOthers(tx, accountId, tokenId);
    await dropCodes(tx, accountId);
    await outbox.notify(tx, accountId, passwordChangedEmail(serviceUrl()));
  }

  async #askToVerify(tx: Transaction, { id, email }: Changed): Promise<void> {
    const { random, outbox, serviceUrl } = this.#deps;
    const code = await issueCode(tx, random, id, "verify");
    await outbox.post(tx, { accountId: id, to: email, ...verificationEmail(serviceUrl(), code) });
  }

  /** Drops the codes of the old address, which prove nothing about the new one, and notifies it if it was verified. */
  async #leaveAddress(tx: Transaction, { id, email, verified_at }: AccountRow): Promise<void> {
    await dropCodes(tx, id);
    if (verified_at === null) return;
    const { outbox, serviceUrl } = this.#deps;
    await outbox.post(tx, { accountId: id, to: email, ...emailChangedEmail(serviceUrl()), lifeMs: NOTICE_LIFE });
  }
}

/** Applies the change to the account as it now stands: other members keep what a concurrent change has set. */
function changed(held: AccountRow, given: AccountChange, hashed: string | undefined): Changed {
  const email = given.email ?? held.email;
  const key = emailKey(email);
  return {
    id: held.id,
    name: given.name === undefined ? held.name : given.name,
    email,
    email_key: key,
    password_hash: hashed ?? held.password_hash,
    verified_at: key === held.email_key ? held.verified_at : null,
  };
}
