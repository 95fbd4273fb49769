/** This module's queries across tenants: pending sweeps, and an account's other ecosystems. */
import { one, type Sql, type Store, type SweepRow, statement } from "../store/index.ts";

const selectSweeps = statement<Record<never, never>>("sweeps")((db) =>
  db.selectFrom("sweeps").selectAll().orderBy("created_at").limit(100),
);

/** The oldest pending sweeps. */
export function findSweeps(store: Store): Promise<SweepRow[]> {
  return store.service.all(selectSweeps, {});
}

const selectOther = statement<{ account: string; eco: string }>("other_ecosystem_of")((db, p) =>
  db
    .selectFrom("ecosystems as e")
    .leftJoin("users as u", (join) =>
      join
        .onRef("u.ecosystem_id", "=", "e.id")
        .onRef("u.key", "=", "e.account_id")
        .onRef("u.account_id", "=", "e.account_id"),
    )
    .select(["e.id", "u.id as holder"])
    .where("e.account_id", "=", p.account)
    .where("e.id", "!=", p.eco)
    .where("e.gone_at", "is", null)
    // Prefers an ecosystem in which the account's holder is registered.
    .orderBy((of) => of("u.id", "is", null))
    .orderBy("e.id")
    .limit(1),
);

/** Another living ecosystem of the account, and the account holder's user in it. */
export function otherEcosystem(
  sql: Sql,
  account: string,
  eco: string,
): Promise<{ readonly id: string; readonly holder: string | null } | undefined> {
  return one(sql.all(selectOther, { account, eco }));
}
