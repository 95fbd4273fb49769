/** Which tokens ask for a version of the API that is not the newest: what the operator lists, and what a notice names. */
import type { Store } from "../../store/index.ts";
import { versionRows } from "../requests/service-queries.ts";

/** A token that was not used for this long is passed over, ms: 90 days. */
const FORGOTTEN = 90 * 86_400_000;

/** One version that one token has asked for. */
export interface VersionUse {
  readonly accountId: string;
  readonly email: string;
  readonly tokenId: string;
  /** acc, auth, srv, usr, cli. */
  readonly kind: string;
  /** ID of what the token acts as. */
  readonly subjectId: string;
  /** path, header. */
  readonly via: string;
  /** "" of a path without a version, which gets the newest. */
  readonly version: string;
  readonly lastSeenAt: number;
  readonly count: number;
}

/**
 * What living tokens asked for lately.
 * @param account of this account only; undefined of all
 * @param now wall clock, ms
 */
export function versionUses(store: Store, account: string | undefined, now: number): Promise<VersionUse[]> {
  return versionRows(store, account, now, now - FORGOTTEN);
}

/** Those that ask for another version by name. */
export function behind(uses: readonly VersionUse[], newest: string): VersionUse[] {
  return uses.filter(({ version }) => version !== newest && version !== "");
}

/** Those that name no version anywhere: with the release of a newer one they get that. */
export function unversioned(uses: readonly VersionUse[]): VersionUse[] {
  const named = new Set(uses.filter(({ version }) => version !== "").map(({ tokenId }) => tokenId));
  return uses.filter(({ tokenId, version }) => version === "" && !named.has(tokenId));
}
