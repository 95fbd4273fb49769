/** The job that stores attempts: rows, positions, and the state of the endpoint, in one transaction for many attempts. */
import { isNamed, type Log } from "@porchlight/shared/kernel";
import { durationWords, SERVICE_TIMES } from "@porchlight/shared/presentation";
import { audit } from "../../access/index.ts";
import { event } from "../../events/index.ts";
import {
  type DeliveryRow,
  type JobKind,
  one,
  statement,
  type Transaction,
  type WebhookRow,
} from "../../store/index.ts";
import { failPending, insertDelivery, updateDelivery } from "../delivery-store.ts";
import { afterAttempt, type DisableReason, errorOf, standingAfter } from "../schedule.ts";
import type { Claims } from "../shared-claims.ts";
import { attemptsOf, earlierText, webhookResource } from "../webhook-resource.ts";
import type { Sent } from "../webhook-sender.ts";
import { changeWebhook, findLivingWebhook } from "../webhook-store.ts";
import { isRepeated, type Task } from "./task-queue.ts";

/** An attempt that has ended. */
export interface Attempt {
  readonly task: Task;
  readonly sent: Sent;
  /** ID of the delivery; a first attempt has a new one. */
  readonly id: string;
  /** Wall clock, ms. */
  readonly beganAt: number;
  readonly endedAt: number;
  /** In [0, 1): for the jitter. */
  readonly fraction: number;
}

export interface CursorPosition {
  readonly id: string;
  readonly position: number;
  readonly isOver: boolean;
}

export interface RecordedAttempt {
  readonly ecosystemId: string;
  readonly webhookId: string;
  /** The name under which this node held the webhook when it was read. */
  readonly holder: string;
  /** In the order in which they ended. */
  readonly attempts: readonly Attempt[];
  readonly positions: readonly CursorPosition[];
}

export interface MailOutbox {
  /** Sends an email to the account's own address, if that is verified. @throws "Service Unavailable" */
  notify(tx: Transaction, accountId: string, letter: DisabledText): Promise<boolean>;
}

export interface RecordingDeps {
  readonly claims: Pick<Claims, "stands">;
  readonly outbox: MailOutbox;
  readonly serviceUrl: () => string;
  readonly log: Log;
}

type At = { eco: string; webhook: string; id: string; position: number };
const moveCursor = statement<At>("move_webhook_cursor")((db, p) =>
  db
    .updateTable("webhook_cursors")
    .set({ position: p.position })
    .where("ecosystem_id", "=", p.eco)
    .where("webhook_id", "=", p.webhook)
    .where("id", "=", p.id)
    .where("position", "<", p.position),
);
const endCursor = statement<Omit<At, "position">>("end_webhook_cursor")((db, p) =>
  db
    .deleteFrom("webhook_cursors")
    .where("ecosystem_id", "=", p.eco)
    .where("webhook_id", "=", p.webhook)
    .where("id", "=", p.id),
);
const ownerOf = statement<{ eco: string }>("owner_of_webhook")((db, p) =>
  db.selectFrom("ecosystems").select("account_id").where("id", "=", p.eco),
);

/** Jobs that store results of an ecosystem's webhooks; concurrent ones, also of several ecosystems, are batched. */
export function recordings(deps: RecordingDeps): JobKind<readonly RecordedAttempt[], void> {
  return {
    async together(_sql, jobs) {
      const recorded = await Promise.allSettled(jobs.map(({ tx, input }) => record(tx, deps, input)));
      // A failed record may have been stored in part.
      for (const result of recorded) if (result.status === "rejected") throw result.reason;
      return recorded;
    },
  };
}

/** Stores the attempts of all webhooks in one go, then the consequences for each webhook one after another. */
async function record(tx: Transaction, deps: RecordingDeps, records: readonly RecordedAttempt[]): Promise<void> {
  const followed = await Promise.allSettled(records.map((each) => recordAttempts(tx, deps, each)));
  for (const result of followed) {
    if (result.status === "rejected") throw result.reason;
    await result.value?.();
  }
}

/**
 * Returns the remaining work. Nothing is stored for a webhook that is deleted, or is another node's: that node
 * continues from the stored state.
 */
