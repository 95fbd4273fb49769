/** `/api/webhooks`: create, list, show, change and delete. Both POST and PUT update: the specification (4.3) shows both. */
import { createdWebhook, newWebhook, page, webhook, webhookUpdate } from "@porchlight/shared/api";
import { type Webhooks, webhookResource } from "../../../webhooks/index.ts";
import { bodyOf, requireUnchanged } from "../../routing/body-rules.ts";
import type { PagePart, Pager } from "../../routing/page.ts";
import { PAGING } from "../../routing/query.ts";
import { A_S, created, defineRoute, done, ok, type Route } from "../../routing/route.ts";

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
