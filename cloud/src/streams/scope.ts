/** Which events a stream is to tell: pure. Of a user that is decided event by event, because its access may change meanwhile. */
import { wants } from "@porchlight/shared/events";
import { type Caller, principalOf, type Revocation } from "../access/index.ts";
import type { LoggedEvent } from "../events/index.ts";

export interface StreamScope {
  readonly ecosystemId: string;
  /** Only what is in this environment. */
  readonly environmentId: string | undefined;
  /** Patterns of types. */
  readonly types: readonly string[];
}

/** Whether the caller sees the event at all, and has asked for it. */
export function tells(scope: StreamScope, caller: Caller, event: Pick<LoggedEvent, "type" | "environmentId">): boolean {
  const { environmentId } = event;
  if (scope.environmentId !== undefined && environmentId !== scope.environmentId) return false;
  if (caller.kind === "user" && (environmentId === undefined || !caller.environmentIds.has(environmentId)))
    return false;
  return wants(scope.types, event.type);
}

/** Whether the stream may go on, now that its caller is known as this. */
export function isOpenTo(scope: StreamScope, caller: Caller): boolean {
  switch (caller.kind) {
    case "account":
      return caller.ecosystemIds.includes(scope.ecosystemId);
    case "server":
      return caller.ecosystemId === scope.ecosystemId;
    case "user":
      return (
        caller.ecosystemId === scope.ecosystemId &&
        (scope.environmentId === undefined || caller.environmentIds.has(scope.environmentId))
      );
  }
}

/** Whether what has ended may be what the caller, or the stream, stands on. */
export function concerns(scope: StreamScope, caller: Caller, revocation: Revocation): boolean {
  const { subjectId } = revocation;
  switch (revocation.kind) {
    case "token":
      return caller.tokenId === revocation.tokenId;
    case "subject":
    case "access":
      return principalOf(caller) === subjectId;
    case "environment":
      return scope.environmentId === subjectId || (caller.kind === "user" && caller.environmentIds.has(subjectId));
    case "ecosystem":
      return scope.ecosystemId === subjectId;
  }
}

/** Whether there is nothing left that the stream could tell of. */
export function endsWith(scope: StreamScope, event: Pick<LoggedEvent, "type" | "environmentId">): boolean {
  return (
    scope.environmentId !== undefined &&
    event.type === "environment.deleted" &&
    event.environmentId === scope.environmentId
  );
}
