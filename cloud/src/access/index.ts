/** Who is calling, what their references name, and what they may touch. */

export type { ReferenceKind } from "@porchlight/shared/rest";
export {
  DEFAULT_META_PREFIX,
  EMPTY_META,
  hashToken,
  type JsonObject,
  readAlias,
  readMetaPrefix,
  referenceInvalid,
  referenceNotFound,
  replaceMeta,
  showMeta,
  type Taken,
  TokenBuckets,
  type TokenKind,
  tokenKind,
  zoneItemInvalid,
} from "@porchlight/shared/rest";
export { AccessEntries } from "./access-entries.ts";
export { type Actor, type AuditDetail, audit } from "./audit.ts";
export { eraseAuditChains, shortenChain } from "./audit-chain.ts";
export { Authenticator, type Presenter } from "./authenticate.ts";
export * from "./caller.ts";
export { type Claim, IdempotencyKeys, type KeyedRequest } from "./idempotency-keys.ts";
export { forgetIdempotencyKeys } from "./idempotency-rows.ts";
export type { IdempotentAttempt, KeptAnswer } from "./idempotent-attempt.ts";
export { KeyKeeper } from "./key-keeper.ts";
export { Keyring } from "./keyring.ts";
export { addKey, dropKey, KeyFileBroken, openKeyring } from "./keyring-file.ts";
export {
  changeLivingObject,
  endLivingObject,
  insertObject,
  livingObject,
  livingObjects,
  type ObjectChange,
} from "./objects.ts";
export { Quotas } from "./quotas.ts";
export { References, type Resolved } from "./references.ts";
export { type Revocation, type RevocationListener, Revocations } from "./revocations.ts";
export { countSealed } from "./seal-anew.ts";
export { SEALED_ACCESS, type SealedColumn, sealedColumn } from "./sealed-columns.ts";
export { checkSealingKeys, forgetSealingKey, KeyMismatch } from "./sealing-keys.ts";
export { lockAccount, lockAccountOf } from "./service-queries.ts";
export { SessionTokens } from "./session-tokens.ts";
export { SharedLimit, type SharedLimitDeps, sweepSharedLimits } from "./shared-limit.ts";
export { type TokenUse, useOfTokens } from "./token-use.ts";
export { type MadeToken, type NewToken, Tokens } from "./tokens.ts";
export { devicesWithinZone, emptyZone, selectWithinZone } from "./zone-contents.ts";
