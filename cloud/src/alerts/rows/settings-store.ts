/** The alert settings of accounts in the store. */
import type { AlertSettings } from "@porchlight/shared/api";
import { one, type Sql, statement, type Transaction } from "../../store/index.ts";
import { readSettings } from "../decisions/settings.ts";

/** An account's settings, and when it was last mailed. */
export interface AccountAlerts {
  readonly settings: AlertSettings;
  readonly mailedAt: number | null;
}

export interface OwnerAlerts extends AccountAlerts {
  readonly accountId: string;
}

const ofAccount = statement<{ account: string }>("alert_settings_of_account")((db, p) =>
  db.selectFrom("alert_settings").select(["settings", "mailed_at"]).where("account_id", "=", p.account),
);
const ofEcosystem = statement<{ eco: string }>("alert_settings_of_ecosystem")((db, p) =>
  db
    .selectFrom("ecosystems as x")
    .leftJoin("alert_settings as s", "s.account_id", "x.account_id")
    .select(["x.account_id", "s.settings", "s.mailed_at"])
    .where("x.id", "=", p.eco)
    .where("x.gone_at", "is", null),
);
const storeSettingsStatement = statement<{ account: string; settings: string }>("store_alert_settings")((db, p) =>
  db
    .insertInto("alert_settings")
    .values({ account_id: p.account, settings: p.settings, mailed_at: null })
    .onConflict((conflict) => conflict.column("account_id").doUpdateSet({ settings: p.settings })),
);
const noteMailedStatement = statement<{ account: string; at: number }>("note_alerts_mailed")((db, p) =>
  db
    .insertInto("alert_settings")
    .values({ account_id: p.account, settings: null, mailed_at: p.at })
    .onConflict((conflict) => conflict.column("account_id").doUpdateSet({ mailed_at: p.at })),
);

export async function accountAlerts(sql: Sql, account: string): Promise<AccountAlerts> {
  const row = await one(sql.all(ofAccount, { account }));
  return { settings: readSettings(row?.settings ?? null), mailedAt: row?.mailed_at ?? null };
}

/** Undefined when the ecosystem is gone. */
export async function ownerAlerts(sql: Sql, eco: string): Promise<OwnerAlerts | undefined> {
  const row = await one(sql.all(ofEcosystem, { eco }));
  if (!row) return undefined;
  return { accountId: row.account_id, settings: readSettings(row.settings), mailedAt: row.mailed_at };
}

export async function storeSettings(tx: Transaction, account: string, settings: AlertSettings): Promise<void> {
  await tx.run(storeSettingsStatement, { account, settings: JSON.stringify(settings) });
}

export async function noteMailed(tx: Transaction, account: string, at: number): Promise<void> {
  await tx.run(noteMailedStatement, { account, at });
}
