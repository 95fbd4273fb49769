/**
 * `/api/webhooks`: create, list, show, change and delete, and their deliveries. Both POST and PUT update: the specification (4.3)
 * shows both.
 */
import {
  createdWebhook,
  newWebhook,
  page,
  replayAnswer,
  replayRequest,
  webhook,
  webhookDelivery,
  webhookDeliveryDetails,
  webhookTest,
  webhookUpdate,
} from "@porchlight/shared/api";
import type { ErrorName } from "@porchlight/shared/kernel";
import { PAGING } from "@porchlight/shared/rest";
import { type Deliveries, deliveryResource, type Webhooks, webhookResource } from "../../../webhooks/index.ts";
import { bodyOf, requireUnchanged } from "../../routing/body-rules.ts";
import type { PagePart, Pager } from "../../routing/page.ts";
import { A_S, type Answer, created, defineRoute, done, ok, type Route } from "../../routing/route.ts";

const PATH = "/api/webhooks";

const UPDATES = [
  { method: "PUT", whenFull: "refused", operationId: "updateWebhook" },
  { method: "POST", whenFull: "refused", operationId: "updateWebhookByPost", takesIdempotencyKey: true },
] as const;

export function webhookRoutes(deps: { webhooks: Webhooks; pager: Pager }): Route[] {
  const { webhooks, pager } = deps;
  return [
    defineRoute({
      method: "GET",
      path: PATH,
      operationId: "listWebhooks",
      tag: "webhooks",
      summary: "List the webhooks",
      tokens: A_S,
      query: [...PAGING, "ecosystemId"],
      answers: { 200: page(webhook) },
      errors: ["Ecosystem Invalid", "Ecosystem Not Found"],
      handle: async (call) => {
        const asked = pager.read(call);
        const list = ({ after, limit }: PagePart) => webhooks.list(call.caller, call.query.ecosystemId, after, limit);
        return pager.answer(asked, list, ({ row, last }) => webhookResource(row, last));
      },
    }),
    defineRoute({
      method: "POST",
      whenFull: "refused",
      path: PATH,
      operationId: "createWebhook",
      tag: "webhooks",
      summary: "Register a webhook",
      tokens: A_S,
      needsVerifiedAddress: true,
      takesIdempotencyKey: true,
      body: bodyOf(newWebhook),
      answers: { 201: createdWebhook },
      location: 201,
      errors: [
        "Webhook Callback Missing",
        "Webhook Callback Invalid",
        "Webhook Events Invalid",
        "Environment Invalid",
        "Environment Not Found",
        "Ecosystem Missing",
        "Ecosystem Invalid",
        "Ecosystem Not Found",
      ],
      handle: async (call) => {
        const made = await webhooks.create(call.caller, call.body);
        return created(made, `${PATH}/${made.id}`);
      },
    }),
    defineRoute({
      method: "GET",
      path: `${PATH}/:id`,
      operationId: "getWebhook",
      tag: "webhooks",
      summary: "Show a webhook",
      tokens: A_S,
      answers: { 200: webhook },
      errors: ["Webhook Invalid", "Webhook Not Found"],
      handle: async (call) => ok(await webhooks.get(call.caller, call.params.id)),
    }),
    ...UPDATES.map((update) =>
      defineRoute({
        ...update,
        path: `${PATH}/:id`,
        tag: "webhooks",
        summary: "Change a webhook",
        tokens: A_S,
        body: bodyOf(webhookUpdate, {
          readOnly: ["id", "ecosystemId", "environmentId", "createdAt"],
          ignored: ["lastDelivery"],
        }),
        answers: { 200: undefined },
        errors: [
          "Webhook Invalid",
          "Webhook Not Found",
          "Webhook Callback Missing",
          "Webhook Callback Invalid",
          "Webhook Events Invalid",
        ],
        handle: async (call) => {
          const { id } = call.params;
          if (Object.keys(call.readBack).length > 0)
            requireUnchanged(call.readBack, await webhooks.get(call.caller, id));
          await webhooks.update(call.caller, id, call.body);
          return done();
        },
      }),
    ),
    defineRoute({
      method: "DELETE",
      path: `${PATH}/:id`,
      operationId: "deleteWebhook",
      tag: "webhooks",
      summary: "Delete a webhook",
      tokens: A_S,
      answers: { 200: undefined },
      errors: ["Webhook Invalid", "Webhook Not Found"],
      handle: async (call) => {
        await webhooks.delete(call.caller, call.params.id);
        return done();
      },
    }),
  ];
}

const DELIVERIES = "/api/webhooks/:id";
const WEBHOOK: readonly ErrorName[] = ["Webhook Invalid", "Webhook Not Found"];
const DELIVERY: readonly ErrorName[] = [...WEBHOOK, "Delivery Invalid", "Delivery Not Found"];

/** `/api/webhooks/:id/deliveries`, tests and replays: the state of past deliveries, and deliveries on request. */
export function webhookDeliveryRoutes(deps: { deliveries: Deliveries; pager: Pager }): Route[] {
  const { deliveries, pager } = deps;
  return [
    defineRoute({
      method: "POST",
      whenFull: "refused",
      path: `${DELIVERIES}/test`,
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
      path: `${DELIVERIES}/deliveries`,
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
      path: `${DELIVERIES}/deliveries/:deliveryId`,
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
      path: `${DELIVERIES}/deliveries/:deliveryId/redeliver`,
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
      path: `${DELIVERIES}/replay`,
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
