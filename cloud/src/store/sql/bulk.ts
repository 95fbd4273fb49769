/**
 * A statement for many rows of values. On PostgreSQL it is one statement with an array for each value, so that it costs
 * as much as a single one; on SQLite, which has no round trips, it is repeated for each row. Both are derived from one
 * text.
 */
import type { BulkReads } from "./sql.ts";
import { type Bound, type Compiled, literal, type Statement } from "./statement.ts";

type Params = Readonly<Record<string, Bound>>;

interface Asked<P, R> {
  readonly params: P;
  readonly resolve: (rows: R[]) => void;
  readonly reject: (error: unknown) => void;
}

/** Maximum concurrent statements, so that a slow one does not block the others. */
const MOST_UNDER_WAY = 2;
/** Maximum reads in one statement. */
const MOST_TOGETHER = 200;

/**
 * Combines concurrent reads of one statement: the first read starts at once, and those that arrive while the database
 * works share the next statement. A crowd so costs only a few statements, and no read waits for others to arrive.
 */
export class GatheredReads<P extends Params, R> {
  readonly #sql: Pick<BulkReads, "allOf">;
  readonly #bulk: Bulk<P, R>;
  readonly #waiting: Asked<P, R>[] = [];
  #underWay = 0;

  constructor(sql: Pick<BulkReads, "allOf">, bulk: Bulk<P, R>) {
    this.#sql = sql;
    this.#bulk = bulk;
  }

  /** All rows of the statement for these values, as committed at the time of the call or later. @throws what the statement throws */
  all(params: P): Promise<R[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ params, resolve, reject });
      this.#askMore();
    });
  }

  #askMore(): void {
    if (this.#underWay === MOST_UNDER_WAY || this.#waiting.length === 0) return;
    this.#underWay += 1;
    void this.#ask(this.#waiting.splice(0, MOST_TOGETHER));
  }

  async #ask(asked: readonly Asked<P, R>[]): Promise<void> {
    try {
      const params = asked.map((each) => each.params);
      const found = await this.#sql.allOf(this.#bulk, params);
      for (const [at, { resolve }] of asked.entries()) resolve(found[at] ?? []);
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
    this.#underWay -= 1;
    this.#askMore();
  }
}

/** PostgreSQL's type of a value. */
type ArrayType = "text" | "bigint" | "double precision";

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
