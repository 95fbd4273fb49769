/** This module's queries outside ecosystems: emails that are due. */
import { type EmailRow, type Store, statement } from "../store/index.ts";

/** An email claimed by a living node stays that node's; one claimed by a dead node is due. */
const lettersDue = statement<{ node: string; now: number; limit: number }>("letters_due")((db, p) =>
  db
    .selectFrom("letters")
    .selectAll()
    .where((of) =>
      of.or([
        of.and([of("next_at", "<=", p.now), of.or([of("claimed_by", "is", null), of("claimed_by", "=", p.node)])]),
        of.and([
          of("claimed_by", "is not", null),
          of.not(of.exists(of.selectFrom("nodes").select("nodes.id").whereRef("nodes.id", "=", "letters.claimed_by"))),
        ]),
      ]),
    )
    .orderBy("next_at")
    .orderBy("id")
    .limit(p.limit),
);

/** The emails that this node may send now, the longest overdue first. @param now wall clock, ms */
export function findEmailsDue(store: Store, now: number, limit: number): Promise<EmailRow[]> {
  return store.service.all(lettersDue, { node: store.nodeId, now, limit });
}
