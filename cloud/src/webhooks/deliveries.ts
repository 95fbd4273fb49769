/** Deliveries: list and read them, and send on request a test, an event again, or a range again. */
import {
  formatTime,
  parseTime,
  type ReplayRequest,
  type WebhookDelivery,
  type WebhookDeliveryDetails,
  type WebhookTest,
} from "@porchlight/shared/api";
import type { IdMaker } from "@porchlight/shared/kernel";
import { bodyInvalid } from "@porchlight/shared/rest";
import { audit, type References, referenceNotFound } from "../access/index.ts";
import { event, sequenceAt } from "../events/index.ts";
import type { DeliveryRow, Store, Transaction, WebhookRow } from "../store/index.ts";
import { findDelivery, findListed, insertDelivery, type ListedPart } from "./delivery-store.ts";
import { exampleData } from "./example-events.ts";
import { countWanted } from "./replay.ts";
import {
  deliveryDetails,
  deliveryResource,
  type ListedDelivery,
  patternsOf,
  webhookResource,
} from "./webhook-resource.ts";
import { insertCursor, livingWebhook, newestSequence } from "./webhook-store.ts";
import type { Sender, WebhookCaller } from "./webhooks.ts";

export interface DeliveriesDeps {
  readonly store: Store;
  readonly references: References;
  readonly ids: IdMaker;
  readonly sender: Sender;
}

export class Deliveries {
  readonly #deps: DeliveriesDeps;

  constructor(deps: DeliveriesDeps) {
    this.#deps = deps;
  }

  /** @throws those of the webhook's reference */
  async list(caller: WebhookCaller, webhook: string, part: ListedPart): Promise<ListedDelivery[]> {
    const { store, references } = this.#deps;
    const { ecosystemId: eco, id } = await references.resolve(caller, "whk", webhook);
    return findListed(store.of(eco).sql, eco, id, part);
  }

