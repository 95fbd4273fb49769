/**
 * Events as sentences, as the log book of a device, a zone or an environment shows them. Pure.
 *
 * Invariants: there is a sentence for every event, even with unexpected data; it states no more than the event and the events around it do.
 * A command whose end became known later has one line: that of its end.
 */
import { parseTime } from "../kernel/index.ts";
import { nameOf } from "../names/index.ts";
import { reasonOf } from "./hub-reasons.ts";
import { objectOf, type Parts, textOf } from "./parts.ts";
import { shortened } from "./senders.ts";
import { spanOf } from "./spans.ts";
import { calledSentence, changeSentence, commandSentence, type LogNames } from "./value-sentences.ts";

/** An event, as the API returns it. */
export interface LoggedEvent {
  readonly id: string;
  readonly sequence: number;
  readonly type: string;
  readonly createdAt: string;
  readonly data: unknown;
}

/** Filters of a log book. */
export type LogKind = "values" | "commands" | "connections" | "changes" | "alerts";

export interface LogLine {
  readonly event: LoggedEvent;
  readonly kind: LogKind;
  /** The sentence of the line. */
  readonly text: string;
}

const CONNECTIONS = [
  ...["device.online", "device.offline", "device.claimed"],
  ...["hub.online", "hub.offline", "hub.restarted", "hub.duplicate"],
];

/** Event types of each filter, in the form that the event log accepts. */
export const LOG_KINDS: Readonly<Record<LogKind, readonly string[]>> = {
  values: ["property.*"],
  commands: ["command.*"],
  connections: CONNECTIONS,
  changes: [
    ...["device.added", "device.updated", "device.removed", "hub.added", "hub.updated", "hub.removed"],
    ...["zone.*", "scene.*", "environment.*", "user.*", "webhook.*"],
  ],
  alerts: ["alert.*"],
};

/** The next event after an offline event in which the same object is online again. */
interface Return {
  readonly event: LoggedEvent;
  readonly isRestarted: boolean;
}

/** @param events any part of the log, in any order @returns lines, newest first */
export function logLines(events: readonly LoggedEvent[], names: LogNames): LogLine[] {
  const newestFirst = [...events].sort((one, other) => other.sequence - one.sequence);
  const backs = new Map<string, Return>();
  const ended = new Set<string>();
  return newestFirst.flatMap((event) => {
    const id = textOf(objectOf(event.data).id);
    if (event.type === "command.completed" && id !== undefined) ended.add(id);
    if (event.type === "command.unconfirmed" && id !== undefined && ended.has(id)) return [];
    const subject = `${event.type.split(".")[0]} ${id ?? ""}`;
    const back = backs.get(subject);
    if (event.type.endsWith(".online")) backs.set(subject, { event, isRestarted: false });
    // A restarted hub reports the restart just before it is online.
    if (event.type === "hub.restarted" && back) backs.set(subject, { ...back, isRestarted: true });
    return { event, kind: kindOf(event.type), text: sentenceOf(event, names, back) };
  });
}

function kindOf(type: string): LogKind {
  if (CONNECTIONS.includes(type)) return "connections";
  if (type.startsWith("property.")) return "values";
  if (type.startsWith("command.")) return "commands";
  return type.startsWith("alert.") ? "alerts" : "changes";
}

/** @param back the next return of the same object, when it is known */
function sentenceOf(event: LoggedEvent, names: LogNames, back: Return | undefined): string {
  const data = objectOf(event.data);
  const [prefix = "", verb = ""] = event.type.split(".");
  switch (prefix) {
    case "property":
      return changeSentence(data, names);
    case "command":
      return commandSentence(data, names);
    case "hub":
    case "device":
      return (
        connectionSentence(prefix, verb, event, data, back) ?? `${subjectOf(prefix, data)} ${WORDS[verb] ?? verb}.`
      );
    case "scene":
      if (verb === "called") return calledSentence(data, names);
      return `${subjectOf(prefix, data)} ${WORDS[verb] ?? verb}.`;
    case "alert":
      return textOf(data.endText) ?? textOf(data.text) ?? `Alert ${verb}.`;
    default:
      return SUBJECTS[prefix] === undefined
        ? `${event.type}.`
        : `${subjectOf(prefix, data)} ${WORDS[verb] ?? verb.replaceAll("_", " ")}.`;
  }
}

const SUBJECTS: Readonly<Record<string, string>> = {
  hub: "Hub",
  device: "Device",
  zone: "Zone",
  scene: "Scene",
  environment: "Environment",
  user: "User",
  webhook: "Webhook",
};
const WORDS: Readonly<Record<string, string>> = {
  added: "was added",
  updated: "was changed",
  removed: "was removed",
  created: "was created",
  deleted: "was deleted",
  restarted: "was started again",
  disabled: "was disabled by the service",
  test: "was tested",
};

function subjectOf(prefix: string, data: Parts): string {
  const meta = data.meta === undefined ? undefined : objectOf(data.meta);
  const named = { id: textOf(data.id) ?? "", alias: textOf(data.alias) ?? textOf(data.key) ?? textOf(data.url), meta };
  return `${SUBJECTS[prefix] ?? prefix} ${shortened(nameOf(named))}`.trim();
}

/** The sentence of a connection event; undefined for any other event. */
function connectionSentence(
  prefix: "hub" | "device",
  verb: string,
  event: LoggedEvent,
  data: Parts,
  back: Return | undefined,
): string | undefined {
  const subject = subjectOf(prefix, data);
  const connection = objectOf(data.connection);
  switch (verb) {
    case "online":
      return `${subject} came online.`;
    case "offline": {
      const reason = textOf(connection.reason);
      const why = reason === undefined ? "" : ` ${reasonOf(reason).says}`;
      const away = back && awayFor(event, back.event);
      if (away === undefined) return `${subject} went offline.${why}`;
      return `${subject} was offline for ${away}${back?.isRestarted ? ": hub restarted." : `.${why}`}`;
    }
    case "claimed":
      return `${subject} was also announced by another hub, which does not use it.`;
    case "duplicate":
      return `${subject}: two hubs use its identity.`;
    default:
      return undefined;
  }
}

function awayFor(gone: LoggedEvent, back: LoggedEvent): string | undefined {
  const since = ({ data, createdAt }: LoggedEvent) =>
    parseTime(textOf(objectOf(objectOf(data).connection).since) ?? createdAt);
  const [from, to] = [since(gone), since(back)];
  return from === undefined || to === undefined || to < from ? undefined : spanOf(to - from);
}
