/** A webhook: where events are delivered, and the result of each delivery. */
import { z } from "zod";
import { ecosystemInput, idField, textField, timeField } from "./fields.ts";

/** Longest callback URL, characters. */
const URL_LENGTH = 2048;
/** Maximum number of patterns of one webhook. */
const MOST_PATTERNS = 100;

const state = z
  .enum(["pending", "succeeded", "failed"])
  .meta({ description: "`pending`: it is tried again; `failed`: it is not" });

const delivery = {
  id: idField("dlv"),
  eventId: idField("evt").meta({ description: "`webhook-id` of the request, by which a receiver recognises a repeat" }),
  type: z.string().meta({ example: "property.changed" }),
  attempt: z.int().min(0).meta({ description: "Number of attempts" }),
  state,
  responseStatus: z.int().optional().meta({ description: "Of the last attempt" }),
  durationMs: z.int().optional().meta({ description: "Of the last attempt" }),
  error: z.string().optional().meta({ description: "Why the last attempt failed" }),
  createdAt: timeField,
  nextAttemptAt: timeField.optional().meta({ description: "While it is pending" }),
};

export const webhookDelivery = z.object(delivery).meta({ id: "Delivery" });
export type WebhookDelivery = z.output<typeof webhookDelivery>;

/** The request or the answer of an attempt. */
const message = z.object({ headers: z.record(z.string(), z.string()), body: z.string() });

export const deliveryAttempt = z
  .object({
    number: z.int().min(1).meta({ description: "1 is the first" }),
    attemptedAt: timeField,
    durationMs: z.int().optional(),
    responseStatus: z.int().optional().meta({ description: "Absent if there was no response" }),
    error: z.string().optional().meta({ description: "Why the attempt failed" }),
    responseStart: z.string().optional().meta({ description: "The first 512 characters of the answer's body" }),
  })
  .meta({ id: "DeliveryAttempt" });
export type DeliveryAttempt = z.output<typeof deliveryAttempt>;

export const webhookDeliveryDetails = z
  .object({
    ...delivery,
    request: message.meta({ description: "The request as it was or will be sent, without the signature" }),
    response: message
      .optional()
      .meta({ description: "The response to the last attempt, with the first 4 KiB of the body" }),
    attempts: z.array(deliveryAttempt).meta({
      description: "Oldest first. If the delivery is older than the storage of attempts, only the later ones",
    }),
  })
  .meta({ id: "DeliveryDetails" });
export type WebhookDeliveryDetails = z.output<typeof webhookDeliveryDetails>;

const events = z
  .array(z.string())
  .meta({ description: "Types of events, `prefix.*`, or `*`", example: ["device.*", "command.completed"] });

export const webhook = z
  .object({
    id: idField("whk"),
    ecosystemId: idField("eco"),
    environmentId: idField("env")
      .optional()
      .meta({ description: "Present if the webhook is limited to one environment" }),
    url: z.string().meta({ example: "https://receiver.example/porchlight" }),
    description: z.string().optional(),
    disabled: z.boolean().meta({ description: "If true, nothing is sent" }),
    events,
    createdAt: timeField,
    lastDelivery: webhookDelivery.optional().meta({ description: "The newest" }),
  })
  .meta({ id: "Webhook" });
export type Webhook = z.output<typeof webhook>;

/** The answer to a creation: the only answer with a secret, and only with one that the service generated. */
export const createdWebhook = webhook
  .extend({ secret: z.string().optional().meta({ description: "Created by the service; shown only this once" }) })
  .meta({ id: "CreatedWebhook" });
export type CreatedWebhook = z.output<typeof createdWebhook>;

const url = z.string().max(URL_LENGTH).meta({
  description: "Absolute, `https`",
  "x-missing": "Webhook Callback Missing",
  "x-invalid": "Webhook Callback Invalid",
});
const secret = z.string().min(1).max(1024);
const eventsInput = events.min(1).max(MOST_PATTERNS).meta({ "x-invalid": "Webhook Events Invalid" });
const description = textField(1000);

export const newWebhook = z.strictObject({
  url: url.min(1),
  secret: secret
    .nullable()
    .optional()
    .meta({ description: "`whsec_` and base64, or any 1 to 512 bytes; generated if left out" }),
  description: description.nullable().optional(),
  disabled: z.boolean().optional().meta({ default: false }),
  events: eventsInput.optional().meta({ default: ["*"], "x-invalid": "Webhook Events Invalid" }),
  environmentId: z
    .string()
    .nullable()
    .optional()
    .meta({ description: "Only events of this environment", "x-invalid": "Environment Invalid" }),
  ecosystemId: ecosystemInput,
});
export type NewWebhook = z.output<typeof newWebhook>;

export const webhookUpdate = z.strictObject({
  url: url
    .nullable()
    .optional()
    .meta({ description: "`null` is not allowed", "x-invalid": "Webhook Callback Invalid" }),
  secret: secret.optional().meta({ description: "The previous secret also signs for another 24 hours" }),
  description: description.nullable().optional().meta({ description: "null removes it" }),
  disabled: z.boolean().optional(),
  events: eventsInput.optional().meta({ "x-invalid": "Webhook Events Invalid" }),
});
export type WebhookUpdate = z.output<typeof webhookUpdate>;

/** A test delivery: a `webhook.test` when the request names no type. */
export const webhookTest = z.strictObject({
  type: z.string().optional().meta({ description: "Sends an example of this type of event", example: "device.online" }),
});
export type WebhookTest = z.output<typeof webhookTest>;

export const replayRequest = z.strictObject({
  since: z.string().meta({ description: "Only events from this time on", example: "2026-11-05 14:03:07Z" }),
  until: z.string().optional().meta({ description: "Only events before this time; by default now" }),
});
export type ReplayRequest = z.output<typeof replayRequest>;

export const replayAnswer = z
  .object({ count: z.int().meta({ description: "Number of events that are sent again" }) })
  .meta({ id: "Replay" });
