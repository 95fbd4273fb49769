/** What operators and their machines ask of the service, and what accounts ask about themselves. */
export { AuditLog, auditEntryResource } from "./audit-log.ts";
export { Health } from "./health.ts";
export { QuotaUse } from "./quota-use.ts";
export { Recorder } from "./recorder.ts";
export { loggedRequestResource, RequestLog } from "./request-log.ts";
export { Retention } from "./retention.ts";
export type { SeenRequest } from "./seen-request.ts";
