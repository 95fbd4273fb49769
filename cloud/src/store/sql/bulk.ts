/**
 * A statement for many rows of values at once. On PostgreSQL it is one statement with an array for each value, so that its cost is that of
 * one; on SQLite, where a statement costs no round trip, it is the same statement again and again. Both are made from one text.
 */
import { type Bound, type Compiled, literal, type Statement } from "./statement.ts";

type Params = Readonly<Record<string, Bound>>;
/** Of a value, as PostgreSQL calls it. */
export type ArrayType = "text" | "bigint" | "double precision";

export interface Bulk<P extends Params, R> {
  /** For one row. */
  readonly each: Statement<P, R>;
  readonly postgres: {
    readonly name: string;
    readonly sql: string;
    /** An array for each value. */
    bind(rows: readonly P[]): Bound[][];
  };
}

/** What PostgreSQL calls the rows of values. */
const ROWS = "of_many";
/** Of a row of the result: to which row of values it belongs, from 1. */
export const ORDER = "of_row";

/**
 * @param each a select, an update with a condition, or an insert of one row; a deletion is none of them
 * @param types of all its values
 * @throws Error when it is another kind of statement
 */
export function bulk<P extends Params, R>(
  each: Statement<P, R>,
  types: Readonly<Record<keyof P & string, ArrayType>>,
): Bulk<P, R> {
  const names = Object.keys(types);
  // Behind a select the planner does not see how long an array is: it would plan each statement anew, for fewer rows than it assumes of any.
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

/** None of a table is called so. */
function columnOf(value: string): string {
  return `"of_${value}"`;
}

function overRows(text: string, rows: string): string {
  // Without the offset the planner may read a whole table in place of some rows by their index.
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
