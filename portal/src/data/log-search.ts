/** What the pages of the request log and the audit show, as their addresses have it. */
import type { AuditEntry } from "@porchlight/shared/api";

type ActorType = AuditEntry["actor"]["type"];

/** Kinds of who changes something. */
export const AUDIT_ACTORS = [
  "account",
  "server",
  "user",
  "client",
  "service",
  "unknown",
] as const satisfies readonly ActorType[];

export interface RequestsSearch {
  /** The one to be shown, by its ID. */
  readonly request?: string | undefined;
  /** A number or a class: `404`, `4xx`. */
  readonly status?: string | undefined;
  readonly method?: string | undefined;
  /** A part of the path. */
  readonly path?: string | undefined;
  /** Not what is older: `2026-11-05 14:03:07Z`. */
  readonly since?: string | undefined;
  /** Only what is older. */
  readonly until?: string | undefined;
  readonly token?: string | undefined;
  /** Of the whole account. */
  readonly all?: boolean | undefined;
  /** With what this portal itself changed and was refused. */
  readonly own?: boolean | undefined;
}

export interface AuditSearch {
  readonly actor?: ActorType | undefined;
  /** Kind of object: `webhook`. */
  readonly kind?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** Of the whole account. */
  readonly all?: boolean | undefined;
}
