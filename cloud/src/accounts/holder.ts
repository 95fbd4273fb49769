/** The user of an account's holder: its key is the account's ID, and it exists as long as the account (A2). */
import type { Clock, IdMaker } from "@porchlight/shared/kernel";
import type { RegisterHolder } from "../places/index.ts";
import type { Transaction } from "../store/index.ts";
import { insertUser, type UserObject } from "./users.ts";

export interface HolderDeps {
  readonly ids: IdMaker;
  readonly clock: Clock;
}

/** Call it in a job of the ecosystem that the holder becomes a user of. */
export function insertHolder(
  { ids, clock }: HolderDeps,
  tx: Transaction,
  eco: string,
  account: string,
): Promise<UserObject> {
  const id = ids.next("usr");
  return insertUser(tx, { ecosystem_id: eco, id, key: account, account_id: account, created_at: clock.now() });
}

/** Called when the holder's ecosystem is deleted: the holder becomes a user of the next one, at first without access. */
export function registerHolder(deps: HolderDeps): RegisterHolder {
  return async (tx, eco, account) => {
    await insertHolder(deps, tx, eco, account);
  };
}