async function recordAttempts(
  tx: Transaction,
  deps: RecordingDeps,
  { ecosystemId: eco, webhookId, holder, ...made }: RecordedAttempt,
): Promise<(() => Promise<void>) | undefined> {
  const [stands, row] = await Promise.all([
    deps.claims.stands(tx, webhookId, holder),
    findLivingWebhook(tx, eco, webhookId),
  ]);
  if (!stands || !row) return undefined;
  let { failing_since: failingSince } = row;
  let disable: DisableReason | undefined;
  const stored = made.attempts.map((attempt) => {
    const standing = standingAfter(attempt.sent.outcome, failingSince, attempt.endedAt);
    failingSince = standing.failingSince;
    disable ??= standing.disable;
    return storeAttempt(tx, row, attempt, disable === undefined);
  });
  const moved = made.positions.map(({ id, position, isOver }) =>
    isOver
      ? tx.run(endCursor, { eco, webhook: webhookId, id })
      : tx.run(moveCursor, { eco, webhook: webhookId, id, position }),
  );
  await Promise.all([...stored, ...moved]);
  const changed = { ...row, failing_since: failingSince };
  return async () => {
    if (disable !== undefined && row.disabled === 0) await disableWebhook(tx, deps, changed, disable);
    else if (failingSince !== row.failing_since) await changeWebhook(tx, changed);
  };
}

async function storeAttempt(tx: Transaction, webhook: WebhookRow, made: Attempt, isEnabled: boolean): Promise<void> {
  const { task, sent, id, beganAt, endedAt, fraction } = made;
  const { outcome, durationMs, response } = sent;
  const attempt = (task.row?.attempt ?? 0) + 1;
  const repeats = isEnabled && webhook.disabled === 0 && isRepeated(task);
  const next = afterAttempt({ outcome, attempt, now: endedAt, fraction, repeats });
  const row: DeliveryRow = {
    ecosystem_id: webhook.ecosystem_id,
    id,
    webhook_id: webhook.id,
    event_id: task.eventId,
    type: task.type,
    cursor: task.cursor ?? null,
    sequence: task.sequence,
    body: task.body,
    attempt,
    state: next.state,
    created_at: task.row?.created_at ?? beganAt,
    next_attempt_at: next.state === "pending" ? next.at : null,
    attempted_at: beganAt,
    duration_ms: durationMs,
    response_status: outcome.kind === "answered" ? outcome.status : null,
    error: errorOf(outcome) ?? null,
    response: response ? JSON.stringify(response) : null,
    attempt_error: errorOf(outcome) ?? null,
    earlier_attempts: task.row ? earlierText(attemptsOf(task.row)) : null,
  };
  await (task.row ? updateDelivery(tx, row) : insertDelivery(tx, row));
}

async function disableWebhook(
  tx: Transaction,
  { outbox, serviceUrl, log }: RecordingDeps,
  row: WebhookRow,
  why: DisableReason,
): Promise<void> {
  const disabled = { ...row, disabled: 1 };
  await changeWebhook(tx, disabled);
  await failPending(tx, row.ecosystem_id, row.id, "the webhook was disabled");
  tx.append(event("webhook.disabled", row.environment_id ?? undefined, webhookResource(disabled)));
  await audit(tx, { kind: "service" }, "webhook.disabled", row.id, { reason: why });
  const owner = await one(tx.all(ownerOf, { eco: row.ecosystem_id }));
  if (!owner) return;
  try {
    await outbox.notify(tx, owner.account_id, disabledEmail(serviceUrl(), row, why));
  } catch (error) {
    // The event reports it too: a full email queue is no reason to lose the attempts.
    if (!isNamed(error, "Service Unavailable")) throw error;
    log.warn({ error, webhook: row.id }, "the email about a disabled webhook could not be queued");
  }
}

/** Plain text under a subject line. */
interface DisabledText {
  readonly subject: string;
  readonly text: string;
}

const WHY: Readonly<Record<DisableReason, string>> = {
  gone: "It answered 410 Gone, which means that it wants no more deliveries.",
  failing: `No delivery to it has succeeded for ${durationWords(SERVICE_TIMES.webhookGiveUp)}.`,
};

/**
 * The email to an account whose webhook was disabled: without it the account would not notice the missing events.
 * @param url the service's address, without `/api`
 */
function disabledEmail(
  url: string,
  row: Pick<WebhookRow, "id" | "url" | "ecosystem_id">,
  why: DisableReason,
): DisabledText {
  // The part after the path may contain a secret of the receiver.
  const { origin, pathname } = new URL(row.url);
  const text = `A webhook has been disabled at
${url}

webhook: ${row.id}
receiver: ${origin}${pathname}
ecosystem: ${row.ecosystem_id}

${WHY[why]}
It is sent no more events. When the receiver works again, enable the
webhook (PUT /api/webhooks/${row.id}
with {"disabled": false}), and send what was missed with
POST /api/webhooks/${row.id}/replay.
`;
  return { subject: "A webhook has been disabled", text };
}
