/**
 * Whether there may be one more: asked in the job that makes it, which excludes all others of that ecosystem. Counting costs
 * with what is there, so a count holds for a sixteenth of the room that it found, and for ten seconds: far from the limit
 * hardly anything is counted, near it every time. What one node makes never passes the limit; of several that make thousands
 * in the same seconds each may pass it by a sixteenth.
 */
import { BoundedMap, NamedError } from "@porchlight/shared/kernel";
import type { CountedQuota, QuotaLimits, QuotaName } from "../../config/index.ts";
import { one, type Statement, statement, type Transaction } from "../../store/index.ts";

type Counted = Statement<{ eco: string; of: string; now: number }, { count: number }>;
type Params = { eco: string; of: string; now: number };

const inEcosystem = (kind: string): Counted =>
  statement<Params>(`quota_${kind}_of_ecosystem`)((db, p) =>
    db
      .selectFrom("objects")
      .select((of) => of.fn.countAll<number>().as("count"))
      .where("ecosystem_id", "=", p.of)
      .where("kind", "=", kind)
      .where("gone_at", "is", null),
  );
const inEnvironment = (kind: string): Counted =>
  statement<Params>(`quota_${kind}_of_environment`)((db, p) =>
    db
      .selectFrom("objects")
      .select((of) => of.fn.countAll<number>().as("count"))
      .where("ecosystem_id", "=", p.eco)
      .where("environment_id", "=", p.of)
      .where("kind", "=", kind)
      .where("gone_at", "is", null),
  );

/** How many there are in one container. */
const COUNTS: Readonly<Record<CountedQuota, Counted>> = {
  ecosystemsPerAccount: statement<Params>("quota_ecosystems_of_account")((db, p) =>
    db
      .selectFrom("ecosystems")
      .select((of) => of.fn.countAll<number>().as("count"))
      .where("account_id", "=", p.of)
      .where("gone_at", "is", null),
  ),
  environmentsPerEcosystem: inEcosystem("env"),
  usersPerEcosystem: inEcosystem("usr"),
  serversPerEcosystem: inEcosystem("srv"),
  webhooksPerEcosystem: inEcosystem("whk"),
  zonesPerEnvironment: inEnvironment("zon"),
  devicesPerEnvironment: inEnvironment("dev"),
  scenesPerEnvironment: inEnvironment("scn"),
  clientsPerEnvironment: inEnvironment("cli"),
  environmentsPerUser: statement<Params>("quota_environments_of_user")((db, p) =>
    db
      .selectFrom("access_entries")
      .select((of) => of.fn.countAll<number>().as("count"))
      .where("ecosystem_id", "=", p.eco)
      .where("user_id", "=", p.of)
      .where("gone_at", "is", null),
  ),
  queuedCommandsPerClient: statement<Params>("quota_queued_commands_of_client")((db, p) =>
    db
      .selectFrom("commands")
      .select((of) => of.fn.countAll<number>().as("count"))
      .where("ecosystem_id", "=", p.eco)
      .where("client_id", "=", p.of)
      .where("completed_at", "is", null)
      .where("state", "=", "queued"),
  ),
  tokensPerSubject: statement<Params>("quota_tokens_of_subject")((db, p) =>
    db
      .selectFrom("tokens")
      .select((of) => of.fn.countAll<number>().as("count"))
      .where("subject_id", "=", p.of)
      .where("revoked_at", "is", null)
      .where((of) => of.or([of("expires_at", "is", null), of("expires_at", ">", p.now)])),
  ),
};

/** A count holds for this part of the room that it found. */
const PART = 16;
/** And no longer than this, ms: other nodes make some too. */
const GOOD_FOR = 10_000;
/** Containers of which a count is remembered. */
const CAPACITY = 10_000;

export class Quotas {
  readonly limits: QuotaLimits;
  /** How many more may be made in a container before it is counted again. */
  readonly #leave = new BoundedMap<string, { left: number; readonly until: number }>(CAPACITY);

  constructor(limits: QuotaLimits) {
    this.limits = limits;
  }

  /**
   * To be called in the job, before the one more is stored. A job that fails after it costs nothing but an earlier count.
   * @param container ID of what they are counted in: the account, ecosystem, environment, user or subject of the name
   * @throws "Quota Exceeded"
   */
  readonly require = async (tx: Transaction, name: CountedQuota, container: string): Promise<void> => {
    const key = `${name} ${container}`;
    const now = tx.now();
    const leave = this.#leave.get(key);
    if (leave && leave.left > 0 && now < leave.until) {
      leave.left -= 1;
      return;
    }
    const found = await one(tx.all(COUNTS[name], { eco: tx.ecosystemId, of: container, now }));
    const room = this.limits[name] - (found?.count ?? 0);
    if (room < 1) throw exceeded(name, this.limits[name]);
    this.#remember(key, leaveFor(room), now + GOOD_FOR);
  };

  #remember(key: string, left: number, until: number): void {
    if (left === 0) this.#leave.delete(key);
    else this.#leave.set(key, { left, until });
  }
}

/** How many more may be made uncounted, besides the one that is made now, where there was room for so many. */
export function leaveFor(room: number): number {
  return Math.max(0, Math.floor(room / PART) - 1);
}

function exceeded(name: QuotaName, limit: number): NamedError {
  return new NamedError(
    "Quota Exceeded",
    `\`${name}\` is limited to ${limit}. Delete what you no longer need, or ask the operator for more.`,
  );
}
