/** Whose tunnels end with a credential or a right. */
import type { Revocation } from "../access/index.ts";

/** Whose tunnels are to end: all that are named must agree. */
export interface Revoked {
  readonly tokenId?: string;
  readonly clientId?: string;
  readonly environmentId?: string;
  readonly ecosystemId?: string;
}

/** With which credential a connection came, and where its client is. */
export interface Credentialed {
  readonly tokenId: string;
  readonly clientId: string;
  readonly environmentId: string;
  readonly ecosystemId: string;
}

export function isRevoked(of: Credentialed, { tokenId, clientId, environmentId, ecosystemId }: Revoked): boolean {
  return (
    (tokenId ?? of.tokenId) === of.tokenId &&
    (clientId ?? of.clientId) === of.clientId &&
    (environmentId ?? of.environmentId) === of.environmentId &&
    (ecosystemId ?? of.ecosystemId) === of.ecosystemId
  );
}

export function revokedBy(revocation: Revocation): Revoked {
  switch (revocation.kind) {
    case "token":
      return { tokenId: revocation.tokenId };
    case "subject":
    case "access":
      return { clientId: revocation.subjectId };
    case "environment":
      return { environmentId: revocation.subjectId };
    case "ecosystem":
      return { ecosystemId: revocation.subjectId };
  }
}
