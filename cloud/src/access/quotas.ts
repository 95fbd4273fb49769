/**
 * Quotas, checked in the job that creates an object; that job excludes all others of its ecosystem. Counting costs in proportion
 * to the rows, so one count is valid for a sixteenth of the free room and for ten seconds: far from the limit hardly any job
 * counts, near it every job does. A single node never passes the limit; of several that create thousands of objects in the same
 * seconds each can pass it by a sixteenth.
 */
import { BoundedMap, NamedError } from "@porchlight/shared/kernel";
import type { CountedQuota, QuotaLimits, QuotaName } from "../config/index.ts";
import { one, type Statement, statement, type Transaction } from "../store/index.ts";

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

/** Counts the objects in one container. */
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

/** Fraction of the free room for which a count is valid: one part in so many. */
const PART = 16;
/** Longest validity of a count, ms: other nodes create objects too. */
const GOOD_FOR = 10_000;
/** Containers whose count is remembered. */
const CAPACITY = 10_000;

export class Quotas {
  readonly limits: QuotaLimits;
  /** Objects that may still be created in a container before it is counted again. */
  readonly #leave = new BoundedMap<string, { left: number; readonly until: number }>(CAPACITY);

  constructor(limits: QuotaLimits) {
    this.limits = limits;
  }

  /**
   * Call it in the job, before the new object is stored. A job that fails afterwards costs only an earlier recount.
   * @param container ID of the container that is counted: the account, ecosystem, environment, user or subject of the name
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

/** How many objects may be created without a recount, besides the present one, when `room` were free. */
export function leaveFor(room: number): number {
  return Math.max(0, Math.floor(room / PART) - 1);
}

function exceeded(name: QuotaName, limit: number): NamedError {
  return new NamedError(
    "Quota Exceeded",
    `\`${name}\` is limited to ${limit}. Delete what you no longer need, or ask the operator for more.`,
  );
}
