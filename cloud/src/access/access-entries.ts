/** Access entries: each gives a user full access to one environment. */
import type { Clock, IdMaker } from "@porchlight/shared/kernel";
import { referenceNotFound } from "@porchlight/shared/rest";
import { type AccessEntryRow, one, type Sql, statement, type Transaction } from "../store/index.ts";
import { type Actor, audit } from "./audit.ts";
import type { Quotas } from "./quotas.ts";
import { livingObject } from "./references/objects.ts";
import type { Revocations } from "./revocations.ts";

type PageOf = { eco: string; user: string; after: string; limit: number };
/** Leaves out entries of deleted environments, whose rows stay. */
const entriesOfUser = statement<PageOf>("entries_of_user")((db, p) =>
  db
    .selectFrom("access_entries")
    .innerJoin("objects", (join) =>
      join
        .onRef("objects.ecosystem_id", "=", "access_entries.ecosystem_id")
        .onRef("objects.id", "=", "access_entries.environment_id")
        .on("objects.gone_at", "is", null),
    )
    .selectAll("access_entries")
    .where("access_entries.ecosystem_id", "=", p.eco)
    .where("access_entries.user_id", "=", p.user)
    .where("access_entries.gone_at", "is", null)
    .where("access_entries.id", ">", p.after)
    .orderBy("access_entries.id")
    .limit(p.limit),
);
const entryFor = statement<{ eco: string; user: string; environment: string }>("entry_for")((db, p) =>
  db
    .selectFrom("access_entries")
    .selectAll()
    .where("ecosystem_id", "=", p.eco)
    .where("user_id", "=", p.user)
    .where("environment_id", "=", p.environment)
    .where("gone_at", "is", null),
);
const endEntry = statement<{ eco: string; user: string; id: string; at: number }>("end_entry")((db, p) =>
  db
    .updateTable("access_entries")
    .set({ gone_at: p.at })
    .where("ecosystem_id", "=", p.eco)
    .where("user_id", "=", p.user)
    .where("id", "=", p.id)
    .where("gone_at", "is", null),
);
const endEntries = statement<{ eco: string; user: string; at: number }>("end_entries")((db, p) =>
  db
    .updateTable("access_entries")
    .set({ gone_at: p.at })
    .where("ecosystem_id", "=", p.eco)
    .where("user_id", "=", p.user)
    .where("gone_at", "is", null),
);

export interface AccessEntriesDeps {
  readonly clock: Clock;
  readonly ids: IdMaker;
  readonly revocations: Revocations;
  readonly quotas: Quotas;
}

export class AccessEntries {
  readonly #deps: AccessEntriesDeps;

  constructor(deps: AccessEntriesDeps) {
    this.#deps = deps;
  }

  list(sql: Sql, eco: string, user: string, after: string, limit: number): Promise<AccessEntryRow[]> {
    return sql.all(entriesOfUser, { eco, user, after, limit });
  }

  /** Returns the existing entry, else a new one. @throws "User Not Found", "Environment Not Found", "Quota Exceeded" */
  async grant(tx: Transaction, actor: Actor, eco: string, user: string, environment: string): Promise<AccessEntryRow> {
    await livingObject(tx, eco, "usr", user);
    await livingObject(tx, eco, "env", environment);
    const held = await one(tx.all(entryFor, { eco, user, environment }));
    if (held) return held;
    await this.#deps.quotas.require(tx, "environmentsPerUser", user);
    const row: AccessEntryRow = {
      ecosystem_id: eco,
      id: this.#deps.ids.next("acs"),
      user_id: user,
      environment_id: environment,
      created_at: this.#deps.clock.now(),
      gone_at: null,
    };
    await tx.change(tx.build.insertInto("access_entries").values(row));
    await audit(tx, actor, "access.granted", row.id, { userId: user, environmentId: environment });
    await this.#tell(tx, user);
    return row;
  }

  /** @throws "Access Entry Not Found" */
  async takeAway(tx: Transaction, actor: Actor, eco: string, user: string, id: string): Promise<void> {
    const ended = await tx.run(endEntry, { eco, user, id, at: this.#deps.clock.now() });
    if (ended === 0) throw referenceNotFound("acs");
    await audit(tx, actor, "access.taken_away", id, { userId: user });
    await this.#tell(tx, user);
  }

  /** Ends all entries of a user, in the job that deletes the user. */
  async takeAllAway(tx: Transaction, eco: string, user: string): Promise<void> {
    await tx.run(endEntries, { eco, user, at: this.#deps.clock.now() });
  }

  #tell(tx: Transaction, user: string): Promise<void> {
    return this.#deps.revocations.end(tx, { kind: "access", subjectId: user });
  }
}
