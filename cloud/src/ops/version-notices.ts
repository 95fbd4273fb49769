/** Notifies every account of an upcoming version, each once: the record of it is stored with the email, so that a run can be resumed. */
import { formatTime } from "@porchlight/shared/api";
import type { Clock } from "@porchlight/shared/kernel";
import { isUniqueViolation, type Store, statement, type Transaction } from "../store/index.ts";
import { accountsToTell, versionRows } from "./requests/service-queries.ts";

/** The part of the mail queue that is used here. */
export interface Notices {
  /** @returns whether it will be sent: not to an unverified address @throws "Service Unavailable" when too many wait */
  notify(
    tx: Transaction,
    accountId: string,
    notice: { readonly subject: string; readonly text: string },
  ): Promise<boolean>;
}

export interface Release {
  /** `v1`. */
  readonly version: string;
  /** `YYYY-MM-DD`. */
  readonly date: string;
}

export interface ReleaseNotices {
  readonly notified: number;
  /** Accounts without a verified address: a later run notifies them. */
  readonly unverified: number;
}

/** Accounts read at once. */
const PAGE = 100;
/** Maximum tokens listed in one email. */
const NAMED = 50;

const recordNotice = statement<{ account: string; release: string; at: number }>("record_version_notice")((db, p) =>
  db.insertInto("version_notices").values({ account_id: p.account, release: p.release, told_at: p.at }),
);

export interface VersionNoticesDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly notices: Notices;
}

/** Notifies all accounts that were not notified of this release. @throws "Service Unavailable"; a later run continues from here */
export async function tellOfRelease(deps: VersionNoticesDeps, release: Release): Promise<ReleaseNotices> {
  const { store, clock } = deps;
  let [notified, unverified] = [0, 0];
  for (let after = ""; ; ) {
    const accounts = await accountsToTell(store, release.version, after, PAGE);
    for (const { id } of accounts) {
      const notice = versionNotice(release, await versionUses(store, id, clock.now()));
      const sent = await tellOne(deps, id, release.version, notice);
      if (sent === "unverified") unverified += 1;
      else if (sent === "notified") notified += 1;
    }
    const last = accounts.at(-1);
    if (!last) return { notified, unverified };
    after = last.id;
  }
}

async function tellOne(
  { store, notices }: VersionNoticesDeps,
  account: string,
  release: string,
  notice: { readonly subject: string; readonly text: string },
): Promise<"notified" | "unverified" | "already"> {
  try {
    return await store.writeService(async (tx) => {
      if (!(await notices.notify(tx, account, notice))) return "unverified";
      await tx.run(recordNotice, { account, release, at: tx.now() });
      return "notified";
    });
  } catch (error) {
    // A concurrent run of the command stored its email first; this one is rolled back.
    if (isUniqueViolation(error)) return "already";
    throw error;
  }
}

/** The text of the email. @param uses of the account's own tokens */
function versionNotice({ version, date }: Release, uses: readonly VersionUse[]): { subject: string; text: string } {
  const old = behind(uses, version);
  const floating = unversioned(uses);
  const text = [
    `Version ${version} of the API is released on ${date}.\n`,
    "Paths without a version get it from that day on. The version before it",
    "works for a year more.\n",
    ...(old.length > 0
      ? ["These tokens of yours ask for another version by name:\n", ...listed(old)]
      : [`None of your tokens was seen to ask for a version other than ${version} by name.\n`]),
    ...(floating.length > 0 ? ["These name no version, and change with the release:\n", ...listed(floating)] : []),
  ];
  return { subject: `Version ${version} of the API on ${date}`, text: `${text.join("\n").trimEnd()}\n` };
}

function listed(uses: readonly VersionUse[]): string[] {
  const lines = uses.slice(0, NAMED).map(({ tokenId, subjectId, version, lastSeenAt }) => {
    const asked = version === "" ? "no version" : version;
    return `  ${tokenId}\n    of ${subjectId}, ${asked}, last on ${formatTime(lastSeenAt).slice(0, 10)}`;
  });
  if (uses.length > NAMED) lines.push(`  and ${uses.length - NAMED} more`);
  return [...lines, ""];
}

/** A token that was not used for this long is ignored, ms: 90 days. */
const FORGOTTEN = 90 * 86_400_000;

/** One version that a token has requested, for the operator's list and the notices. */
export interface VersionUse {
  readonly accountId: string;
  readonly email: string;
  readonly tokenId: string;
  /** acc, auth, srv, usr, cli. */
  readonly kind: string;
  /** ID of the object that the token acts as. */
  readonly subjectId: string;
  /** path, header. */
  readonly via: string;
  /** "" for a path without a version, which gets the newest. */
  readonly version: string;
  readonly lastSeenAt: number;
  readonly count: number;
}

/**
 * Versions that living tokens requested lately.
 * @param account of this account only; undefined: all
 * @param now wall clock, ms
 */
export function versionUses(store: Store, account: string | undefined, now: number): Promise<VersionUse[]> {
  return versionRows(store, account, now, now - FORGOTTEN);
}

/** Uses that request another version by name. */
export function behind(uses: readonly VersionUse[], newest: string): VersionUse[] {
  return uses.filter(({ version }) => version !== newest && version !== "");
}

/** Uses without any version: they get a newer version with its release. */
export function unversioned(uses: readonly VersionUse[]): VersionUse[] {
  const named = new Set(uses.filter(({ version }) => version !== "").map(({ tokenId }) => tokenId));
  return uses.filter(({ tokenId, version }) => version === "" && !named.has(tokenId));
}
