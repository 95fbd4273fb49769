/** The query of sinks that crosses tenants: all enabled sinks, and the backlog of each. */
import { type Store, statement } from "../store/index.ts";

const selectEnabled = statement<{ after: string; limit: number }>("enabled_sinks_after")((db, p) =>
  db
    .selectFrom("sinks as s")
    .innerJoin("ecosystems as e", "e.id", "s.ecosystem_id")
    .leftJoin("counters as c", "c.ecosystem_id", "s.ecosystem_id")
    .select(["s.ecosystem_id", "s.position", "s.retry_at", "s.failing_since", "c.sequence"])
    .where("s.ecosystem_id", ">", p.after)
    .where("s.enabled", "=", 1)
    .where("e.gone_at", "is", null)
    .orderBy("s.ecosystem_id")
    .limit(p.limit),
);

export interface EnabledSink {
  readonly eco: string;
  /** Backlog: events of its log behind its position. */
  readonly behind: number;
  /** Its receiver accepted nothing at the last attempt. */
  readonly isFailing: boolean;
  /** No attempt is made before this time, wall clock, ms. */
  readonly retryAt: number;
}

/** In the order of their ecosystems. @param after "" starts with the first */
export async function enabledSinks(store: Store, after: string, limit: number): Promise<EnabledSink[]> {
  const rows = await store.service.all(selectEnabled, { after, limit });
  return rows.map(({ ecosystem_id: eco, position, retry_at, failing_since, sequence }) => ({
    ...{ eco, behind: Math.max(0, (sequence ?? 0) - position), isFailing: failing_since !== null },
    retryAt: retry_at ?? 0,
  }));
}
