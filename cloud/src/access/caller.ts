/** The caller: the principal that a checked credential stands for. Every use-case takes a Caller first. */
import type { Id } from "@porchlight/shared/kernel";

interface Presented {
  /** The token that was presented. */
  readonly tokenId: Id<"tok">;
  /** Network address of the request, for the audit entry; set only for requests that may write. */
  readonly address?: string | undefined;
}

/** The caller with an account or authentication token: it reaches all ecosystems of the account. */
export interface AccountCaller extends Presented {
  readonly kind: "account";
  readonly accountId: Id<"acc">;
  /** Its living ecosystems, oldest first. */
  readonly ecosystemIds: readonly string[];
  /** The token is a short-lived session token of a cookie log-in, so the caller is a page of the portal. */
  readonly isPortal?: true | undefined;
}

/** The caller with a server token: it reaches everything in its ecosystem. */
export interface ServerCaller extends Presented {
  readonly kind: "server";
  readonly serverId: Id<"srv">;
  readonly ecosystemId: string;
}

/** The caller with a user token: it reaches the environments that the user has an access entry for. */
export interface UserCaller extends Presented {
  readonly kind: "user";
  readonly userId: Id<"usr">;
  readonly ecosystemId: string;
  readonly environmentIds: ReadonlySet<string>;
}

export type Caller = AccountCaller | ServerCaller | UserCaller;

/** The holder of a client token, which the tunnel alone accepts. */
export interface ClientPrincipal extends Presented {
  readonly clientId: Id<"cli">;
  readonly ecosystemId: string;
  readonly environmentId: string;
}

/** The ecosystems in which a caller can reference objects. */
export function reach(caller: Caller): readonly string[] {
  return caller.kind === "account" ? caller.ecosystemIds : [caller.ecosystemId];
}

/** ID of the caller's account, server or user, the same for all its tokens. */
export function principalOf(caller: Caller): string {
  switch (caller.kind) {
    case "account":
      return caller.accountId;
    case "server":
      return caller.serverId;
    case "user":
      return caller.userId;
  }
}
