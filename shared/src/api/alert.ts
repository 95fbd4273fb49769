/** An alert: a present or past problem in an ecosystem; and the alerts that an account subscribes to. */
import { z } from "zod";
import { ecosystemInput, idField, timeField, timeOfDay, timeZoneField } from "./fields.ts";

/** Kinds of alert, in their display order. */
export const ALERT_KINDS = ["hub_offline", "battery_low", "webhook_failing", "quota_near"] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

const kind = z.enum(ALERT_KINDS).meta({ description: "What is wrong" });

const subject = z.object({
  type: z.enum(["hub", "device", "webhook", "quota"]),
  id: z.string().meta({ description: "ID of the hub, device or webhook, or name of the quota" }),
  name: z.string().meta({ description: "Its name when the alert opened" }),
});

export const alert = z
  .object({
    id: idField("alt"),
    ecosystemId: idField("eco"),
    environmentId: idField("env").optional().meta({ description: "Where the hub, device or webhook is" }),
    kind,
    subject,
    state: z.enum(["open", "ended"]),
    text: z.string().meta({
      description: "What was known when it opened, for people. Its times are in UTC",
      example: "Hub “attic” has been offline since 5 November 2026, 14:03 UTC.",
    }),
    endText: z.string().optional().meta({ description: "What was known when it ended, for people" }),
    since: timeField.meta({ description: "When the problem began, as far as is known" }),
    openedAt: timeField,
    endedAt: timeField.optional(),
  })
  .meta({ id: "Alert" });
export type Alert = z.output<typeof alert>;

/** `data` of `alert.test`. */
export const alertTest = z.object({ ecosystemId: idField("eco"), text: z.string() }).meta({ id: "AlertTest" });
export type AlertTest = z.output<typeof alertTest>;

const enabled = z.boolean();
const minutes = z
  .int()
  .min(1)
  .max(10_080)
  .meta({ description: "How long the problem must last before the alert, 1 minute to 7 days" });

const quietHours = z
  .strictObject({
    timeZone: timeZoneField,
    start: timeOfDay,
    end: timeOfDay,
  })
  .refine(({ start, end }) => start !== end, "`start` and `end` must differ")
  .meta({ description: "No alert is sent by e-mail from `start` to `end`" });
export type QuietHours = z.output<typeof quietHours>;

const hubOffline = z.object({ enabled, minutes });
const batteryLow = z.object({
  enabled,
  percent: z
    .int()
    .min(1)
    .max(90)
    .meta({ description: "The alert opens at or below this level, or when the device reports a low battery" }),
});
const webhookFailing = z.object({ enabled, minutes });
const quotaNear = z.object({
  enabled,
  percent: z.int().min(10).max(100).meta({ description: "The alert opens at or above this part of the quota" }),
});

export const alertSettings = z
  .object({
    email: z
      .boolean()
      .meta({ description: "Whether alerts are sent by e-mail, to the account's address once it is verified" }),
    hubOffline,
    batteryLow,
    webhookFailing,
    quotaNear,
    quietHours: quietHours.nullable(),
  })
  .meta({ id: "AlertSettings" });
export type AlertSettings = z.output<typeof alertSettings>;

export const alertSettingsUpdate = z.strictObject({
  email: z.boolean().optional(),
  hubOffline: z.strictObject(hubOffline.partial().shape).optional(),
  batteryLow: z.strictObject(batteryLow.partial().shape).optional(),
  webhookFailing: z.strictObject(webhookFailing.partial().shape).optional(),
  quotaNear: z.strictObject(quotaNear.partial().shape).optional(),
  quietHours: quietHours.nullable().optional().meta({ description: "null: no quiet hours" }),
});
export type AlertSettingsUpdate = z.output<typeof alertSettingsUpdate>;

export const alertTestRequest = z.strictObject({ ecosystemId: ecosystemInput });
export type AlertTestRequest = z.output<typeof alertTestRequest>;

export const alertTestAnswer = z
  .object({
    eventId: idField("evt").meta({ description: "Of the `alert.test`" }),
    email: z.enum(["queued", "not_verified", "off"]).meta({
      description: "`not_verified`: no e-mail is sent until the account's address is verified; `off`: by the settings",
    }),
  })
  .meta({ id: "AlertTestAnswer" });
export type AlertTestAnswer = z.output<typeof alertTestAnswer>;
