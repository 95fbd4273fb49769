/** How an audit entry is bound to all those before it. Its own file because a migration, the writing and the verifying agree on it. */
import { createHash } from "node:crypto";
import type { AuditEntryRow } from "./tables.ts";

/** What of an entry counts. */
export type AuditFields = Omit<AuditEntryRow, "chain_id" | "sequence" | "salt">;

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/**
 * SHA-256 of salt and entry, in hex. Without the salt the entry cannot be found by trying.
 * @param salt as `IdMaker.salt` makes it: always of the same length
 */
export function entryDigest(entry: AuditFields, salt: string): string {
  const { account_id, id, ecosystem_id, at, actor_type, actor_id, token_id, address, action, object_id, detail } =
    entry;
  const whole = [account_id, id, ecosystem_id, at, actor_type, actor_id, token_id, address, action, object_id, detail];
  return sha256(salt + JSON.stringify(whole));
}

/** @param previous link of the entry before it; of the first: the chain's ID @param sequence the entry's own number */
export function nextLink(previous: string, digest: string, sequence: number): string {
  return sha256(`${previous} ${digest} ${sequence}`);
}
