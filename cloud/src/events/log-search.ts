/** Matching events of a short range of the log. The database leaves out most of what is not wanted; the caller decides the rest. */
import type { Sql } from "../store/index.ts";
import { type LoggedEvent, loggedEvent } from "./log-reader.ts";

export interface LogSearch {
  readonly ecosystemId: string;
  /** Sequences, both included. */
  readonly first: number;
  readonly last: number;
  readonly order: "oldest" | "newest";
  /** Types, `prefix.*` or `*`. */
  readonly types: readonly string[];
  /** Only of these environments; undefined: of any, and of none. */
  readonly environmentIds: readonly string[] | undefined;
  /** Only events whose data names this device somewhere. */
  readonly deviceId: string | undefined;
  readonly limit: number;
}

/** In the order that was asked for. @throws "Service Unavailable" */
export async function searchLog(sql: Sql, asked: LogSearch): Promise<LoggedEvent[]> {
  const { ecosystemId, first, last, order, types, environmentIds, deviceId, limit } = asked;
  let query = sql.build
    .selectFrom("events")
    .selectAll()
    .where("ecosystem_id", "=", ecosystemId)
    .where("sequence", ">=", first)
    .where("sequence", "<=", last)
    .orderBy("sequence", order === "newest" ? "desc" : "asc")
    .limit(limit);
  if (!types.includes("*"))
    query = query.where((of) =>
      of.or(
        types.map((type) =>
          type.endsWith(".*") ? of("type", "like", `${type.slice(0, -1)}%`) : of("type", "=", type),
        ),
      ),
    );
  if (environmentIds) query = query.where("environment_id", "in", environmentIds);
  if (deviceId !== undefined) query = query.where("data", "like", `%${deviceId}%`);
  return (await sql.query(query)).map(loggedEvent);
}
