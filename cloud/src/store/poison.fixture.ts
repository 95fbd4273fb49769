/** A poison record for a loop of the cloud: a row that the database itself refuses to store, change or delete, on either store. */
import { type RawBuilder, sql } from "kysely";
import { BUILDERS } from "./sql/statement.ts";
import type { Store } from "./store.ts";

type Operation = "insert" | "update" | "delete";

/**
 * From now on the database refuses rows of a table.
 * @param when of `new`, or of `old` when rows are deleted, in SQL that both stores know
 * @returns how it ends, which must be before the database is given to another test
 */
export async function poison(
  store: Store,
  table: string,
  operation: Operation,
  when: RawBuilder<boolean>,
): Promise<AsyncDisposable> {
  const name = sql.raw(`poison_${table}_${operation}`);
  const [on, before] = [sql.table(table), sql.raw(`before ${operation} on`)];
  const run = (statement: RawBuilder<unknown>) =>
    store.writeService((tx) => tx.change({ compile: () => statement.compile(BUILDERS[store.dialect]) }));
  if (store.dialect === "sqlite") {
    await run(sql`create trigger ${name} ${before} ${on} when ${when} begin select raise(abort, 'poison'); end`);
    return { [Symbol.asyncDispose]: async () => void (await run(sql`drop trigger if exists ${name}`)) };
  }
  const kept = sql.raw(operation === "delete" ? "old" : "new");
  await run(sql`create or replace function ${name}() returns trigger language plpgsql as $$
    begin if ${when} then raise exception 'poison'; end if; return ${kept}; end $$`);
  await run(sql`create trigger ${name} ${before} ${on} for each row execute function ${name}()`);
  return { [Symbol.asyncDispose]: async () => void (await run(sql`drop function if exists ${name}() cascade`)) };
}
