/** Accounts: made with one ecosystem, one environment, and their holder as its first user (specification, section 1). */
import { type Account, formatTime, type MadeAccount, type NewAccount } from "@porchlight/shared/api";
import { type Clock, type IdMaker, NamedError } from "@porchlight/shared/kernel";
import { type AccessEntries, type AccountCaller, audit } from "../access/index.ts";
import { insertEcosystem, insertEnvironment } from "../places/index.ts";
import { isUniqueViolation, type Store, type Transaction } from "../store/index.ts";
import { type Passwords, requireStrong } from "./passwords.ts";
import { emailKey, findAccount, findAccountByEmail } from "./service-queries.ts";
import { insertUser } from "./users.ts";

export interface AccountsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: IdMaker;
  readonly passwords: Passwords;
  readonly entries: AccessEntries;
}

export class Accounts {
  readonly #deps: AccountsDeps;

  constructor(deps: AccountsDeps) {
    this.#deps = deps;
  }

  /** @param address where the request came from @throws "Password Too Weak", "Email Exists" */
  async create(given: NewAccount, address: string): Promise<MadeAccount> {
    const { store, ids, passwords } = this.#deps;
    requireStrong(given.password, given.email);
    const taken = await findAccountByEmail(store, given.email);
    if (taken) throw new NamedError("Email Exists");
    const hashed = await passwords.hash(given.password);
    const ecosystemId = ids.next("eco");
    try {
      return await store.write(ecosystemId, (tx) => this.#insert(tx, ecosystemId, given, hashed, address));
    } catch (error) {
      // Two sign-ups with one address at the same time: the index decides.
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
    const { ids, clock, entries } = this.#deps;
    const { email, name = null } = given;
    const at = clock.now();
    const id = ids.next("acc");
    const account = { id, email, email_key: emailKey(email), name, password_hash: hashed, created_at: at };
    await tx.change(tx.build.insertInto("accounts").values(account));
    await insertEcosystem(tx, id, eco, at);
    const environment = await insertEnvironment(tx, { ecosystem_id: eco, id: ids.next("env"), created_at: at });
    const holder = { ecosystem_id: eco, id: ids.next("usr"), key: id, account_id: id, created_at: at };
    const user = await insertUser(tx, holder);
    const actor = { kind: "account", accountId: id, address } as const;
    await audit(tx, actor, "account.created", id);
    await entries.grant(tx, actor, eco, user.id, environment.id);
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
