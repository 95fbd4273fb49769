/**
 * Counts the outcomes of the commands of a period from their rows: each once, by its present state, whichever node took
 * it. A count scans a bounded number of rows and can be resumed, so that no ecosystem delays others.
 */
import { type CommandCounts, commandCountNames } from "@porchlight/shared/api";
import { firstIdOf, timeOf } from "@porchlight/shared/kernel";
import { sql } from "kysely";
import { type Sql, statement } from "../../store/index.ts";

/** Maximum commands scanned by one query, and by one request. */
export interface CountLimits {
  readonly slice: number;
  readonly most: number;
}
export const COUNT_LIMITS: CountLimits = { slice: 5_000, most: 50_000 };

/** Maximum difference between the time in a command's ID and its acceptance, ms. */
const SKEW = 60_000;

type Slice = { eco: string; after: string; before: string; step: number; limit: number; env: string };
const countSlice = statement<Slice>("count_commands")((db, p) =>
  db
    .selectFrom((of) =>
      of
        .selectFrom("commands")
        .select(["id", "outcome", "environment_id", sql<number>`created_at - created_at % ${p.step}`.as("step")])
        .where("ecosystem_id", "=", p.eco)
        .where("id", ">", p.after)
        .where("id", "<", p.before)
        .orderBy("id")
        .limit(p.limit)
        .as("slice"),
    )
    .select((of) => [
      "step",
      "outcome",
      of.fn.countAll<number>().as("looked"),
      of.fn.max("id").as("last"),
      sql<number>`count(case when ${p.env} = '' or environment_id = ${p.env} then 1 end)`.as("count"),
    ])
    .groupBy(["step", "outcome"]),
);

export interface CountAsked {
  readonly ecosystemId: string;
  /** Undefined: all environments. */
  readonly environmentId: string | undefined;
  /** Wall clock, ms: start of the first step, and end of the last one. */
  readonly since: number;
  readonly until: number;
  /** Length of a step, ms. */
  readonly step: number;
}

/** Counts of steps by their start, in a form that JSON can represent. */
export type Tally = Readonly<Record<string, CommandCounts>>;

/** The position of an unfinished count. */
export interface CountPlace {
  /** ID of the last scanned command. */
  readonly after: string;
  /** Counts of the unfinished steps. */
  readonly tally: Tally;
}

export interface Counted {
  readonly tally: Tally;
  /** All steps up to here are finished. Wall clock, ms. */
  readonly reached: number;
  /** Undefined when all are finished. */
  readonly next: CountPlace | undefined;
}

/** @throws "Service Unavailable" */
export async function countCommands(
  db: Sql,
  asked: CountAsked,
  from: CountPlace | undefined,
  limits: CountLimits,
): Promise<Counted> {
  const { ecosystemId: eco, environmentId: env = "", since, until, step } = asked;
  const before = firstIdOf("cmd", until + SKEW);
  const tally = new Map(Object.entries(from?.tally ?? {}));
  let after: string = from?.after ?? firstIdOf("cmd", since - SKEW);
  for (let looked = 0; looked < limits.most; looked += limits.slice) {
    const rows = await db.all(countSlice, { eco, after, before, step, limit: limits.slice, env });
    for (const row of rows) {
      if (row.step < since || row.step >= until || row.count === 0) continue;
      const counts = tally.get(String(row.step)) ?? noCommands();
      tally.set(String(row.step), { ...counts, [nameOf(row.outcome)]: counts[nameOf(row.outcome)] + row.count });
    }
    if (rows.reduce((sum, row) => sum + row.looked, 0) < limits.slice)
      return { tally: Object.fromEntries(tally), reached: until, next: undefined };
    for (const { last } of rows) if (last > after) after = last;
  }
  const reached = Math.max(since, timeOf(after as `cmd_${string}`) - SKEW);
  const finished = reached - (reached % step);
  const open = [...tally].filter(([at]) => Number(at) >= finished);
  return { tally: Object.fromEntries(tally), reached: finished, next: { after, tally: Object.fromEntries(open) } };
}

export function noCommands(): CommandCounts {
  return { confirmed: 0, rejected: 0, not_applied: 0, not_sent: 0, unknown: 0, open: 0 };
}

/** A command without an outcome has not ended. */
function nameOf(outcome: string | null): keyof CommandCounts {
  return commandCountNames.find((name) => name === outcome) ?? "open";
}
