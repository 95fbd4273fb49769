/** What an account is written when a webhook of its was disabled: nothing else tells that its events stay away. */
import { durationWords, SERVICE_TIMES } from "@porchlight/shared/presentation";
import type { WebhookRow } from "../../store/index.ts";
import type { DisableReason } from "../transport/schedule.ts";

/** Plain text under one line. */
export interface DisabledText {
  readonly subject: string;
  readonly text: string;
}

const WHY: Readonly<Record<DisableReason, string>> = {
  gone: "It answered 410 Gone, which means that it wants no more deliveries.",
  failing: `No delivery to it has succeeded for ${durationWords(SERVICE_TIMES.webhookGiveUp)}.`,
};

/** @param url the service's address, without `/api` */
export function disabledEmail(
  url: string,
  row: Pick<WebhookRow, "id" | "url" | "ecosystem_id">,
  why: DisableReason,
): DisabledText {
  // What follows the path may be a secret of the receiver's.
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
