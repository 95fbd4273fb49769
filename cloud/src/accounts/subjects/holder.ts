/** The user that an account's holder is: under the account's ID as key, and there as long as the account (A2). */
import type { Clock, IdMaker } from "@porchlight/shared/kernel";
import type { RegisterHolder } from "../../places/index.ts";
import type { Transaction } from "../../store/index.ts";
import { insertUser, type UserObject } from "./users.ts";

export interface HolderDeps {
  readonly ids: IdMaker;
  readonly clock: Clock;
}

/** In a job of the ecosystem that the holder must be a user of. */
export function insertHolder(
  { ids, clock }: HolderDeps,
  tx: Transaction,
  eco: string,
  account: string,
): Promise<UserObject> {
  const id = ids.next("usr");
  return insertUser(tx, { ecosystem_id: eco, id, key: account, account_id: account, created_at: clock.now() });
}

/** For when the ecosystem of the holder goes: in the next one the holder is a user too, without access to begin with. */
export function registerHolder(deps: HolderDeps): RegisterHolder {
  return async (tx, eco, account) => {
    await insertHolder(deps, tx, eco, account);
  };
}
