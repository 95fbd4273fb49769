/**
 * `porchlight-cloud audit verify`: detects changes of the audit that the service did not make; and `versions`: lists uses of old API
 * versions, and notifies all accounts of a new one.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { formatTime, parseTime } from "@porchlight/shared/api";
import { z } from "zod";
import { openKeyring } from "../access/index.ts";
import { secretFileOf } from "../config/index.ts";
import { VERSIONS } from "../http/index.ts";
import { Outbox } from "../mail/index.ts";
import {
  type AuditHead,
  auditHeads,
  behind,
  type ChainFinding,
  compareHeads,
  tellOfRelease,
  verifyAudit,
  versionUses,
} from "../ops/index.ts";
import { type CommandDeps, CommandRefused, openExisting } from "./command.ts";

const FAULTS: Readonly<Record<ChainFinding["fault"], string>> = {
  missing: "is not there",
  changed: "is not what was stored there: edited, or moved",
  unbound: "does not follow from those before it: they, or their order, were changed",
  added: "has no place in its chain",
  replaced: "is not what was there when its chain's head was noted",
};

/**
 * Prints the result, and for each faulty chain the first invalid entry.
 * @param headsFile its heads are compared; if everything is valid, it is rewritten
 * @returns whether everything is valid @throws CommandRefused, SystemError
 */
export async function verify(deps: CommandDeps, headsFile: string | undefined): Promise<boolean> {
  const { print } = deps;
  const noted = headsFile === undefined ? [] : readHeads(headsFile);
  await using store = await openExisting(deps);
  // Read before the walk, so that the walked chains include these heads.
  const heads = await auditHeads(store);
  const { chains, held, erased, findings } = await verifyAudit(store);
  const all = [...findings, ...(await compareHeads(store, noted))];
  for (const finding of all) print(inWords(finding));
  if (all.length > 0) {
    print(`the audit does not hold: ${all.length} findings in ${chains} chains`);
    return false;
  }
  print(`the audit holds: ${held} entries in ${chains} chains, and the links of ${erased} that were erased`);
  if (headsFile !== undefined) writeHeads(headsFile, heads);
  return true;
}

function inWords({ subject, chain, sequence, fault, entry }: ChainFinding): string {
  const what = entry ? ` (${entry.id}, ${entry.action}, ${formatTime(entry.at)})` : "";
  return `${subject || `chain ${chain}`}: entry ${sequence}${what} ${FAULTS[fault]}`;
}

const head = z.object({ chain: z.string(), sequence: z.number(), link: z.string(), erased: z.boolean() });
const headsSchema = z.array(head);

function readHeads(file: string): AuditHead[] {
  if (!existsSync(file)) return [];
  try {
    return headsSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    throw new CommandRefused(`${file} does not hold heads that were noted by this command.`);
  }
}

/** Keeps the old heads until the new ones are complete. */
function writeHeads(file: string, heads: readonly AuditHead[]): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(heads)}\n`);
  renameSync(`${file}.new`, file);
}

/** Prints, tab-separated, each token that requested another version than the newest in the last 90 days. */
export async function listVersions(deps: CommandDeps): Promise<void> {
  const { clock, print } = deps;
  await using store = await openExisting(deps);
  const newest = VERSIONS.at(-1)?.name ?? "";
  const old = behind(await versionUses(store, undefined, clock.now()), newest);
  if (old.length === 0) return print(`no token asked for a version other than ${newest}`);
  print(["account", "email", "token", "kind", "of", "via", "version", "last", "requests"].join("\t"));
  for (const { accountId, email, tokenId, kind, subjectId, via, version, lastSeenAt, count } of old)
    print([accountId, email, tokenId, kind, subjectId, via, version, formatTime(lastSeenAt), count].join("\t"));
}

/**
 * Stores an email in the outbox for every account that was not notified yet; the running service sends them.
 * @param version `v1` @param date `YYYY-MM-DD`
 * @throws CommandRefused; "Service Unavailable" when the outbox is full: a later run continues
 */
export async function notifyRelease(deps: CommandDeps, version: string, date: string): Promise<void> {
  const { settings, clock, random, print } = deps;
  if (!/^v\d{1,4}$/.test(version))
    throw new CommandRefused(`--release ${version}: a version is v and a number, such as v1.`);
  if (parseTime(`${date} 00:00:00Z`) === undefined)
    throw new CommandRefused(`--date ${date}: a date is year, month and day, such as 2027-03-01.`);
  await using store = await openExisting(deps);
  const notices = new Outbox({ keyring: openKeyring(secretFileOf(settings), random) });
  const { notified, unverified } = await tellOfRelease({ store, clock, notices }, { version, date });
  print(`${notified} accounts get an e-mail about ${version}; ${unverified} have no verified address`);
}
