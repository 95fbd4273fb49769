/** That the holder of an account's token also knows its password: asked before what would take the account away from its holder. */
import { NamedError } from "@porchlight/shared/kernel";
import type { AccountCaller } from "../../access/index.ts";
import type { AccountRow, Store } from "../../store/index.ts";
import type { LogInLimiter } from "./log-in-limiter.ts";
import type { Passwords } from "./passwords.ts";
import { findAccount } from "./service-queries.ts";

export interface PasswordProofDeps {
  readonly store: Store;
  readonly passwords: Passwords;
  readonly logInLimiter: LogInLimiter;
}

/** Gives the caller's account. @throws "Password Incorrect", "Rate Limit Exceeded" */
export async function requirePassword(
  { store, passwords, logInLimiter }: PasswordProofDeps,
  caller: AccountCaller,
  password: string,
): Promise<AccountRow> {
  const account = await findAccount(store, caller.accountId);
  if (!account) throw new NamedError("Token Invalid");
  // Who holds a token of the account has a count of their own: strangers cannot shut them out.
  await logInLimiter.countPassword(account.email, { kind: "known", id: caller.tokenId });
  if (!(await passwords.verify(account.password_hash, password))) throw new NamedError("Password Incorrect");
  return account;
}
