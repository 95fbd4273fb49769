/** Exporters of the records about an account: who did what, what was requested, and how much. */
import { formatTime } from "@porchlight/shared/api";
import { nextTurn } from "@porchlight/shared/kernel";
import { type AuditLog, auditEntryResource, loggedRequestResource, type RequestLog } from "../../ops/index.ts";
import type { Store } from "../../store/index.ts";
import { EXPORT_PAGE, type Exporter, paged } from "./exporter.ts";

export interface RecordExportersDeps {
  readonly store: Store;
  readonly auditLog: Pick<AuditLog, "list">;
  readonly requestLog: Pick<RequestLog, "list">;
}

const ALL = {
  ...{ ecosystemId: undefined, since: undefined, until: undefined, actor: undefined, action: undefined },
};
const OLDEST = { order: "oldest", limit: EXPORT_PAGE } as const;

export function recordExporters({ store, auditLog, requestLog }: RecordExportersDeps): Exporter[] {
  return [
    {
      name: "audit",
      about: "Who changed what, when and from where, in the last 400 days.",
      tables: ["audit_entries"],
      async *rows({ caller }) {
        const rows = paged(
          (after) => auditLog.list(caller, ALL, { ...OLDEST, after }),
          ({ id }) => id,
        );
        for await (const row of rows) yield auditEntryResource(row);
      },
    },
    {
      name: "requests",
      about: "Requests to the API in the last seven days, without bodies.",
      tables: ["request_log"],
      async *rows({ caller }) {
        const rows = paged(
          (after) => requestLog.list(caller, { ecosystemId: undefined }, { ...OLDEST, after }),
          ({ id }) => id,
        );
        for await (const row of rows)
          yield {
            ...loggedRequestResource(row),
            ...(row.ecosystem_id !== null && { ecosystemId: row.ecosystem_id }),
          };
      },
    },
    {
      name: "request-counts",
      about: "Number of requests to the API in each minute, by class of status.",
      tables: ["request_counts"],
      async *rows({ ecosystemIds }) {
        for (const eco of ecosystemIds) yield* countRows(store, eco);
      },
    },
  ];
}

async function* countRows(store: Store, eco: string): AsyncGenerator<object> {
  const reader = store.of(eco);
  for (let after = -1; ; await nextTurn()) {
    const rows = await reader.sql.query(
      reader.from("request_counts").selectAll().where("minute", ">", after).orderBy("minute").limit(EXPORT_PAGE),
    );
    for (const { minute, succeeded, redirected, refused, failed } of rows)
      yield {
        ecosystemId: eco,
        since: formatTime(minute),
        requests: { status2xx: succeeded, status3xx: redirected, status4xx: refused, status5xx: failed },
      };
    const last = rows.at(-1);
    if (last === undefined || rows.length < EXPORT_PAGE) return;
    after = last.minute;
  }
}
