/**
 * Combines concurrent reads of one statement: the first read starts at once, and those that arrive while the database
 * works share the next statement. A crowd so costs only a few statements, and no read waits for others to arrive.
 */
import type { Bulk } from "./bulk.ts";
import type { BulkReads } from "./sql.ts";
import type { Bound } from "./statement.ts";

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
