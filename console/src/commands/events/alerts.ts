/** `porchlight alerts`: current and past problems, and which of them the account is notified of. */
import { type AlertSettingsUpdate, type AlertTestAnswer, alert } from "@porchlight/shared/api";
import type { Column } from "../../render/table.ts";
import type { Args } from "../../session/args.ts";
import type { Command } from "../../session/command.ts";
import { UsageError } from "../../session/failure.ts";
import { ECOSYSTEM, Places } from "../../session/places.ts";
import { fieldsOfSchema } from "../../session/where.ts";
import { LOG, showLast } from "../listing.ts";

const COLUMNS: readonly Column[] = [
  { heading: "opened", path: "openedAt" },
  { heading: "ended", path: "endedAt" },
  { heading: "kind", path: "kind", isWhole: true },
  { heading: "what", path: "text" },
  { heading: "end", path: "endText", isExtra: true },
  { heading: "subject", path: "subject.id", isExtra: true },
  { heading: "id", path: "id", isExtra: true },
];

const CURE = "porchlight help alerts set";

/** A number, or `off`; a number also enables the alert. @throws UsageError */
function limitOf(args: Args, name: string): { enabled: boolean; limit?: number } | undefined {
  const text = args.text(name);
  if (text === undefined) return undefined;
  if (text === "off") return { enabled: false };
  if (/^\d{1,6}$/.test(text)) return { enabled: true, limit: Number(text) };
  throw new UsageError(`--${name} is ${JSON.stringify(text)}.`, "It takes a number, or `off`.", CURE);
}

function emailOf(args: Args): boolean | undefined {
  const text = args.text("email");
  if (text === undefined || text === "on" || text === "off") return text === undefined ? undefined : text === "on";
  throw new UsageError(`--email is ${JSON.stringify(text)}.`, "It takes `on` or `off`.", CURE);
}

function quietHoursOf(args: Args): AlertSettingsUpdate["quietHours"] {
  const [text, timeZone] = [args.text("quiet-hours"), args.text("time-zone")];
  if (text === undefined && timeZone === undefined) return undefined;
  if (text === "off") return null;
  const [, start, end] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(text ?? "") ?? [];
  if (start === undefined || end === undefined || timeZone === undefined)
    throw new UsageError(
      "The quiet hours are not complete.",
      "They are a start and an end, such as `22:00-07:00`, with --time-zone; or `off`.",
      CURE,
    );
  return { timeZone, start, end };
}

function withMinutes(given: ReturnType<typeof limitOf>) {
  return given && { enabled: given.enabled, ...(given.limit !== undefined && { minutes: given.limit }) };
}

function withPercent(given: ReturnType<typeof limitOf>) {
  return given && { enabled: given.enabled, ...(given.limit !== undefined && { percent: given.limit }) };
}

/** @throws UsageError when nothing changes, or a value is invalid */
function changeOf(args: Args): AlertSettingsUpdate {
  const email = emailOf(args);
  const quietHours = quietHoursOf(args);
  const hubOffline = withMinutes(limitOf(args, "hub-offline"));
  const batteryLow = withPercent(limitOf(args, "battery-low"));
  const webhookFailing = withMinutes(limitOf(args, "webhook-failing"));
  const quotaNear = withPercent(limitOf(args, "quota-near"));
  const change = {
    ...(email !== undefined && { email }),
    ...(hubOffline && { hubOffline }),
    ...(batteryLow && { batteryLow }),
    ...(webhookFailing && { webhookFailing }),
    ...(quotaNear && { quotaNear }),
    ...(quietHours !== undefined && { quietHours }),
  };
  if (Object.keys(change).length > 0) return change;
  throw new UsageError("There is nothing to change.", "No field is given.", CURE);
}

const EMAIL_WORDS: Readonly<Record<string, string>> = {
  queued: "A test e-mail is on its way.",
  not_verified:
    "No e-mail was sent: your address is not verified. Use the code from the mail: porchlight accounts verify",
  off: "No e-mail was sent: your settings turn e-mails off. Turn them on: porchlight alerts set --email on",
} satisfies Readonly<Record<AlertTestAnswer["email"], string>>;

export const alerts: readonly Command[] = [
  {
    name: "list",
    summary: "Lists alerts, open and ended; ended ones are kept for 90 days",
    options: [
      { name: "state", value: "STATE", summary: "Only `open` or `ended` ones", choices: ["open", "ended"] },
      { name: "environment", value: "ENVIRONMENT", summary: "Only of its hubs, devices and webhooks" },
      ECOSYSTEM,
      ...LOG,
    ],
    examples: ["porchlight alerts list --state open"],
    async run(context, args) {
      const places = new Places(context, args);
      const environment = args.text("environment");
      const state = args.text("state");
      const filter = {
        ecosystemId: await places.chosenEcosystem(),
        // Only an environment of the command line: the profile's is for resolving names.
        environmentId: environment === undefined ? undefined : await places.reference("environment", environment),
        state: state === "open" || state === "ended" ? state : undefined,
      } as const;
      await showLast(context, args, context.porchlight.alerts.list(filter), {
        ...{ columns: COLUMNS, fields: fieldsOfSchema(alert) },
      });
    },
  },
  {
    name: "settings",
    summary: "Shows your alert settings: kinds, e-mails and quiet hours",
    examples: ["porchlight alerts settings"],
    async run({ output, porchlight }) {
      output.record(await porchlight.alerts.settings());
    },
  },
  {
    name: "set",
    summary: "Changes your alert settings",
    options: [
      {
        name: "hub-offline",
        value: "MINUTES",
        summary: "Minutes for which a hub is offline before an alert opens, or `off`",
      },
      {
        name: "battery-low",
        value: "PERCENT",
        summary: "Battery level, in percent, at which an alert opens, or `off`",
      },
      {
        name: "webhook-failing",
        value: "MINUTES",
        summary: "Minutes of failed deliveries before an alert opens, or `off`",
      },
      {
        name: "quota-near",
        value: "PERCENT",
        summary: "Part of a quota, in percent, at which an alert opens, or `off`",
      },
      { name: "email", value: "WHETHER", summary: "E-mails about alerts: `on` or `off`" },
      { name: "quiet-hours", value: "FROM-TO", summary: "No e-mails in these hours, or `off`" },
      { name: "time-zone", value: "ZONE", summary: "Time zone of the quiet hours, such as Europe/Berlin" },
    ],
    examples: [
      "porchlight alerts set --hub-offline 30 --battery-low off",
      "porchlight alerts set --quiet-hours 22:00-07:00 --time-zone Europe/Berlin",
    ],
    async run({ output, porchlight }, args) {
      await porchlight.alerts.updateSettings(changeOf(args));
      output.note("Changed the alerts.");
    },
  },
  {
    name: "test",
    summary: "Sends a test e-mail, and an alert.test to webhooks and streams",
    options: [ECOSYSTEM],
    examples: ["porchlight alerts test"],
    async run(context, args) {
      const ecosystemId = await new Places(context, args).chosenEcosystem();
      const made = await context.porchlight.alerts.test({ ecosystemId });
      context.output.record(made);
      context.output.note(EMAIL_WORDS[made.email] ?? `E-mail: ${made.email}.`);
    },
  },
];
