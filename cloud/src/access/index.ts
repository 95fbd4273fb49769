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
export { AccessEntries } from "./access-entries.ts";
export { type Actor, type AuditDetail, audit, eraseAuditChains, Readings, shortenChain } from "./audit.ts";
export { Authenticator, type Presenter } from "./authenticate.ts";
export * from "./caller.ts";
export {
  type Claim,
  IdempotencyKeys,
  type IdempotentAttempt,
  type KeptAnswer,
  type KeyedRequest,
} from "./idempotency-keys.ts";
export { forgetIdempotencyKeys } from "./idempotency-rows.ts";
export { checkSealingKeys, countSealed, forgetSealingKey, KeyKeeper, KeyMismatch } from "./key-keeper.ts";
export { addKey, dropKey, KeyFileBroken, Keyring, openKeyring } from "./keyring.ts";
export { Quotas } from "./quotas.ts";
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
export { SEALED_ACCESS, type SealedColumn, sealedColumn } from "./sealing-service-queries.ts";
export { SharedLimit, type SharedLimitDeps, sweepSharedLimits } from "./shared-limit.ts";
export { type MadeToken, type NewToken, SessionTokens, Tokens, type TokenUse, useOfTokens } from "./tokens.ts";
