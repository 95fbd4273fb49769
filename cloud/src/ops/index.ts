/** The operational side of the service, for operators and monitoring, and the usage data that accounts may read. */
export { Activity, type ActivityPlace } from "./activity/activity.ts";
export { stepsOf } from "./activity/steps.ts";
export { type AuditHead, auditHeads, type ChainFinding, compareHeads, verifyAudit } from "./audit-verify.ts";
export { Descriptors } from "./descriptors.ts";
export { Health, outageLog, type ReadinessCheck, withoutEchoes } from "./health.ts";
export { AuditLog, auditEntryResource, loggedRequestResource, RequestLog } from "./logs.ts";
export { Metrics } from "./metrics.ts";
export { QuotaUse, quotaUseOf, storageQuotaOf } from "./quota-use.ts";
export { CommandTrimmer } from "./requests/old-commands.ts";
export { Recorder } from "./requests/recorder.ts";
export type { SeenRequest } from "./requests/request-buffer.ts";
export { Retention } from "./requests/retention.ts";
export { type StorageOfOwner, StorageUse } from "./storage-use.ts";
export { behind, type ReleaseNotices, tellOfRelease, type VersionUse, versionUses } from "./version-notices.ts";
