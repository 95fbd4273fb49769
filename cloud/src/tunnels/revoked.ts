/** Whose tunnels end with a credential or a right. */
import type { Ending } from "../access/index.ts";

/** Whose tunnels are to end: all that are named must agree. */
export interface Revoked {
  readonly tokenId?: string;
  readonly clientId?: string;
  readonly environmentId?: string;
  readonly ecosystemId?: string;
}

export function revokedBy(ending: Ending): Revoked {
  switch (ending.kind) {
    case "token":
      return { tokenId: ending.tokenId };
    case "subject":
    case "access":
      return { clientId: ending.subjectId };
    case "environment":
      return { environmentId: ending.subjectId };
    case "ecosystem":
      return { ecosystemId: ending.subjectId };
  }
}
