/** The least that durability costs: rows that wait together share one committed transaction. */
import Sqlite from "better-sqlite3";

export class GroupCommit {
  readonly #db: Sqlite.Database;
  readonly #insert: Sqlite.Statement<[string]>;
  #waiting: { row: string; done: () => void }[] = [];

  constructor(path: string) {
    this.#db = new Sqlite(path);
    this.#db.pragma("journal_mode = WAL");
    this.#db.pragma("synchronous = FULL");
    this.#db.exec("create table if not exists rows (id integer primary key, row text not null)");
    this.#insert = this.#db.prepare<[string]>("insert into rows (row) values (?)");
  }

  /** Settles when the row is on the disk. */
  add(row: string): Promise<void> {
    return new Promise((done) => {
      if (this.#waiting.push({ row, done }) === 1) setImmediate(() => this.#flush());
    });
  }

  #flush(): void {
    const group = this.#waiting;
    this.#waiting = [];
    this.#db.exec("begin immediate");
    for (const { row } of group) this.#insert.run(row);
    this.#db.exec("commit");
    for (const { done } of group) done();
  }
}
