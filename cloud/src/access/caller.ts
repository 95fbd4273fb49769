/** Who is calling: what a credential stands for once it has been checked. Every use-case takes a Caller first. */
import type { Id } from "@porchlight/shared/kernel";

interface Presented {
  /** The token that was presented. */
  readonly tokenId: Id<"tok">;
  /** Where the request came from; told of a request that may write, for the audit entry. */
  readonly address?: string | undefined;
}

/** An account or authentication token: all ecosystems of the account. */
export interface AccountCaller extends Presented {
  readonly kind: "account";
  readonly accountId: Id<"acc">;
  /** Its living ecosystems, oldest first. */
  readonly ecosystemIds: readonly string[];
  /** The token is a short one of a log-in by cookie: a page of the portal calls. */
  readonly isPortal?: true | undefined;
}

/** A server token: everything in its ecosystem. */
export interface ServerCaller extends Presented {
  readonly kind: "server";
  readonly serverId: Id<"srv">;
  readonly ecosystemId: string;
}

/** A user token: the environments that the user has an access entry for. */
export interface UserCaller extends Presented {
  readonly kind: "user";
  readonly userId: Id<"usr">;
  readonly ecosystemId: string;
  readonly environmentIds: ReadonlySet<string>;
}

export type Caller = AccountCaller | ServerCaller | UserCaller;

/** A client token: good at the tunnel only. */
export interface ClientPrincipal extends Presented {
  readonly clientId: Id<"cli">;
  readonly ecosystemId: string;
  readonly environmentId: string;
}

/** The ecosystems in which a caller can name anything at all. */
export function reach(caller: Caller): readonly string[] {
  return caller.kind === "account" ? caller.ecosystemIds : [caller.ecosystemId];
}

/** ID of who calls, whichever of its tokens was presented. */
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
