/** Search parameters of the request log and the audit log, as in their addresses. */
import type { AuditEntry } from "@porchlight/shared/api";

type ActorType = AuditEntry["actor"]["type"];

/** Kinds of actors that change something. */
export const AUDIT_ACTORS = [
  "account",
  "server",
  "user",
  "client",
  "service",
  "unknown",
] as const satisfies readonly ActorType[];

export interface RequestsSearch {
  /** ID of the selected request. */
  readonly request?: string | undefined;
  /** A status code or a class: `404`, `4xx`. */
  readonly status?: string | undefined;
  readonly method?: string | undefined;
  /** A part of the path. */
  readonly path?: string | undefined;
  /** Excludes older entries: `2026-11-05 14:03:07Z`. */
  readonly since?: string | undefined;
  /** Excludes entries that are not older. */
  readonly until?: string | undefined;
  readonly token?: string | undefined;
  /** Show the whole account. */
  readonly all?: boolean | undefined;
  /** Include the portal's own changes and its rejected requests. */
  readonly own?: boolean | undefined;
}

export interface AuditSearch {
  readonly actor?: ActorType | undefined;
  /** Kind of object: `webhook`. */
  readonly kind?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** Show the whole account. */
  readonly all?: boolean | undefined;
}
