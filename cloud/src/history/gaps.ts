/**
 * Gaps in what is known: their rows (of a property, of a device, of all devices of a hub, or of a whole ecosystem), and the gaps
 * of one slice.
 */
import { type Interval, merged } from "@porchlight/shared/history";
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

interface GapChanges {
  readonly written: readonly Gap[];
  readonly dropped: readonly Gap[];
}

/**
 * The gaps of one slice of the log: its events open and close them in memory, and they are written at its end.
 *
 * A hub that was only disconnected continues to observe its devices and later reports what they did: once it is back, there was no
 * gap. A hub whose agent was restarted did not observe them, so the gap stays.
 */
export class GapBook {
  readonly #gaps = new Map<string, Gap[]>();
  readonly #written = new Map<string, Gap>();
  readonly #dropped = new Map<string, Gap>();
  readonly #merged = new Map<string, Interval[]>();

  /** @param known stored gaps of all subjects of the slice */
  constructor(known: readonly Gap[]) {
    for (const gap of known) this.#of(gap.subjectId).push(gap);
  }

  /** The subject's state is unknown from then on. */
  away(subjectId: string, since: number): void {
    if (this.#open(subjectId)) return;
    this.#put({ subjectId, since, until: null, restarted: false });
  }

  /** The subject reports again. */
  back(subjectId: string, at: number): void {
    const open = this.#open(subjectId);
    if (!open) return;
    if (subjectId.startsWith("cli_") && !open.restarted) this.#remove(open);
    else this.#put({ ...open, until: Math.max(at, open.since) });
  }

  /** The subject's agent was not running from `since` to `at`; an open gap stays open until it is back. */
  restarted(subjectId: string, since: number, at: number): void {
    const open = this.#open(subjectId);
    if (open) this.#put({ ...open, restarted: true });
    else if (since < at) this.#put({ subjectId, since, until: at, restarted: true });
  }

  /** The times at which a gap of at least one of these subjects applies. */
  intervals(subjectIds: readonly string[]): readonly Interval[] {
    const key = subjectIds.join(" ");
    let intervals = this.#merged.get(key);
    if (!intervals) {
      intervals = merged(subjectIds.flatMap((id) => this.#gaps.get(id) ?? []).map(intervalOf));
      this.#merged.set(key, intervals);
    }
    return intervals;
  }

  get changes(): GapChanges {
    return { written: [...this.#written.values()], dropped: [...this.#dropped.values()] };
  }

  #of(subjectId: string): Gap[] {
    const own = this.#gaps.get(subjectId) ?? [];
    this.#gaps.set(subjectId, own);
    return own;
  }

  #open(subjectId: string): Gap | undefined {
    return this.#gaps.get(subjectId)?.find(({ until }) => until === null);
  }

  #put(gap: Gap): void {
    const own = this.#of(gap.subjectId).filter(({ since }) => since !== gap.since);
    this.#gaps.set(gap.subjectId, [...own, gap]);
    this.#written.set(keyOf(gap), gap);
    this.#dropped.delete(keyOf(gap));
    this.#merged.clear();
  }

  #remove(gap: Gap): void {
    this.#gaps.set(
      gap.subjectId,
      this.#of(gap.subjectId).filter(({ since }) => since !== gap.since),
    );
    this.#written.delete(keyOf(gap));
    this.#dropped.set(keyOf(gap), gap);
    this.#merged.clear();
  }
}

function keyOf({ subjectId, since }: Gap): string {
  return `${subjectId} ${since}`;
}
