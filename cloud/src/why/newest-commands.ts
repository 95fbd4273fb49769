/** The newest commands to a property: searched for by their IDs, which are in the order of time, over a bounded number of rows. */
import { firstIdOf } from "@porchlight/shared/kernel";
import type { PropertyAddress } from "@porchlight/shared/model";
import { type CommandRow, one, type Sql, statement } from "../store/index.ts";
import { SEARCH_LIMITS, type SearchLimits } from "./last-change.ts";

type Place = { eco: string; device: string; service: string; idx: string; property: string };
const ofSlice = statement<Place & { before: string; last: string; limit: number }>("commands_to_property")((db, p) =>
  db
    .selectFrom("commands")
    .selectAll()
    .where("ecosystem_id", "=", p.eco)
    .where("id", "<", p.before)
    .where("id", ">=", p.last)
    .where("device_id", "=", p.device)
    .where("service", "=", p.service)
    .where("idx", "=", p.idx)
    .where("property", "=", p.property)
    .orderBy("id", "desc")
    .limit(p.limit),
);
/** Where a slice of so many rows ends; none when there are fewer. */
const endOfSlice = statement<{ eco: string; before: string; since: string; offset: number }>("end_of_commands")(
  (db, p) =>
    db
      .selectFrom("commands")
      .select("id")
      .where("ecosystem_id", "=", p.eco)
      .where("id", "<", p.before)
      .where("id", ">=", p.since)
      .orderBy("id", "desc")
      .offset(p.offset)
      .limit(1),
);

export interface NewestCommands {
  /** The newest first. */
  readonly rows: readonly CommandRow[];
  /** There may be older ones that were not looked at. */
  readonly isCut: boolean;
}

/** IDs and times of rows may differ by so much, ms. */
const SKEW = 60_000;

/**
 * @param since wall clock, ms: not what was given before
 * @param until the same: not what was given later
 * @throws "Service Unavailable"
 */
export async function newestCommands(
  sql: Sql,
  place: { readonly ecosystemId: string; readonly deviceId: string } & PropertyAddress,
  { since, until, most }: { readonly since: number; readonly until: number; readonly most: number },
  limits: SearchLimits = SEARCH_LIMITS,
): Promise<NewestCommands> {
  const { ecosystemId: eco, deviceId: device, service, index: idx, property } = place;
  const oldest: string = firstIdOf("cmd", since - SKEW);
  let before: string = firstIdOf("cmd", until + SKEW);
  const rows: CommandRow[] = [];
  for (let looked = 0; looked < limits.most; looked += limits.slice) {
    const end = await one(sql.all(endOfSlice, { eco, before, since: oldest, offset: limits.slice - 1 }));
    const last = end?.id ?? oldest;
    rows.push(
      ...(await sql.all(ofSlice, { eco, device, service, idx, property, before, last, limit: most - rows.length })),
    );
    if (rows.length === most || !end) return { rows, isCut: false };
    before = last;
  }
  return { rows, isCut: true };
}
