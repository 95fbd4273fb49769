/** Verifies an account's address by the code that was sent to it, and reports whether it is verified. */
import { type Clock, NamedError } from "@porchlight/shared/kernel";
import { audit, lockAccount } from "../access/index.ts";
import { type Store, statement, type Transaction } from "../store/index.ts";
import { codeHash, redeemCode } from "./codes.ts";
import { findAccount, findCodeHolder } from "./service-queries.ts";
import type { GrantEnder } from "./grant-ender.ts";

const setVerified = statement<{ id: string; at: number }>("set_account_verified")((db, p) =>
  db.updateTable("accounts").set({ verified_at: p.at }).where("id", "=", p.id),
);

const OF_ANOTHER =
  "The code is not for the account of the token that was sent. Send the token of a session of that account, or none.";

export interface AddressVerificationDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly grantEnder: GrantEnder;
  readonly codeLogIns: { endApproved(tx: Transaction, account: string): Promise<number> };
}

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
