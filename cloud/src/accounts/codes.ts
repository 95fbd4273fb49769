/** Codes that prove access to a mailbox: sent once, valid once and for a limited time. Only a hash is stored. */
import { createHash } from "node:crypto";
import { NamedError, type Random } from "@porchlight/shared/kernel";
import { SERVICE_TIMES } from "@porchlight/shared/presentation";
import { one, statement, type Transaction } from "../store/index.ts";

export type CodePurpose = "verify" | "reset";

/** Lifetime of a code, ms: a week to verify an address, an hour to set a password. */
export const CODE_LIFE: Readonly<Record<CodePurpose, number>> = {
  verify: SERVICE_TIMES.verifyCode,
  reset: SERVICE_TIMES.resetCode,
};

/** Crockford's alphabet: without I, L, O and U, which are easily misread. */
const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** 80 bits. */
const LENGTH = 16;
const FORM = /^[0-9A-HJKMNP-TV-Z]{16}$/;

type NewCode = { hash: string; account: string; purpose: string; now: number; end: number };
const insertCode = statement<NewCode>("insert_account_code")((db, p) =>
  db
    .insertInto("account_codes")
    .values({ hash: p.hash, account_id: p.account, purpose: p.purpose, created_at: p.now, expires_at: p.end }),
);
const dropOldCodes = statement<{ now: number }>("drop_old_codes")((db, p) =>
  db.deleteFrom("account_codes").where("expires_at", "<=", p.now),
);
const useCode = statement<{ hash: string; purpose: string; now: number }>("use_account_code")((db, p) =>
  db
    .deleteFrom("account_codes")
    .where("hash", "=", p.hash)
    .where("purpose", "=", p.purpose)
    .where("expires_at", ">", p.now)
    .returning("account_id"),
);
const dropCodesFor = statement<{ account: string; purpose: string }>("drop_codes_for")((db, p) =>
  db.deleteFrom("account_codes").where("account_id", "=", p.account).where("purpose", "=", p.purpose),
);
const dropCodesOf = statement<{ account: string }>("drop_codes_of")((db, p) =>
  db.deleteFrom("account_codes").where("account_id", "=", p.account),
);

/** Makes a code `XXXX-XXXX-XXXX-XXXX`, in the job that sends it. Earlier codes stay valid until one is used. */
export async function issueCode(
  tx: Transaction,
  random: Random,
  accountId: string,
  purpose: CodePurpose,
): Promise<string> {
  const digits = [...random.bytes(LENGTH)].map((byte) => DIGITS[byte & 31]).join("");
  const now = tx.now();
  await tx.run(dropOldCodes, { now });
  const hash = hashOf(digits);
  await tx.run(insertCode, { hash, account: accountId, purpose, now, end: now + CODE_LIFE[purpose] });
  return digits.replaceAll(/.{4}(?=.)/g, "$&-");
}

/** Uses a code, and invalidates all others for the same purpose. Returns its account. @throws "Reset Code Invalid" */
export async function redeemCode(tx: Transaction, code: string, purpose: CodePurpose): Promise<string> {
  const used = await one(tx.all(useCode, { hash: codeHash(code), purpose, now: tx.now() }));
  if (!used) throw new NamedError("Reset Code Invalid");
  await tx.run(dropCodesFor, { account: used.account_id, purpose });
  return used.account_id;
}

/** Invalidates all codes that were sent to an account. */
export async function dropCodes(tx: Transaction, accountId: string): Promise<void> {
  await tx.run(dropCodesOf, { account: accountId });
}

/** The stored hash of a code, in any spelling. @throws "Reset Code Invalid" when the text does not have the form of a code */
export function codeHash(code: string): string {
  const digits = code.toUpperCase().replaceAll(/[\s-]/g, "").replaceAll("O", "0").replaceAll(/[IL]/g, "1");
  if (!FORM.test(digits)) throw new NamedError("Reset Code Invalid");
  return hashOf(digits);
}

function hashOf(digits: string): string {
  return createHash("sha256").update(digits).digest("hex");
}
