/** What reaches the database, statement by statement: seen at the drivers, so that nothing that the service asks goes unseen. */
import Sqlite from "better-sqlite3";
import pg from "pg";

/** What a driver has for a method: here only its text is of interest. */
type Method = (this: unknown, ...args: unknown[]) => unknown;

export class Statements implements Disposable {
  #seen: string[] | undefined;
  readonly #mend: (() => void)[] = [];

  constructor() {
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

  [Symbol.dispose](): void {
    for (const mend of this.#mend) mend();
  }

  #watch(on: object, name: string, textOf: (self: unknown, args: readonly unknown[]) => unknown): void {
    const original: Method = Reflect.get(on, name);
    const tell = (text: unknown) => this.#seen?.push(String(text));
    Reflect.set(on, name, function watched(this: unknown, ...args: unknown[]) {
      tell(textOf(this, args));
      return original.apply(this, args);
    });
    this.#mend.push(() => Reflect.set(on, name, original));
  }
}

/** Whether one of the statements may change a row. */
export function mayWrite(statements: readonly string[]): boolean {
  return statements.some((text) => /\b(insert|update|delete)\b/i.test(text));
}
