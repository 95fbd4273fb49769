/**
 * Packs many rows of a query into one: PostgreSQL's driver takes longer for a row than the server, so that rows of
 * numbers are read faster when the server joins them into one text. On SQLite rows stay rows.
 */
import type { Sql } from "./sql.ts";
import { type Bound, BUILDERS, inDialects, type Statement } from "./statement.ts";

type Params = Readonly<Record<string, Bound>>;

/**
 * Unpacks a row.
 * @param numbers of all rows, in the order of their columns; those of this row begin at `from`
 * @param texts of all rows, by column; those of this row are at `row`
 */
export type Unpack<R> = (
  numbers: readonly (number | null)[],
  from: number,
  texts: readonly (readonly (string | null)[])[],
  row: number,
) => R;

export interface Packed<P extends Params, R> {
  readonly rows: Statement<P, R>;
  readonly numbers: readonly (keyof R & string)[];
  readonly texts: readonly (keyof R & string)[];
  /** The columns that may be null. */
  readonly nullable: readonly (keyof R & string)[];
  readonly unpack: Unpack<R>;
  /** All rows packed into one; each text column stays a column, and all numbers share one. */
  readonly whole: Statement<P, Whole>;
}

type Whole = Readonly<Record<string, string | null>>;

/** Separates texts, and marks a nullable text that is not null: JSON never contains this character, and only JSON is packed. */
const END = "\u001e";
const IS_TEXT = "\u001f";

/** @param rows an ordered query; its texts are JSON */
export function packedRows<P extends Params, R>(
  rows: Statement<P, R>,
  columns: Pick<Packed<P, R>, "numbers" | "texts" | "nullable">,
  unpack: Unpack<R>,
): Packed<P, R> {
  const { numbers, texts, nullable } = columns;
  const number = (name: keyof R & string) =>
    nullable.includes(name) ? `coalesce("${name}"::text, 'null')` : `"${name}"`;
  const text = (name: keyof R & string) =>
    nullable.includes(name) ? `coalesce('${IS_TEXT}' || "${name}", '')` : `"${name}"`;
  const packs = [
    `'[' || string_agg(concat_ws(',', ${numbers.map(number).join(", ")}), ',') || ']' as "numbers"`,
    ...texts.map((name) => `string_agg(${text(name)}, '${END}') as "${name}"`),
  ];
  const whole = inDialects(
    `${rows.name}_packed`,
    () => rows.sqlite,
    () => ({ ...rows.postgres, sql: `select ${packs.join(", ")} from (${rows.postgres.sql}) as one_by_one` }),
  );
  return { rows, ...columns, unpack, whole };
}

/** All rows of a packed query, in its order. */
export async function allPacked<P extends Params, R>(sql: Sql, question: Packed<P, R>, params: P): Promise<R[]> {
  if (sql.build !== BUILDERS.postgres) return sql.all(question.rows, params);
  const [whole] = await sql.all(question.whole, params);
  return whole ? unpacked(whole, question) : [];
}

function unpacked<P extends Params, R>(whole: Whole, { numbers: columns, texts, nullable, unpack }: Packed<P, R>): R[] {
  if (typeof whole.numbers !== "string") return [];
  const numbers = numbersOf(whole.numbers);
  const unpacked = texts.map((name) => {
    const each = (whole[name] ?? "").split(END);
    return nullable.includes(name) ? each.map(textOf) : each;
  });
  const rows: R[] = [];
  for (let row = 0, from = 0; from < numbers.length; row++, from += columns.length)
    rows.push(unpack(numbers, from, unpacked, row));
  return rows;
}

function textOf(text: string): string | null {
  return text === "" ? null : text.slice(1);
}

/** Parses the numbers as the server writes them: JSON, except for values that JSON has no number for. */
function numbersOf(text: string): (number | null)[] {
  const isPlain = !/[IN]/.test(text);
  return JSON.parse(isPlain ? text : text.replaceAll("Infinity", "1e999").replaceAll("NaN", "null"));
}
