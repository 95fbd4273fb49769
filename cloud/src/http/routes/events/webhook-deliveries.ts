/** `/api/webhooks/:id/deliveries`, tests and replays: the state of past deliveries, and deliveries on request. */
import {
  page,
  replayAnswer,
  replayRequest,
  webhookDelivery,
  webhookDeliveryDetails,
  webhookTest,
} from "@porchlight/shared/api";
import type { ErrorName } from "@porchlight/shared/kernel";
import { type Deliveries, deliveryResource } from "../../../webhooks/index.ts";
import { bodyOf } from "../../routing/body-rules.ts";
import type { PagePart, Pager } from "../../routing/page.ts";
import { PAGING } from "../../routing/query.ts";
import { A_S, type Answer, defineRoute, ok, type Route } from "../../routing/route.ts";

const PATH = "/api/webhooks/:id";
const WEBHOOK: readonly ErrorName[] = ["Webhook Invalid", "Webhook Not Found"];
const DELIVERY: readonly ErrorName[] = [...WEBHOOK, "Delivery Invalid", "Delivery Not Found"];

export function webhookDeliveryRoutes(deps: { deliveries: Deliveries; pager: Pager }): Route[] {
  const { deliveries, pager } = deps;
  return [
    defineRoute({
      method: "POST",
      whenFull: "refused",
      path: `${PATH}/test`,
      operationId: "testWebhook",
      tag: "webhooks",
      summary: "Send a test event to a webhook, or an example of an event type",
      tokens: A_S,
      takesIdempotencyKey: true,
      body: bodyOf(webhookTest, { optional: true }),
      answers: { 202: webhookDelivery },
      location: 202,
      errors: WEBHOOK,
      handle: async (call) => accepted(await deliveries.test(call.caller, call.params.id, call.body)),
    }),
    defineRoute({
      method: "GET",
      path: `${PATH}/deliveries`,
      operationId: "listWebhookDeliveries",
      tag: "webhooks",
      summary: "List the deliveries of a webhook",
      tokens: A_S,
      query: [...PAGING, "order"],
      answers: { 200: page(webhookDelivery) },
      errors: [...WEBHOOK, "Query Parameter Invalid"],
      handle: async (call) => {
        const asked = pager.read(call);
        const list = (part: PagePart) => deliveries.list(call.caller, call.params.id, part);
        return pager.answer(asked, list, deliveryResource);
      },
    }),
    defineRoute({
      method: "GET",
      path: `${PATH}/deliveries/:deliveryId`,
      operationId: "getWebhookDelivery",
      tag: "webhooks",
      summary: "Show a delivery with its request and response",
      tokens: A_S,
      answers: { 200: webhookDeliveryDetails },
      errors: DELIVERY,
      handle: async (call) => ok(await deliveries.get(call.caller, call.params.id, call.params.deliveryId)),
    }),
    defineRoute({
      method: "POST",
      whenFull: "refused",
      path: `${PATH}/deliveries/:deliveryId/redeliver`,
      operationId: "redeliverWebhookDelivery",
      tag: "webhooks",
      summary: "Send a delivery again",
      tokens: A_S,
      takesIdempotencyKey: true,
      answers: { 202: webhookDelivery },
      location: 202,
      errors: DELIVERY,
      handle: async (call) => accepted(await deliveries.redeliver(call.caller, call.params.id, call.params.deliveryId)),
    }),
    defineRoute({
      method: "POST",
      whenFull: "refused",
      path: `${PATH}/replay`,
      operationId: "createWebhookReplay",
      tag: "webhooks",
      summary: "Send the events of a period again",
      tokens: A_S,
      takesIdempotencyKey: true,
      body: bodyOf(replayRequest),
      answers: { 202: replayAnswer },
      errors: WEBHOOK,
      handle: async (call) => {
        const count = await deliveries.replay(call.caller, call.params.id, call.body);
        return { status: 202, body: { count } };
      },
    }),
  ];
}

/** 202 with the `location` of the delivery's state. */
function accepted({ webhookId, delivery }: Awaited<ReturnType<Deliveries["test"]>>): Answer {
  const location = `/api/webhooks/${webhookId}/deliveries/${delivery.id}`;
  return { status: 202, body: delivery, headers: { location } };
}
