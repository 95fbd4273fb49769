/** What holders change of their own account, each time with the password: name, address, password. */
import type { AccountChange } from "@porchlight/shared/api";
import { NamedError, type Random } from "@porchlight/shared/kernel";
import { type AccountCaller, audit, type Tokens } from "../access/index.ts";
import { type AccountRow, isUniqueViolation, statement, type Transaction } from "../store/index.ts";
import { dropCodes, issueCode } from "./codes.ts";
import { emailKey } from "./email-key.ts";
import { emailChangedLetter, type Letters, NOTICE_LIFE, passwordChangedLetter, verificationLetter } from "./letters.ts";
import { type PasswordProofDeps, requirePassword } from "./password-proof.ts";
import { requireStrong } from "./passwords.ts";
import { findAccountByEmail } from "./service-queries.ts";

type Changed = Pick<AccountRow, "id" | "name" | "email" | "email_key" | "password_hash" | "verified_at">;
/** Where the password is still the one that was proved: of two changes at once the second proves anew. */
const changeAccount = statement<Changed & { proved: string }>("change_account")((db, p) =>
  db
    .updateTable("accounts")
    .set({
      name: p.name,
      email: p.email,
      email_key: p.email_key,
      password_hash: p.password_hash,
      verified_at: p.verified_at,
    })
    .where("id", "=", p.id)
    .where("password_hash", "=", p.proved),
);

export interface AccountChangesDeps extends PasswordProofDeps {
  readonly random: Random;
  readonly tokens: Tokens;
  readonly letters: Letters;
  readonly serviceUrl: () => string;
}

export class AccountChanges {
  readonly #deps: AccountChangesDeps;

  constructor(deps: AccountChangesDeps) {
    this.#deps = deps;
  }

  /**
   * A new password ends the account's other log-ins; a new address is to be verified again, and the old one is told. Giving an
   * unverified address again sends it another code.
   * @throws "Password Incorrect", "Password Too Weak", "Email Exists", "Rate Limit Exceeded"
   */
  async change(caller: AccountCaller, given: AccountChange): Promise<void> {
    const { store, passwords, attempts } = this.#deps;
    const account = await requirePassword(this.#deps, caller, given.currentPassword);
    const email = given.email ?? account.email;
    const key = emailKey(email);
    const isOtherAddress = key !== account.email_key;
    if (given.password !== undefined) requireStrong(given.password, email);
    if (isOtherAddress && (await findAccountByEmail(store, email))) throw new NamedError("Email Exists");
    const next: Changed = {
      id: account.id,
      name: given.name === undefined ? account.name : given.name,
      email,
      email_key: key,
      password_hash: given.password === undefined ? account.password_hash : await passwords.hash(given.password),
      verified_at: isOtherAddress ? null : account.verified_at,
    };
    // Counted once, though a job may be run twice.
    const writes = given.email !== undefined && next.verified_at === null && attempts.mayWrite(email);
    try {
      await store.writeService(async (tx) => {
        if ((await tx.run(changeAccount, { ...next, proved: account.password_hash })) === 0)
          throw new NamedError("Password Incorrect");
        if (given.password !== undefined) await this.#endOthers(tx, caller);
        if (isOtherAddress) await this.#leaveAddress(tx, account);
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
    const { tokens, letters, serviceUrl } = this.#deps;
    await tokens.revokeOthers(tx, accountId, tokenId);
    await dropCodes(tx, accountId);
    await letters.notify(tx, accountId, passwordChangedLetter(serviceUrl()));
  }

  async #askToVerify(tx: Transaction, { id, email }: Changed): Promise<void> {
    const { random, letters, serviceUrl } = this.#deps;
    const code = await issueCode(tx, random, id, "verify");
    await letters.post(tx, { accountId: id, to: email, ...verificationLetter(serviceUrl(), code) });
  }

  /** What was sent to the old address proves nothing of the new one. */
  async #leaveAddress(tx: Transaction, { id, email, verified_at }: AccountRow): Promise<void> {
    await dropCodes(tx, id);
    if (verified_at === null) return;
    const { letters, serviceUrl } = this.#deps;
    await letters.post(tx, { accountId: id, to: email, ...emailChangedLetter(serviceUrl()), lifeMs: NOTICE_LIFE });
  }
}
