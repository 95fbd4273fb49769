/** The questions of this room that belong to no ecosystem: letters that are due. */
import { type LetterRow, type Store, statement } from "../store/index.ts";

const lettersDue = statement<{ now: number; limit: number }>("letters_due")((db, p) =>
  db.selectFrom("letters").selectAll().where("next_at", "<=", p.now).orderBy("next_at").orderBy("id").limit(p.limit),
);

/** The letters that have waited longest past their time. */
export function findLettersDue(store: Store, now: number, limit: number): Promise<LetterRow[]> {
  return store.service.all(lettersDue, { now, limit });
}
