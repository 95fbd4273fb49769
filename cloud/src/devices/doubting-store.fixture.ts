/** A store whose next commit is in doubt: it was made or not, and the caller does not learn which. */
import type { Store, Work } from "../store/index.ts";
import { CommitInDoubt } from "../store/sql/refusal.ts";

/** @param takes whether the commit is made */
export function doubtNext(store: Store, takes: boolean): Store {
  const write = async <T>(ecosystemId: string, work: Work<T>): Promise<T> => {
    Reflect.deleteProperty(store, "write");
    const rolledBack = new Error("rolled back");
    const made = store.write(ecosystemId, async (tx) => {
      const result = await work(tx);
      if (!takes) throw rolledBack;
      return result;
    });
    await made.catch((error: unknown) => {
      if (error !== rolledBack) throw error;
    });
    throw new CommitInDoubt(new Error("gone"));
  };
  return Object.assign(store, { write });
}
