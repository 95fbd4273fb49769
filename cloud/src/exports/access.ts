/** Exporters of access: users, servers, access entries, and tokens without their texts. */
import { useOfTokens } from "../access/index.ts";
import {
  accessEntryResource,
  type Servers,
  serverResource,
  tokenResource,
  type Users,
  userResource,
} from "../accounts/index.ts";
import type { Store, TenantReader } from "../store/index.ts";
import { byId, EXPORT_PAGE, type Exporter, listed, stored, timeOf } from "./exporter.ts";

export interface AccessExportersDeps {
  readonly store: Store;
  readonly users: Pick<Users, "list">;
  readonly servers: Pick<Servers, "list">;
}

export function accessExporters({ store, users, servers }: AccessExportersDeps): Exporter[] {
  return [
    {
      name: "users",
      about: "Users, each with the key under which your own server knows it.",
      tables: ["objects", "users"],
      rows: listed((caller, after) => users.list(caller, undefined, after, EXPORT_PAGE), userResource),
    },
    {
      name: "access-entries",
      about: "Which users have access to which environments, and until when they had it (`endedAt`).",
      tables: ["access_entries"],
      rows: stored(
        store,
        byId((reader, after) =>
          reader.sql.query(
            reader.from("access_entries").selectAll().where("id", ">", after).orderBy("id").limit(EXPORT_PAGE),
          ),
        ),
        (row, ecosystemId) => ({
          ...accessEntryResource(row),
          userId: row.user_id,
          ecosystemId,
          ...timeOf("endedAt", row.gone_at),
        }),
      ),
    },
    {
      name: "servers",
      about: "Servers (your own programs), with alias and metadata.",
      tables: ["objects"],
      rows: listed((caller, after) => servers.list(caller, undefined, after, EXPORT_PAGE), serverResource),
    },
    {
      name: "tokens",
      about:
        "Tokens of users, servers and hubs: of whom, when each was created, last used and ended, and which versions of the API it asked for. The tokens themselves are not in the archive.",
      tables: ["tokens", "token_uses", "token_versions"],
      rows: stored(store, byId(tokensAfter), (row, ecosystemId) => ({
        ...tokenResource(row),
        subjectId: row.subject_id,
        ecosystemId,
        ...timeOf("revokedAt", row.revoked_at),
      })),
    },
  ];
}

/** A page of tokens, each with its use and without its text. */
async function tokensAfter({ sql, ecosystemId }: TenantReader, after: string) {
  const rows = await sql.query(
    sql.build
      .selectFrom("tokens")
      .select(["id", "kind", "subject_id", "created_at", "expires_at", "revoked_at", "read_at"])
      .where("ecosystem_id", "=", ecosystemId)
      .where("id", ">", after)
      .orderBy("id")
      .limit(EXPORT_PAGE),
  );
  const useOf = await useOfTokens(
    sql,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({ ...row, use: useOf(row.id) }));
}
