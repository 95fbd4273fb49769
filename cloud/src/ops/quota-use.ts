/** A caller's use of its quotas: for each quota the fullest container within reach, because that one refuses first. */
import type { Quota } from "@porchlight/shared/api";
import type { Clock } from "@porchlight/shared/kernel";
import { type AccountCaller, type Quotas, reach, type ServerCaller } from "../access/index.ts";
import type { QuotaName } from "../config/index.ts";
import { type Sql, type Store, statement } from "../store/index.ts";
import { countEcosystems, countTokens } from "./requests/service-queries.ts";
import { accountOfFirst } from "./service-queries.ts";
import type { StorageOfOwner, StorageUse } from "./storage-use.ts";

const ofEcosystem = statement<{ eco: string }>("quota_use_of_ecosystem")((db, p) =>
  db
    .selectFrom("objects")
    .select((of) => ["kind", of.fn.countAll<number>().as("count")])
    .where("ecosystem_id", "=", p.eco)
    .where("gone_at", "is", null)
    .groupBy("kind"),
);
const fullestEnvironment = statement<{ eco: string }>("quota_use_of_environments")((db, p) =>
  db
    .selectFrom((of) =>
      of
        .selectFrom("objects")
        .select((each) => ["kind", each.fn.countAll<number>().as("count")])
        .where("ecosystem_id", "=", p.eco)
        .where("environment_id", "is not", null)
        .where("gone_at", "is", null)
        .groupBy(["environment_id", "kind"])
        .as("counted"),
    )
    .select((of) => ["kind", of.fn.max("count").as("count")])
    .groupBy("kind"),
);
const fullestUser = statement<{ eco: string }>("quota_use_of_users")((db, p) =>
  db
    .selectFrom("access_entries")
    .select((of) => of.fn.countAll<number>().as("count"))
    .where("ecosystem_id", "=", p.eco)
    .where("gone_at", "is", null)
    .groupBy("user_id")
    .orderBy("count", "desc")
    .limit(1),
);

const fullestQueue = statement<{ eco: string }>("quota_use_of_queues")((db, p) =>
  db
    .selectFrom("commands")
    .select((of) => of.fn.countAll<number>().as("count"))
    .where("ecosystem_id", "=", p.eco)
    .where("completed_at", "is", null)
    .where("state", "=", "queued")
    .groupBy("client_id")
    .orderBy("count", "desc")
    .limit(1),
);

const PER_ECOSYSTEM: Readonly<Record<string, QuotaName>> = {
  env: "environmentsPerEcosystem",
  usr: "usersPerEcosystem",
  srv: "serversPerEcosystem",
  whk: "webhooksPerEcosystem",
};
const PER_ENVIRONMENT: Readonly<Record<string, QuotaName>> = {
  zon: "zonesPerEnvironment",
  dev: "devicesPerEnvironment",
  scn: "scenesPerEnvironment",
  cli: "clientsPerEnvironment",
};

export interface QuotaUseDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly quotas: Quotas;
  readonly storage: StorageUse;
}

export class QuotaUse {
  readonly #deps: QuotaUseDeps;

  constructor(deps: QuotaUseDeps) {
    this.#deps = deps;
  }

  /** In the order of the quota table; an account's quotas for accounts only. @throws "Service Unavailable" */
  async list(caller: AccountCaller | ServerCaller): Promise<Quota[]> {
    const { store, clock, quotas, storage } = this.#deps;
    const used = new Map<QuotaName, number>();
    if (caller.kind === "account") {
      used.set("ecosystemsPerAccount", await countEcosystems(store, caller.accountId));
      used.set("megabytesPerAccount", megabytes(await storage.of(caller.accountId)));
    }
    for (const eco of reach(caller))
      for (const [name, count] of await quotaUseOf(store, eco, clock.now())) raise(used, name, count);
    return Object.entries(quotas.limits)
      .filter(([name]) => caller.kind === "account" || !name.endsWith("PerAccount"))
      .map(([name, limit]) => ({ name, used: used.get(name as QuotaName) ?? 0, limit }));
  }
}

/** Million bytes, the quota's unit. */
function megabytes({ bytes }: StorageOfOwner): number {
  return Math.floor(bytes / 1_000_000);
}

/**
 * Storage used by an ecosystem's account, million bytes; undefined for all ecosystems except the account's first, so
 * that one alert reports it.
 * @throws "Service Unavailable"
 */
export async function storageQuotaOf(
  { store, storage }: Pick<QuotaUseDeps, "store" | "storage">,
  eco: string,
): Promise<number | undefined> {
  const account = await accountOfFirst(store, eco);
  return account === undefined ? undefined : megabytes(await storage.of(account));
}

/** An ecosystem's use of each quota: that of the fullest container. @param now wall clock, ms @throws "Service Unavailable" */
export async function quotaUseOf(store: Store, eco: string, now: number): Promise<Map<QuotaName, number>> {
  const used = new Map<QuotaName, number>();
  const { sql }: { sql: Sql } = store.of(eco);
  for (const { kind, count } of await sql.all(ofEcosystem, { eco })) raise(used, PER_ECOSYSTEM[kind], count);
  for (const { kind, count } of await sql.all(fullestEnvironment, { eco })) raise(used, PER_ENVIRONMENT[kind], count);
  const [user] = await sql.all(fullestUser, { eco });
  raise(used, "environmentsPerUser", user?.count ?? 0);
  const [queue] = await sql.all(fullestQueue, { eco });
  raise(used, "queuedCommandsPerClient", queue?.count ?? 0);
  raise(used, "tokensPerSubject", await countTokens(store, eco, now));
  return used;
}

function raise(used: Map<QuotaName, number>, name: QuotaName | undefined, count: number): void {
  if (name) used.set(name, Math.max(used.get(name) ?? 0, count));
}
