/** Callers, references, and access: who calls, what a reference names, and what the caller may touch. */

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
export { type Actor, type AuditDetail, audit, eraseAuditChains, shortenChain } from "./audit-chain.ts";
export { Readings } from "./audit-readings.ts";
export * from "./caller.ts";
export { AccessEntries } from "./access-entries.ts";
export { Authenticator, type Presenter } from "./authenticate.ts";
export { SessionTokens } from "./session-tokens.ts";
export { type TokenUse, useOfTokens } from "./token-use.ts";
export { type MadeToken, type NewToken, Tokens } from "./tokens.ts";
export { type Claim, IdempotencyKeys, type KeyedRequest } from "./idempotency-keys.ts";
export { forgetIdempotencyKeys } from "./idempotency-rows.ts";
export type { IdempotentAttempt, KeptAnswer } from "./idempotent-attempt.ts";
export { Quotas } from "./quotas.ts";
export { SharedLimit, type SharedLimitDeps, sweepSharedLimits } from "./shared-limit.ts";
export {
  changeLivingObject,
  countVersion,
  emptyScenes,
  endLivingObject,
  insertObject,
  leaveScenes,
  livingObject,
  livingObjects,
  type ObjectChange,
} from "./references/objects.ts";
export { References, type Resolved } from "./references/references.ts";
export { lockAccount, lockAccountOf } from "./references/service-queries.ts";
export { devicesWithinZone, emptyZone, selectWithinZone } from "./references/zone-contents.ts";
export { isEndedBy, type Revocation, type RevocationListener, Revocations } from "./revocations.ts";
export { checkSealingKeys, forgetSealingKey, KeyKeeper, KeyMismatch } from "./key-keeper.ts";
export { Keyring } from "./keyring.ts";
export { addKey, dropKey, KeyFileBroken, openKeyring } from "./keyring-file.ts";
export { countSealed } from "./seal-anew.ts";
export { SEALED_ACCESS, type SealedColumn, sealedColumn } from "./sealing-service-queries.ts";