  /** A delivery with its request and response. @throws those of the references */
  async get(caller: WebhookCaller, webhook: string, delivery: string): Promise<WebhookDeliveryDetails> {
    return deliveryDetails(await this.#find(caller, webhook, delivery));
  }

  /**
   * Sends a `webhook.test`, even if the webhook does not subscribe to it or is disabled: one attempt. With a type it
   * sends an example of that type, marked as a test. The log has a `webhook.test` in either case, because nothing else
   * has occurred.
   * @throws "Body Parameters Invalid" for an unknown type, and those of the reference
   */
  async test(
    caller: WebhookCaller,
    webhook: string,
    { type }: WebhookTest = {},
  ): Promise<{ readonly webhookId: string; readonly delivery: WebhookDelivery }> {
    const { store, references, ids } = this.#deps;
    const { ecosystemId: eco, id } = await references.resolve(caller, "whk", webhook);
    const [deliveryId, eventId] = [ids.next("dlv"), ids.next("evt")];
    const made = await store.write(eco, async (tx) => {
      const row = await livingWebhook(tx, eco, id);
      const data = webhookResource(row);
      const environmentId = row.environment_id ?? undefined;
      // The job is alone in its ecosystem: the number of its event is known.
      const sequence = (await newestSequence(tx, eco)) + 1;
      tx.append({ ...event("webhook.test", environmentId, data), id: eventId });
      const createdAt = formatTime(tx.now());
      const place = { ecosystemId: eco, ...(environmentId && { environmentId }) };
      const content = type === undefined ? { type: "webhook.test", data } : exampleOf(type, place, tx.now(), data);
      const body = JSON.stringify({ id: eventId, sequence, createdAt, ...place, ...content });
      const asked = { id: deliveryId, eventId, type: "webhook.test", sequence, body };
      const delivery = await this.#ask(tx, row, asked);
      await audit(tx, caller, "webhook.tested", id, { type });
      return delivery;
    });
    return { webhookId: id, delivery: deliveryResource(made) };
  }

  /** Sends an event again under its own ID. @throws those of the references */
  async redeliver(
    caller: WebhookCaller,
    webhook: string,
    delivery: string,
  ): Promise<{ readonly webhookId: string; readonly delivery: WebhookDelivery }> {
    const { store, ids } = this.#deps;
    const found = await this.#find(caller, webhook, delivery);
    const { ecosystem_id: eco, webhook_id: webhookId, event_id: eventId, type, sequence, body } = found;
    const id = ids.next("dlv");
    const made = await store.write(eco, async (tx) => {
      const row = await livingWebhook(tx, eco, webhookId);
      const again = await this.#ask(tx, row, { id, eventId, type, sequence, body });
      await audit(tx, caller, "webhook.redelivered", webhookId, { deliveryId: found.id });
      return again;
    });
    return { webhookId, delivery: deliveryResource(made) };
  }

  /**
   * Sends the stored events of a period again; a disabled webhook gets them when it is enabled.
   * @returns number of events
   * @throws "Body Parameters Invalid", and those of the reference
   */
  async replay(caller: WebhookCaller, webhook: string, given: ReplayRequest): Promise<number> {
    const { store, references, ids, sender } = this.#deps;
    const since = readTime("since", given.since);
    const until = given.until === undefined ? undefined : readTime("until", given.until);
    const { ecosystemId: eco, id } = await references.resolve(caller, "whk", webhook);
    const { sql } = store.of(eco);
    const row = await livingWebhook(sql, eco, id);
    const first = await sequenceAt(sql, eco, since);
    const last = (await sequenceAt(sql, eco, until ?? Number.MAX_SAFE_INTEGER)) - 1;
    const wanted = { patterns: patternsOf(row), environmentId: row.environment_id };
    const count = await countWanted(sql, eco, wanted, first, last);
    const replay = ids.next("dlv");
    await store.write(eco, async (tx) => {
      await livingWebhook(tx, eco, id);
      if (count > 0)
        await insertCursor(tx, { ecosystem_id: eco, webhook_id: id, id: replay, position: first - 1, until: last });
      await audit(tx, caller, "webhook.replayed", id, { since: given.since, until: given.until, count });
      await sender.changed(tx, eco, id);
    });
    return count;
  }

  /** A delivery of that webhook. */
  async #find(caller: WebhookCaller, webhook: string, delivery: string): Promise<DeliveryRow> {
    const { store, references } = this.#deps;
    const { ecosystemId: eco, id } = await references.resolve(caller, "whk", webhook);
    const target = await references.resolve(caller, "dlv", delivery);
    const row = target.ecosystemId === eco ? await findDelivery(store.of(eco).sql, eco, target.id) : undefined;
    if (!row || row.webhook_id !== id) throw referenceNotFound("dlv");
    return row;
  }

  /** Queues a delivery to be sent at once, independent of other events of the webhook. */
  async #ask(
    tx: Transaction,
    { ecosystem_id, id: webhook_id }: WebhookRow,
    asked: {
      readonly id: string;
      readonly eventId: string;
      readonly type: string;
      readonly sequence: number;
      readonly body: string;
    },
  ): Promise<DeliveryRow> {
    const { id, eventId, type, sequence, body } = asked;
    const now = tx.now();
    const row: DeliveryRow = {
      ...{ ecosystem_id, id, webhook_id, event_id: eventId, type, cursor: null, sequence, body },
      ...{ attempt: 0, state: "pending", created_at: now, next_attempt_at: now },
      ...{ attempted_at: null, duration_ms: null, response_status: null, error: null, response: null },
      ...{ attempt_error: null, earlier_attempts: null },
    };
    await insertDelivery(tx, row);
    await this.#deps.sender.changed(tx, ecosystem_id, webhook_id);
    return row;
  }
}

/** @throws "Body Parameters Invalid" */
function exampleOf(
  type: string,
  place: { readonly ecosystemId: string; readonly environmentId?: string | undefined },
  now: number,
  webhook: object,
) {
  const { ecosystemId, environmentId } = place;
  const data = exampleData(type, { ecosystemId, environmentId, now }, webhook);
  if (data !== undefined) return { type, test: true, data };
  throw bodyInvalid([{ pointer: "/type", message: "is not an event type, such as device.online" }]);
}

/** Wall clock, ms. @throws "Body Parameters Invalid" */
function readTime(name: string, text: string): number {
  const time = parseTime(text);
  if (time === undefined)
    throw bodyInvalid([{ pointer: `/${name}`, message: "must be a time such as 2026-11-05 14:03:07Z" }]);
  return time;
}
