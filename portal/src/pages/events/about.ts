/** Summarizes an event in one line: its object and the change. Any data yields a line. */
import type { PorchlightEvent } from "@porchlight/sdk";
import { nameOf } from "../../kit/text/names.ts";
import { alertText } from "../alerts/alert-words.ts";

interface About {
  /** ID of the device, hub, zone… */
  readonly id: string | undefined;
  /** The object's name, when the event includes it. */
  readonly name: string | undefined;
  /** "LightColor.hue: 120", and the cause. */
  readonly what: string;
}

/** Maximum characters of a value in a line. */
const MOST = 80;

export function aboutOf(event: PorchlightEvent): About {
  const data: unknown = event.data;
  if (event.type === "property.changed") {
    const { item, previousValue, cause } = event.data;
    const index = item.index === "0" ? "" : `:${item.index}`;
    const before = previousValue === undefined ? "" : `${short(previousValue)} → `;
    const what = `${item.service}${index}.${item.property}: ${before}${short(item.value)} (${cause.kind})`;
    return { id: item.deviceId, name: undefined, what };
  }
  if (event.type === "command.completed" || event.type === "command.unconfirmed") {
    const { deviceId, service, property, value, state, outcome } = event.data;
    const what = `${service}.${property}: ${short(value)}, ${outcome === undefined || outcome === state ? state : `${state}, ${outcome}`}`;
    return { id: deviceId, name: undefined, what };
  }
  if (!isObject(data)) return { id: undefined, name: undefined, what: "" };
  if (isObject(data.subject)) {
    const { id: subjectId, name: subjectName } = data.subject;
    const what = textOf(data.endText) ?? textOf(data.text) ?? "";
    return { id: textOf(subjectId), name: textOf(subjectName), what: alertText(what) };
  }
  const { id, alias, meta, key, url, connection } = data;
  const named = { id: textOf(id) ?? "", alias: textOf(alias), meta: isObject(meta) ? meta : undefined };
  const name = textOf(key) ?? textOf(url) ?? nameOf(named);
  return { id: textOf(id), name: name === "" ? undefined : name, what: reasonIn(connection) };
}

/** ID of the event's device; undefined when it does not concern a device. */
export function deviceOfEvent(event: PorchlightEvent): string | undefined {
  const isOfDevice = /^(?:property|device|command)\./.test(event.type);
  return isOfDevice ? aboutOf(event).id : undefined;
}

function reasonIn(connection: unknown): string {
  const reason = isObject(connection) ? textOf(connection.reason) : undefined;
  return reason?.replaceAll("_", " ") ?? "";
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? "";
  return text.length > MOST ? `${text.slice(0, MOST)}…` : text;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
