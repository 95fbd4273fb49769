/** Accounts: each is created with one ecosystem, one environment, and its holder as the first user (A2), and its address is verified. */
import { type Account, formatTime, type MadeAccount, type NewAccount } from "@porchlight/shared/api";
import { type Clock, type IdMaker, NamedError, type Random } from "@porchlight/shared/kernel";
import { NAME_KEY } from "@porchlight/shared/names";
import {
  type AccessEntries,
  type AccountCaller,
  audit,
  DEFAULT_META_PREFIX,
  EMPTY_META,
  lockAccount,
  replaceMeta,
} from "../access/index.ts";
import { insertEcosystem, insertEnvironment } from "../places/index.ts";
import { isUniqueViolation, type Store, statement, type Transaction } from "../store/index.ts";
import { codeHash, issueCode, redeemCode } from "./codes.ts";
import { type MailOutbox, verificationEmail } from "./email-templates.ts";
import type { GrantEnder } from "./grant-ender.ts";
import { emailKey } from "./log-in-limiter.ts";
import type { Passwords } from "./passwords.ts";
import { findAccount, findAccountByEmail, findCodeHolder } from "./service-queries.ts";
import { insertHolder } from "./users.ts";

/** A new account's environment has a name, so that users see the name of a home instead of an ID. */
const FIRST_ENVIRONMENT = replaceMeta(EMPTY_META, { [NAME_KEY]: "Home" }, DEFAULT_META_PREFIX);

export interface AccountsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: IdMaker;
  readonly passwords: Passwords;
  readonly entries: AccessEntries;
  readonly outbox: MailOutbox;
  /** URL of the service, without `/api`. */
  readonly serviceUrl: () => string;
}

export class Accounts {
  readonly #deps: AccountsDeps;

  constructor(deps: AccountsDeps) {
    this.#deps = deps;
  }

  /**
   * Creates an account and emails a code that verifies its address.
   * @param address network address of the request
   * @throws "Password Too Weak", "Email Exists"
   */
  async create(given: NewAccount, address: string): Promise<MadeAccount> {
    const { store, ids, passwords } = this.#deps;
    passwords.requireStrong(given.password, given);
    const taken = await findAccountByEmail(store, given.email);
    if (taken) throw new NamedError("Email Exists");
    const hashed = await passwords.hash(given.password);
    const ecosystemId = ids.next("eco");
    try {
      return await store.write(ecosystemId, (tx) => this.#insert(tx, ecosystemId, given, hashed, address));
    } catch (error) {
      // Two sign-ups with one email address at the same time: the index decides.
      if (isUniqueViolation(error)) throw new NamedError("Email Exists", undefined, { cause: error });
      throw error;
    }
  }

  async get(caller: AccountCaller): Promise<Account> {
    const row = await findAccount(this.#deps.store, caller.accountId);
    if (!row) throw new NamedError("Token Invalid");
    return {
      id: row.id,
      email: row.email,
      emailVerified: row.verified_at !== null,
      ...(row.name !== null && { name: row.name }),
      createdAt: formatTime(row.created_at),
    };
  }

  async #insert(
    tx: Transaction,
    eco: string,
    given: NewAccount,
    hashed: string,
    address: string,
  ): Promise<MadeAccount> {
    const { ids, clock, random, entries, outbox, serviceUrl } = this.#deps;
    const { email, name = null } = given;
    const at = clock.now();
    const id = ids.next("acc");
    const account = { id, email, email_key: emailKey(email), name, password_hash: hashed, created_at: at };
    await tx.change(tx.build.insertInto("accounts").values(account));
    await insertEcosystem(tx, id, eco, at);
    const environment = await insertEnvironment(tx, {
      ...{ ecosystem_id: eco, id: ids.next("env"), created_at: at },
      meta: FIRST_ENVIRONMENT,
    });
    const user = await insertHolder(this.#deps, tx, eco, id);
    const actor = { kind: "account", accountId: id, address } as const;
    await audit(tx, actor, "account.created", id);
    await entries.grant(tx, actor, eco, user.id, environment.id);
    const code = await issueCode(tx, random, id, "verify");
    await outbox.post(tx, { accountId: id, to: email, ...verificationEmail(serviceUrl(), code) });
    return {
      id,
      email,
      createdAt: formatTime(at),
      ecosystemId: eco,
      environmentId: environment.id,
      userId: user.id,
    };
  }
}

const setVerified = statement<{ id: string; at: number }>("set_account_verified")((db, p) =>
  db.updateTable("accounts").set({ verified_at: p.at }).where("id", "=", p.id),
);

const OF_ANOTHER =
  "The code is not for the account of the token that was sent. Send the token of a session of that account, or none.";

interface AddressVerificationDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly grantEnder: GrantEnder;
  readonly codeLogIns: { endApproved(tx: Transaction, account: string): Promise<number> };
}

/** Verifies an account's address by the code that was sent to it, and reports whether it is verified. */
export class AddressVerification {
  readonly #deps: AddressVerificationDeps;

  constructor(deps: AddressVerificationDeps) {
    this.#deps = deps;
  }

  /**
   * Verifies an address. A logged-in person has proved to hold the address and to be the maker of the account's grants; a code alone
   * proves only the first, so grants that others may have made are ended before (A1.3.2).
   * @param code from the email
   * @param session returns the account of the request's session; undefined without one
   * @param address network address of the request
   * @throws "Reset Code Invalid"
   */
  async verify(code: string, session: () => Promise<string | undefined>, address: string): Promise<void> {
    const { store, clock, grantEnder, codeLogIns } = this.#deps;
    const account = await findCodeHolder(store, codeHash(code), "verify", clock.now());
    if (!account) throw new NamedError("Reset Code Invalid");
    const { id } = account;
    const actor = { kind: "account", accountId: id, address } as const;
    const sessionOf = await session();
    if (sessionOf !== undefined && sessionOf !== id) throw new NamedError("Reset Code Invalid", OF_ANOTHER);
    if (sessionOf === undefined) await grantEnder.end(id, actor, "all");
    await store.writeService(async (tx) => {
      await lockAccount(tx, id);
      await redeemCode(tx, code, "verify");
      if (sessionOf === undefined) await codeLogIns.endApproved(tx, id);
      await tx.run(setVerified, { id, at: tx.now() });
      await audit(tx, actor, "account.verified", id);
    });
  }
}

/** Whether the address of an account is verified; false for an erased account. */
export async function isAddressVerified(store: Store, accountId: string): Promise<boolean> {
  return typeof (await findAccount(store, accountId))?.verified_at === "number";
}
