/** Describes incidents and links their subjects. Pure. */
import type { PorchlightEvent } from "@porchlight/sdk";
import type { Alert } from "@porchlight/shared/api";
import { kindWords, subjectAddress } from "../alerts/alert-words.ts";
import { aboutOf } from "../events/about.ts";

interface Incident {
  readonly id: string;
  readonly at: string;
  readonly tone: "good" | "bad" | "warn";
  readonly word: string;
  /** Details beyond the subject; "" without details. */
  readonly text: string;
  /** The subject's name. */
  readonly name: string;
  /** Address of the subject's page; undefined when it has none. */
  readonly path: string | undefined;
}

export function incidentOf(event: PorchlightEvent): Incident {
  const { id, createdAt: at, type, environmentId, ecosystemId } = event;
  const about = aboutOf(event);
  const of = { id, at, text: about.what, name: about.name ?? about.id ?? "" };
  if (type === "alert.opened" || type === "alert.ended") {
    // The alert as the service reported it.
    const alert = event.data as Alert;
    const isOver = type === "alert.ended";
    const word = isOver
      ? `Alert ended: ${kindWords(alert.kind).toLowerCase()}`
      : `Alert: ${kindWords(alert.kind).toLowerCase()}`;
    return { ...of, tone: isOver ? "good" : "bad", word, path: subjectAddress(alert) };
  }
  if (type === "webhook.disabled")
    return {
      ...of,
      tone: "warn",
      word: "Webhook disabled",
      path: about.id && `/ecosystems/${ecosystemId}/webhooks/${about.id}`,
    };
  const path = about.id && environmentId ? `/environments/${environmentId}/hubs/${about.id}` : undefined;
  const isBack = type === "hub.online";
  return { ...of, tone: isBack ? "good" : "bad", word: isBack ? "Hub online again" : "Hub offline", path };
}
