/** Exporters of who has access: users, servers, what users may touch, and the tokens of all of them, without the tokens themselves. */
import { formatTime } from "@porchlight/shared/api";
import { nextTurn } from "@porchlight/shared/kernel";
import { useOfTokens } from "../../access/index.ts";
import {
  accessEntryResource,
  type Servers,
  serverResource,
  tokenResource,
  type Users,
  userResource,
} from "../../accounts/index.ts";
import type { Store } from "../../store/index.ts";
import { EXPORT_PAGE, type Exporter, paged } from "./exporter.ts";

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
      async *rows({ caller }) {
        const rows = paged(
          (after) => users.list(caller, undefined, after, EXPORT_PAGE),
          ({ id }) => id,
        );
        for await (const row of rows) yield userResource(row);
      },
    },
    {
      name: "access-entries",
      about: "Which users have access to which environments, and until when they had it (`endedAt`).",
      tables: ["access_entries"],
      async *rows({ ecosystemIds }) {
        for (const eco of ecosystemIds) {
          const rows = paged(
            (after) => readEntries(store, eco, after),
            ({ id }) => id,
          );
          for await (const row of rows)
            yield {
              ...accessEntryResource(row),
              userId: row.user_id,
              ecosystemId: eco,
              ...(row.gone_at !== null && { endedAt: formatTime(row.gone_at) }),
            };
        }
      },
    },
    {
      name: "servers",
      about: "Servers (your own programs), with alias and metadata.",
      tables: ["objects"],
      async *rows({ caller }) {
        const rows = paged(
          (after) => servers.list(caller, undefined, after, EXPORT_PAGE),
          ({ id }) => id,
        );
        for await (const row of rows) yield serverResource(row);
      },
    },
    {
      name: "tokens",
      about:
        "Tokens of users, servers and hubs: of whom, when each was created, last used and ended, and which versions of the API it asked for. The tokens themselves are not in the archive.",
      tables: ["tokens", "token_uses", "token_versions"],
      async *rows({ ecosystemIds }) {
        for (const eco of ecosystemIds) yield* tokenRows(store, eco);
      },
    },
  ];
}

async function* tokenRows(store: Store, eco: string): AsyncGenerator<object> {
  const { sql } = store.of(eco);
  for (let after = ""; ; await nextTurn()) {
    const rows = await sql.query(
      sql.build
        .selectFrom("tokens")
        .select(["id", "kind", "subject_id", "created_at", "expires_at", "revoked_at", "read_at"])
        .where("ecosystem_id", "=", eco)
        .where("id", ">", after)
        .orderBy("id")
        .limit(EXPORT_PAGE),
    );
    const useOf = await useOfTokens(
      sql,
      rows.map(({ id }) => id),
    );
    for (const row of rows)
      yield {
        ...tokenResource({ ...row, use: useOf(row.id) }),
        subjectId: row.subject_id,
        ecosystemId: eco,
        ...(row.revoked_at !== null && { revokedAt: formatTime(row.revoked_at) }),
      };
    const last = rows.at(-1);
    if (last === undefined || rows.length < EXPORT_PAGE) return;
    after = last.id;
  }
}

function readEntries(store: Store, eco: string, after: string) {
  const reader = store.of(eco);
  return reader.sql.query(
    reader.from("access_entries").selectAll().where("id", ">", after).orderBy("id").limit(EXPORT_PAGE),
  );
}
