/**
 * A statement for many rows of values. On PostgreSQL it is one statement with an array for each value, so that it costs
 * as much as a single one; on SQLite, which has no round trips, it is repeated for each row. Both are derived from one
 * text.
 */
import { type Bound, type Compiled, literal, type Statement } from "./statement.ts";

type Params = Readonly<Record<string, Bound>>;
/** PostgreSQL's type of a value. */
export type ArrayType = "text" | "bigint" | "double precision";

export interface Bulk<P extends Params, R> {
  /** The statement for one row. */
  readonly each: Statement<P, R>;
  readonly postgres: {
    readonly name: string;
    readonly sql: string;
    /** Builds one array for each value. */
    bind(rows: readonly P[]): Bound[][];
  };
}

/** PostgreSQL's alias for the rows of values. */
const ROWS = "of_many";
/** Column of a result row: the row of values it belongs to, from 1. */
export const ORDER = "of_row";

/**
 * @param each a select, an update with a condition, or an insert of one row; deletions are not supported
 * @param types of all its values
 * @throws Error for any other kind of statement
 */
export function bulk<P extends Params, R>(
  each: Statement<P, R>,
  types: Readonly<Record<keyof P & string, ArrayType>>,
): Bulk<P, R> {
  const names = Object.keys(types);
  // A subselect hides the length of an array from the planner, which would otherwise replan each call for fewer rows
  // than its default.
  const arrays = Object.values<ArrayType>(types).map((type, at) => `(select $${at + 1}::${type}[])`);
  const columns = names.map(columnOf);
  const rows = `unnest(${arrays.join(", ")}) with ordinality as ${ROWS}(${[...columns, ORDER].join(", ")})`;
  return {
    each,
    postgres: {
      name: `${each.name}_of_many`,
      sql: overRows(valuesNamed(each.postgres), rows),
      bind: (all) => names.map((name) => all.map((row) => row[name] ?? null)),
    },
  };
}

/** A name that no table has as a column. */
function columnOf(value: string): string {
  return `"of_${value}"`;
}

function overRows(text: string, rows: string): string {
  // Without the offset the planner may scan a whole table instead of reading a few rows by their index.
  if (text.startsWith("select "))
    return `select ${ROWS}.${ORDER}, each_row.* from ${rows} cross join lateral (${text} offset 0) as each_row`;
  const insert = /^(insert into .*?) values \((.*?)\)( on conflict .*)?$/.exec(text);
  if (insert) return `${insert[1]} select ${insert[2]} from ${rows}${insert[3] ?? ""}`;
  const update = /^(update .*?)( where .*)$/.exec(text);
  if (update) return `${update[1]} from ${rows}${update[2]}`;
  throw new Error(`no statement for many rows: ${text}`);
}

function valuesNamed({ sql, slots }: Compiled): string {
  return sql.replaceAll(/\$(\d+)/g, (_whole, place: string) => {
    const slot = slots[Number(place) - 1];
    if (!slot) throw new Error(`value ${place} is not there`);
    return "constant" in slot ? literal(slot.constant) : `${ROWS}.${columnOf(slot.name)}`;
  });
}
