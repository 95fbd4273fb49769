/** The operational side of the service, for operators and monitoring, and the usage data that accounts may read. */
export { Activity, type ActivityPlace } from "./activity/activity.ts";
export { stepsOf } from "./activity/steps.ts";
export { type AuditHead, auditHeads, compareHeads } from "./audit-heads.ts";
export { type ChainFinding, verifyAudit } from "./audit-verify.ts";
export { AuditLog, auditEntryResource } from "./audit-log.ts";
export { Descriptors } from "./descriptors.ts";
export { Health, type ReadinessCheck } from "./health.ts";
export { Metrics } from "./metrics.ts";
export { outageLog, withoutEchoes } from "./outage-log.ts";
export { QuotaUse, quotaUseOf, storageQuotaOf } from "./quota-use.ts";
export { CommandTrimmer } from "./requests/old-commands.ts";
export { Recorder } from "./requests/recorder.ts";
export type { SeenRequest } from "./requests/request-buffer.ts";
export { loggedRequestResource, RequestLog } from "./requests/request-log.ts";
export { Retention } from "./requests/retention.ts";
export { type StorageOfOwner, StorageUse } from "./storage-use.ts";
export { behind, type Told, tellOfRelease, type VersionUse, versionUses } from "./version-notices.ts";
