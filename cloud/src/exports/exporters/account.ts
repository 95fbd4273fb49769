/** Exporters of the account itself: who it is, its log-ins, its settings, and what it was told. */
import { formatTime } from "@porchlight/shared/api";
import { type Accounts, loginEntry, tokenResource } from "../../accounts/index.ts";
import type { Alerts } from "../../alerts/index.ts";
import type { Store } from "../../store/index.ts";
import { findLogIns, findVersionNotices } from "../rows/service-queries.ts";
import { EXPORT_PAGE, type Exporter, paged } from "./exporter.ts";

export interface AccountExportersDeps {
  readonly store: Store;
  readonly accounts: Pick<Accounts, "get">;
  readonly alerts: Pick<Alerts, "settings">;
}

export function accountExporters({ store, accounts, alerts }: AccountExportersDeps): Exporter[] {
  return [
    {
      name: "account",
      about: "The account: name, e-mail address, and when it was created. The password is stored only as a hash.",
      tables: ["accounts"],
      async *rows({ caller }) {
        yield await accounts.get(caller);
      },
    },
    {
      name: "alert-settings",
      about: "For which problems the account wants alerts, and when they may be sent by e-mail.",
      tables: ["alert_settings"],
      async *rows({ caller }) {
        yield await alerts.settings(caller);
      },
    },
    {
      name: "log-ins",
      about:
        "Sessions of the account: from which address and program each was made, when it was last used, with which versions of the API, and when it ended (`revokedAt`).",
      tables: ["tokens", "token_uses", "token_versions"],
      async *rows({ accountId }) {
        const logIns = paged(
          (after) => findLogIns(store, accountId, after, EXPORT_PAGE),
          ({ id }) => id,
        );
        for await (const row of logIns)
          yield {
            ...tokenResource(row),
            ...loginEntry({ ...row, last_used_at: row.use.lastUsedAt ?? null }),
            ...(row.revoked_at !== null && { revokedAt: formatTime(row.revoked_at) }),
          };
      },
    },
    {
      name: "version-notices",
      about: "New versions of the API of which the account was told by e-mail.",
      tables: ["version_notices"],
      async *rows({ accountId }) {
        for (const { release, told_at } of await findVersionNotices(store, accountId))
          yield { release, toldAt: formatTime(told_at) };
      },
    },
  ];
}
