/** A connection to PostgreSQL while it is one transaction's: how it is known that it has gone, and why a statement was refused. */
import pg from "pg";
import { StoreAway } from "../sql/refusal.ts";

/** SQLSTATE of a statement in a transaction in which one before it has failed. */
const IN_FAILED = "25P02";

export interface Queryable {
  query(config: pg.QueryConfig): Promise<pg.QueryResult>;
}

/** A client in one's own hands. Nothing is asked of one that is gone: the answer would be waited for in vain. */
export class OwnClient implements Queryable {
  readonly #client: Listened;
  readonly #onError: (error: Error) => void;
  #gone: Error | undefined;
  /** What the newest statement was refused for, other than for one before it. */
  #refused: unknown;

  constructor(client: Listened, onLost: (error: Error) => void) {
    this.#client = client;
    this.#onError = (error) => {
      this.#gone ??= error;
      onLost(error);
    };
    // The pool listens to idle connections only; one that breaks in a transaction would end the process.
    client.on("error", this.#onError);
  }

  get isGone(): boolean {
    return this.#gone !== undefined;
  }

  /** Its pool listens again. */
  leave(): void {
    this.#client.off("error", this.#onError);
  }

  async query(config: pg.QueryConfig): Promise<pg.QueryResult> {
    if (this.#gone) throw new StoreAway(this.#gone);
    try {
      return await this.#client.query(config);
    } catch (error) {
      const state = sqlStateOf(error);
      if (state === undefined) this.#gone ??= error instanceof Error ? error : new Error(String(error));
      // In one pipelined batch every statement after a failed one fails with it: none may hide the reason.
      if (state !== IN_FAILED) this.#refused = error;
      throw this.#refused ?? error;
    }
  }
}

type Listened = Pick<pg.ClientBase, "query" | "on" | "off">;

/** What the server says of an error; undefined when it is none of the server's. */
export function sqlStateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? (error.code ?? "") : undefined;
}
