/** Deliveries in the store: the attempts made, and the pending retries. */
import { type DeliveryRow, one, type Sql, statement, type Transaction } from "../store/index.ts";
import { LISTED, type ListedDelivery } from "./webhook-resource.ts";

type Of = { eco: string; webhook: string };
/** Sorts after every ID. */
const PAST_ALL = "~";

type Page = Of & { after: string; limit: number };

const pageOf = statement<Page>("deliveries_of_webhook")((db, p) =>
  db
    .selectFrom("deliveries")
    .select(LISTED)
    .where("ecosystem_id", "=", p.eco)
    .where("webhook_id", "=", p.webhook)
    .where("id", ">", p.after)
    .orderBy("id")
    .limit(p.limit),
);
const newestOf = statement<Of & { before: string; limit: number }>("newest_deliveries_of_webhook")((db, p) =>
  db
    .selectFrom("deliveries")
    .select(LISTED)
    .where("ecosystem_id", "=", p.eco)
    .where("webhook_id", "=", p.webhook)
    .where("id", "<", p.before)
    .orderBy("id", "desc")
    .limit(p.limit),
);
const byId = statement<{ eco: string; id: string }>("delivery_by_id")((db, p) =>
  db.selectFrom("deliveries").selectAll().where("ecosystem_id", "=", p.eco).where("id", "=", p.id),
);
const dueOf = statement<Of & { now: number; limit: number }>("due_deliveries")((db, p) =>
  db
    .selectFrom("deliveries")
    .selectAll()
    .where("ecosystem_id", "=", p.eco)
    .where("webhook_id", "=", p.webhook)
    .where("next_attempt_at", "<=", p.now)
    .orderBy("next_attempt_at")
    .limit(p.limit),
);
const nextDueOf = statement<Of & { now: number }>("next_due_delivery")((db, p) =>
  db
    .selectFrom("deliveries")
    .select("next_attempt_at")
    .where("ecosystem_id", "=", p.eco)
    .where("webhook_id", "=", p.webhook)
    .where("next_attempt_at", ">", p.now)
    .orderBy("next_attempt_at")
    .limit(1),
);
const recordedPast = statement<Of & { cursor: string; position: number }>("recorded_past_cursor")((db, p) =>
  db
    .selectFrom("deliveries")
    .select("sequence")
    .where("ecosystem_id", "=", p.eco)
    .where("webhook_id", "=", p.webhook)
    .where("cursor", "=", p.cursor)
    .where("cursor", "is not", null)
    .where("sequence", ">", p.position),
);
const fail = statement<Of & { why: string }>("fail_pending_deliveries")((db, p) =>
  db
    .updateTable("deliveries")
    .set({ state: "failed", next_attempt_at: null, error: p.why })
    .where("ecosystem_id", "=", p.eco)
    .where("webhook_id", "=", p.webhook)
    .where("next_attempt_at", "is not", null),
);

type Row = { [K in keyof DeliveryRow]: DeliveryRow[K] };
/** Does nothing if the cursor has a delivery for the sequence already: another process was quicker. */
const insert = statement<Row>("insert_delivery")((db, p) =>
  db
    .insertInto("deliveries")
    .values({
      ecosystem_id: p.ecosystem_id,
      id: p.id,
      webhook_id: p.webhook_id,
      event_id: p.event_id,
      type: p.type,
      cursor: p.cursor,
      sequence: p.sequence,
      body: p.body,
      attempt: p.attempt,
      state: p.state,
      created_at: p.created_at,
      next_attempt_at: p.next_attempt_at,
      attempted_at: p.attempted_at,
      duration_ms: p.duration_ms,
      response_status: p.response_status,
      error: p.error,
      response: p.response,
      attempt_error: p.attempt_error,
      earlier_attempts: p.earlier_attempts,
    })
    .onConflict((conflict) => conflict.doNothing()),
);
type Attempted = Pick<
  Row,
  | "ecosystem_id"
  | "id"
  | "attempt"
  | "state"
  | "next_attempt_at"
  | "attempted_at"
  | "duration_ms"
  | "response_status"
  | "error"
  | "response"
  | "attempt_error"
  | "earlier_attempts"
>;
/** Does nothing if another attempt was stored meanwhile. */
const update = statement<Attempted & { before: number }>("update_delivery")((db, p) =>
  db
    .updateTable("deliveries")
    .set({
      attempt: p.attempt,
      state: p.state,
      next_attempt_at: p.next_attempt_at,
      attempted_at: p.attempted_at,
      duration_ms: p.duration_ms,
      response_status: p.response_status,
      error: p.error,
      response: p.response,
      attempt_error: p.attempt_error,
      earlier_attempts: p.earlier_attempts,
    })
    .where("ecosystem_id", "=", p.ecosystem_id)
    .where("id", "=", p.id)
    .where("attempt", "=", p.before),
);

/** A page of a webhook's deliveries. */
export interface ListedPart {
  /** Begins after the delivery with this ID, in its order; "" at the start. */
  readonly after: string;
  readonly order: "oldest" | "newest";
  readonly limit: number;
}

export function findListed(
  sql: Sql,
  eco: string,
  webhook: string,
  { after, order, limit }: ListedPart,
): Promise<ListedDelivery[]> {
  return order === "newest"
    ? sql.all(newestOf, { eco, webhook, before: after || PAST_ALL, limit })
    : sql.all(pageOf, { eco, webhook, after, limit });
}

/** The deliveries with these IDs. */
export async function findDeliveries(sql: Sql, eco: string, ids: readonly string[]): Promise<ListedDelivery[]> {
  if (ids.length === 0) return [];
  return sql.query(
    sql.build.selectFrom("deliveries").select(LISTED).where("ecosystem_id", "=", eco).where("id", "in", ids),
  );
}

export function findDelivery(sql: Sql, eco: string, id: string): Promise<DeliveryRow | undefined> {
  return one(sql.all(byId, { eco, id }));
}

/** Retries that are due, the longest overdue first. */
export function dueDeliveries(
  sql: Sql,
  eco: string,
  webhook: string,
  now: number,
  limit: number,
): Promise<DeliveryRow[]> {
  return sql.all(dueOf, { eco, webhook, now, limit });
}

/** When the next retry that is not due yet becomes due; undefined when there is none. */
export async function nextDue(sql: Sql, eco: string, webhook: string, now: number): Promise<number | undefined> {
  return (await one(sql.all(nextDueOf, { eco, webhook, now })))?.next_attempt_at ?? undefined;
}

/** Sequences behind a cursor's position that have a row already. */
export async function recordedSequences(
  sql: Sql,
  eco: string,
  webhook: string,
  cursor: string,
  position: number,
): Promise<number[]> {
  return (await sql.all(recordedPast, { eco, webhook, cursor, position })).map(({ sequence }) => sequence);
}

/** Drops pending retries. */
export async function failPending(tx: Transaction, eco: string, webhook: string, why: string): Promise<void> {
  await tx.run(fail, { eco, webhook, why });
}

export async function insertDelivery(tx: Transaction, row: DeliveryRow): Promise<void> {
  await tx.run(insert, { ...row });
}

/** Stores a further attempt. */
export async function updateDelivery(tx: Transaction, row: DeliveryRow): Promise<void> {
  const { ecosystem_id, id, attempt, state, next_attempt_at } = row;
  const { attempted_at, duration_ms, response_status, error, response, attempt_error, earlier_attempts } = row;
  const about = { attempted_at, duration_ms, response_status, error, response, attempt_error, earlier_attempts };
  await tx.run(update, { ecosystem_id, id, attempt, before: attempt - 1, state, next_attempt_at, ...about });
}
