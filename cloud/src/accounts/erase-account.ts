/**
 * Erases the data of an account, besides emails and files: its ecosystems with their contents, its records, stored answers, codes
 * and log-ins. It deletes a few hundred rows at a time, so that no request waits.
 */
import { eraseAuditChains, forgetIdempotencyKeys, type Revocations } from "../access/index.ts";
import { eraseEcosystem } from "../places/index.ts";
import { type Store, statement, type Transaction } from "../store/index.ts";
import { type Eraser, takeTurn } from "./erasures.ts";

const AT_ONCE = 500;

type Of = { account: string };
const endEcosystem = statement<{ eco: string; at: number }>("end_ecosystem_of_erased")((db, p) =>
  db.updateTable("ecosystems").set({ gone_at: p.at }).where("id", "=", p.eco),
);
const endRoot = statement<{ eco: string; at: number }>("end_root_of_erased")((db, p) =>
  db.updateTable("objects").set({ gone_at: p.at }).where("ecosystem_id", "=", p.eco).where("id", "=", p.eco),
);
const eraseAudit = statement<Of>("erase_audit")((db, p) =>
  db
    .deleteFrom("audit_entries")
    .where("account_id", "=", p.account)
    .where("id", "in", (of) =>
      of.selectFrom("audit_entries").select("id").where("account_id", "=", p.account).limit(AT_ONCE),
    ),
);
const eraseRequests = statement<Of>("erase_request_log")((db, p) =>
  db
    .deleteFrom("request_log")
    .where("account_id", "=", p.account)
    .where("id", "in", (of) =>
      of.selectFrom("request_log").select("id").where("account_id", "=", p.account).limit(AT_ONCE),
    ),
);
const eraseNotices = statement<Of>("erase_version_notices")((db, p) =>
  db.deleteFrom("version_notices").where("account_id", "=", p.account),
);
const eraseAlertSettings = statement<Of>("erase_alert_settings")((db, p) =>
  db.deleteFrom("alert_settings").where("account_id", "=", p.account),
);
const eraseUses = statement<Of>("erase_uses_of_logins")((db, p) =>
  db
    .deleteFrom("token_uses")
    .where("token_id", "in", (of) => of.selectFrom("tokens").select("id").where("account_id", "=", p.account)),
);
const eraseVersions = statement<Of>("erase_versions_of_logins")((db, p) =>
  db
    .deleteFrom("token_versions")
    .where("token_id", "in", (of) => of.selectFrom("tokens").select("id").where("account_id", "=", p.account)),
);
const eraseSessionTokens = statement<Of>("erase_session_tokens")((db, p) =>
  db
    .deleteFrom("session_tokens")
    .where("login_id", "in", (of) => of.selectFrom("tokens").select("id").where("account_id", "=", p.account)),
);
const eraseCodes = statement<Of>("erase_codes")((db, p) =>
  db.deleteFrom("account_codes").where("account_id", "=", p.account),
);
const eraseLogins = statement<Of>("erase_logins")((db, p) =>
  db.deleteFrom("tokens").where("account_id", "=", p.account),
);

/** Ends the connections and streams of the ecosystems, then erases the ecosystems. */
export function ecosystemEraser(store: Store, revocations: Revocations): Eraser {
  return async (_account, { ecosystems }) => {
    for (const eco of ecosystems) {
      await store.write(eco, async (tx) => {
        await tx.run(endEcosystem, { eco, at: tx.now() });
        await tx.run(endRoot, { eco, at: tx.now() });
        await forgetIdempotencyKeys(tx, eco);
        await revocations.end(tx, { kind: "ecosystem", subjectId: eco });
      });
    }
    for (const eco of ecosystems) await eraseEcosystem(store, eco);
  };
}

/** Erases the account's records. Its log-ins stay until the last pass, because token uses are found by them. */
export function recordsEraser(store: Store): Eraser {
  return async (account, { isLast }) => {
    const step = <T>(job: (tx: Transaction) => Promise<T>) =>
      store.writeService(async (tx) => {
        await takeTurn(tx, account);
        return job(tx);
      });
    await step((tx) => eraseAuditChains(tx, account));
    for (const erase of [eraseAudit, eraseRequests]) while ((await step((tx) => tx.run(erase, { account }))) > 0);
    await step(async (tx) => {
      await forgetIdempotencyKeys(tx, account);
      for (const erase of [eraseNotices, eraseAlertSettings, eraseUses, eraseVersions, eraseSessionTokens, eraseCodes])
        await tx.run(erase, { account });
      if (isLast) await tx.run(eraseLogins, { account });
    });
  };
}
