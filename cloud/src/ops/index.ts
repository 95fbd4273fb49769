/** What operators and their machines ask of the service, and what accounts ask about themselves. */
export { type AuditHead, auditHeads, compareHeads } from "./audit-heads.ts";
export { AuditLog, auditEntryResource } from "./audit-log.ts";
export { type ChainFinding, verifyAudit } from "./audit-verify.ts";
export { Health, type ReadinessCheck } from "./health.ts";
export { Metrics } from "./metrics.ts";
export { outageLog, withoutEchoes } from "./outage-log.ts";
export { QuotaUse } from "./quota-use.ts";
export { Recorder } from "./recorder.ts";
export { loggedRequestResource, RequestLog } from "./request-log.ts";
export { Retention } from "./retention.ts";
export type { SeenRequest } from "./seen-request.ts";
export { type Told, tellOfRelease } from "./version-notices.ts";
export { behind, type VersionUse, versionUses } from "./version-use.ts";
