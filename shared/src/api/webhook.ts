/** A webhook: where events are sent to, and what became of each that was. */
import { z } from "zod";
import { ecosystemInput, idField, textField, timeField } from "./fields.ts";

/** Characters of a callback URL at most. */
const URL_LENGTH = 2048;
/** Patterns of one webhook at most. */
const MOST_PATTERNS = 100;

const state = z
  .enum(["pending", "succeeded", "failed"])
  .meta({ description: "`pending`: it is tried again; `failed`: it is not" });

const delivery = {
  id: idField("dlv"),
  eventId: idField("evt").meta({ description: "`webhook-id` of the request: a receiver knows a repeat by it" }),
  type: z.string().meta({ example: "property.changed" }),
  attempt: z.int().min(0).meta({ description: "How often it has been tried" }),
  state,
  responseStatus: z.int().optional().meta({ description: "Of the last attempt" }),
  durationMs: z.int().optional().meta({ description: "Of the last attempt" }),
  error: z.string().optional().meta({ description: "Why the last attempt was no success" }),
  createdAt: timeField,
  nextAttemptAt: timeField.optional().meta({ description: "While it is pending" }),
};

export const webhookDelivery = z.object(delivery).meta({ id: "Delivery" });
export type WebhookDelivery = z.output<typeof webhookDelivery>;

/** One side of an attempt. */
const message = z.object({ headers: z.record(z.string(), z.string()), body: z.string() });

export const deliveryAttempt = z
  .object({
    number: z.int().min(1).meta({ description: "1 is the first" }),
    attemptedAt: timeField,
    durationMs: z.int().optional(),
    responseStatus: z.int().optional().meta({ description: "Absent when nothing came back" }),
    error: z.string().optional().meta({ description: "Why it was no success" }),
    responseStart: z.string().optional().meta({ description: "The first 512 characters of the answer's body" }),
  })
  .meta({ id: "DeliveryAttempt" });
export type DeliveryAttempt = z.output<typeof deliveryAttempt>;

export const webhookDeliveryDetails = z
  .object({
    ...delivery,
    request: message.meta({ description: "As it was sent, or will be; the signature is left out" }),
    response: message.optional().meta({ description: "Of the last attempt; the first 4 KiB of the body" }),
    attempts: z.array(deliveryAttempt).meta({
      description:
        "Each, oldest first. Of a delivery from before the service kept attempts, only those that came after",
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
    environmentId: idField("env").optional().meta({ description: "When it is confined to one environment" }),
    url: z.string().meta({ example: "https://receiver.example/porchlight" }),
    description: z.string().optional(),
    disabled: z.boolean().meta({ description: "Nothing is sent" }),
    events,
    createdAt: timeField,
    lastDelivery: webhookDelivery.optional().meta({ description: "The newest" }),
  })
  .meta({ id: "Webhook" });
export type Webhook = z.output<typeof webhook>;

/** The answer to its creation: the only one that tells a secret, and only one that was made here. */
export const createdWebhook = webhook
  .extend({ secret: z.string().optional().meta({ description: "Made by the service, shown this once" }) })
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
    .meta({ description: "`whsec_` and base64, or any 1 to 512 bytes; one is made when it is left out" }),
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
  url: url.nullable().optional().meta({ description: "`null` is no URL", "x-invalid": "Webhook Callback Invalid" }),
  secret: secret.optional().meta({ description: "The one before signs for 24 hours more" }),
  description: description.nullable().optional().meta({ description: "null takes it away" }),
  disabled: z.boolean().optional(),
  events: eventsInput.optional().meta({ "x-invalid": "Webhook Events Invalid" }),
});
export type WebhookUpdate = z.output<typeof webhookUpdate>;

/** A test: without a type, a `webhook.test`. */
export const webhookTest = z.strictObject({
  type: z.string().optional().meta({ description: "Sends an example of this type of event", example: "device.online" }),
});
export type WebhookTest = z.output<typeof webhookTest>;

export const replayRequest = z.strictObject({
  since: z.string().meta({ description: "Events from this time on", example: "2026-11-05 14:03:07Z" }),
  until: z.string().optional().meta({ description: "Not those of this time or later; now when left out" }),
});
export type ReplayRequest = z.output<typeof replayRequest>;

export const replayAnswer = z
  .object({ count: z.int().meta({ description: "Events that are sent again" }) })
  .meta({ id: "Replay" });
