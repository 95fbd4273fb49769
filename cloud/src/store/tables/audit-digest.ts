/** Binds an audit entry to all those before it. A migration, the writer and the verifier share this file, so that they agree on it. */
import { createHash } from "node:crypto";
import type { AuditEntryRow } from "./tables.ts";

/** The columns of an entry that the digest covers. */
export type AuditFields = Omit<AuditEntryRow, "chain_id" | "sequence" | "salt">;

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/**
 * SHA-256 of salt and entry, in hex. Without the salt, guessing cannot reveal the entry.
 * @param salt as `IdMaker.salt` makes it: always of the same length
 */
export function entryDigest(entry: AuditFields, salt: string): string {
  const { account_id, id, ecosystem_id, at, actor_type, actor_id, token_id, address, action, object_id, detail } =
    entry;
  const whole = [account_id, id, ecosystem_id, at, actor_type, actor_id, token_id, address, action, object_id, detail];
  return sha256(salt + JSON.stringify(whole));
}

/** @param previous link of the preceding entry; for the first: the chain's ID @param sequence the entry's own number */
export function nextLink(previous: string, digest: string, sequence: number): string {
  return sha256(`${previous} ${digest} ${sequence}`);
}
