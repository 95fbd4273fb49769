/** `porchlight-cloud versions`: who still uses an old version of the API, and telling everybody of a new one. */
import { formatTime, parseTime } from "@porchlight/shared/api";
import { type Clock, IdMaker, type Random } from "@porchlight/shared/kernel";
import { openKeyring } from "../access/index.ts";
import { type CloudSettings, secretFileOf } from "../config/index.ts";
import { VERSIONS } from "../http/index.ts";
import { Outbox } from "../mail/index.ts";
import { behind, tellOfRelease, versionUses } from "../ops/index.ts";
import { Store } from "../store/index.ts";
import { CommandRefused, existingDatabase } from "./refusal.ts";

export interface VersionCommandDeps {
  readonly settings: CloudSettings;
  readonly clock: Clock;
  readonly random: Random;
  readonly print: (line: string) => void;
}

/** Prints, tab-separated, each token that asked for another version than the newest in the last 90 days. */
export async function listVersions({ settings, clock, random, print }: VersionCommandDeps): Promise<void> {
  await using store = await open(settings, clock, random);
  const newest = VERSIONS.at(-1)?.name ?? "";
  const old = behind(await versionUses(store, undefined, clock.now()), newest);
  if (old.length === 0) return print(`no token asked for a version other than ${newest}`);
  print(["account", "email", "token", "kind", "of", "via", "version", "last", "requests"].join("\t"));
  for (const { accountId, email, tokenId, kind, subjectId, via, version, lastSeenAt, count } of old)
    print([accountId, email, tokenId, kind, subjectId, via, version, formatTime(lastSeenAt), count].join("\t"));
}

/**
 * Puts an email to every account that has not had it yet into the outbox; the running service sends them.
 * @param version `v1` @param date `YYYY-MM-DD`
 * @throws CommandRefused; "Service Unavailable" when the outbox is full: a later run goes on
 */
export async function notifyRelease(deps: VersionCommandDeps, version: string, date: string): Promise<void> {
  const { settings, clock, random, print } = deps;
  if (!/^v\d{1,4}$/.test(version))
    throw new CommandRefused(`--release ${version}: a version is v and a number, such as v1.`);
  if (parseTime(`${date} 00:00:00Z`) === undefined)
    throw new CommandRefused(`--date ${date}: a date is year, month and day, such as 2027-03-01.`);
  await using store = await open(settings, clock, random);
  const notices = new Outbox({ keyring: openKeyring(secretFileOf(settings), random) });
  const { told, unverified } = await tellOfRelease({ store, clock, notices }, { version, date });
  print(`${told} accounts get an e-mail about ${version}; ${unverified} have no verified address`);
}

/** Of a database that is there: these commands ask about a service that has run. @throws CommandRefused */
async function open(settings: CloudSettings, clock: Clock, random: Random): Promise<Store> {
  return Store.open({ location: existingDatabase(settings), clock, ids: new IdMaker(clock, random), patient: true });
}
