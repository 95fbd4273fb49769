/** The rows of gaps: of a property, of a device, of all devices of a hub, or of a whole ecosystem. */
import type { Interval } from "@porchlight/shared/history";
import { type Sql, statement } from "../store/index.ts";

/** A time in which values are unknown. Wall clock, ms. */
export interface Gap {
  /** ID of a device, hub or ecosystem, or the key of a series. */
  readonly subjectId: string;
  readonly since: number;
  /** Null while the gap is open. */
  readonly until: number | null;
  /** For a hub: whether its agent was restarted in this time. */
  readonly restarted: boolean;
}

type Row = { eco: string; subject: string; since: number; until: number | null; restarted: number };

const upsertGap = statement<Row>("write_history_gap")((db, p) =>
  db
    .insertInto("history_gaps")
    .values({ ecosystem_id: p.eco, subject_id: p.subject, since: p.since, until: p.until, restarted: p.restarted })
    .onConflict((conflict) =>
      conflict.columns(["ecosystem_id", "subject_id", "since"]).doUpdateSet((of) => ({
        until: of.ref("excluded.until"),
        restarted: of.ref("excluded.restarted"),
      })),
    ),
);
const removeGap = statement<{ eco: string; subject: string; since: number }>("remove_history_gap")((db, p) =>
  db
    .deleteFrom("history_gaps")
    .where("ecosystem_id", "=", p.eco)
    .where("subject_id", "=", p.subject)
    .where("since", "=", p.since),
);

/** Gaps of these subjects that end after `past` or are open; the oldest first. */
export async function gapsOf(sql: Sql, eco: string, subjectIds: readonly string[], past: number): Promise<Gap[]> {
  if (subjectIds.length === 0) return [];
  const rows = await sql.query(
    sql.build
      .selectFrom("history_gaps")
      .select(["subject_id", "since", "until", "restarted"])
      .where("ecosystem_id", "=", eco)
      .where("subject_id", "in", subjectIds)
      .where((of) => of.or([of("until", "is", null), of("until", ">", past)]))
      .orderBy("since"),
  );
  return rows.map(({ subject_id, since, until, restarted }) => ({
    ...{ subjectId: subject_id, since: Number(since) },
    ...{ until: until === null ? null : Number(until), restarted: restarted === 1 },
  }));
}

export function writeGap(sql: Sql, eco: string, { subjectId, since, until, restarted }: Gap): Promise<number> {
  return sql.run(upsertGap, { eco, subject: subjectId, since, until, restarted: restarted ? 1 : 0 });
}

/** Opens a gap, unless one is open. */
export async function openGap(sql: Sql, eco: string, subjectId: string, since: number): Promise<void> {
  const known = await gapsOf(sql, eco, [subjectId], since);
  if (!known.some(({ until }) => until === null))
    await writeGap(sql, eco, { subjectId, since, until: null, restarted: false });
}

export function dropGap(sql: Sql, eco: string, { subjectId, since }: Gap): Promise<number> {
  return sql.run(removeGap, { eco, subject: subjectId, since });
}

export function intervalOf({ since, until }: Gap): Interval {
  return { from: since, until: until ?? Number.POSITIVE_INFINITY };
}
