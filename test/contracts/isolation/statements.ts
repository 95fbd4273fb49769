/** What reaches the database, statement by statement: seen at the drivers, so that nothing that the service asks goes unseen. */
import Sqlite from "better-sqlite3";
import pg from "pg";

/** What a driver has for a method: here only its text is of interest. */
type Method = (this: unknown, ...args: unknown[]) => unknown;

export class Statements implements Disposable {
  #seen: string[] | undefined;
  readonly #ofUse: readonly string[];
  #hasWritten = true;
  readonly #mend: (() => void)[] = [];

  /** @param ofUse tables that may be written to at any time */
  constructor(ofUse: readonly string[]) {
    this.#ofUse = ofUse;
    const database = new Sqlite(":memory:");
    const ofStatements: object = Object.getPrototypeOf(database.prepare("select 1"));
    database.close();
    for (const name of ["all", "run", "get", "iterate"])
      this.#watch(ofStatements, name, (statement) => Reflect.get(Object(statement), "source"));
    this.#watch(pg.Client.prototype, "query", (_client, [query]) =>
      typeof query === "string" ? query : Reflect.get(Object(query), "text"),
    );
  }

  /** What `work` gives, and the SQL that was run until then, in its order. One at a time. */
  async during<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly statements: readonly string[] }> {
    const statements: string[] = [];
    this.#seen = statements;
    try {
      return { result: await work(), statements };
    } finally {
      this.#seen = undefined;
    }
  }

  /** Whether a row may have been changed since it was last asked, by whom ever. */
  takeWritten(): boolean {
    const hasWritten = this.#hasWritten;
    this.#hasWritten = false;
    return hasWritten;
  }

  [Symbol.dispose](): void {
    for (const mend of this.#mend) mend();
  }

  #watch(on: object, name: string, textOf: (self: unknown, args: readonly unknown[]) => unknown): void {
    const original: Method = Reflect.get(on, name);
    const record = (text: unknown) => {
      this.#seen?.push(String(text));
      this.#hasWritten ||= mayWrite([String(text)], this.#ofUse);
    };
    Reflect.set(on, name, function watched(this: unknown, ...args: unknown[]) {
      record(textOf(this, args));
      return original.apply(this, args);
    });
    this.#mend.push(() => Reflect.set(on, name, original));
  }
}

/** What a statement writes to: `for update` and `do update set`, which write to nothing of that name, count too. */
const WRITES =
  /\b(?:insert\s+(?:or\s+\w+\s+)?into|replace\s+into|update|delete\s+from|truncate(?:\s+table)?)\s+"?(\w+)/gi;

/** Whether one of the statements may change a row. @param but tables that do not count */
export function mayWrite(statements: readonly string[], but: readonly string[]): boolean {
  return statements.some((text) =>
    [...text.matchAll(WRITES)].some(([, table = ""]) => table !== "set" && !but.includes(table)),
  );
}
