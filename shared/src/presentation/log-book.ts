/**
 * Events in plain sentences, as the log book of a device, a zone or an environment shows them. Pure.
 *
 * Invariants: there is a sentence for every event, whatever its data is; it says no more than the event does, and the events around it.
 */
import { parseTime } from "../kernel/index.ts";
import { nameOf } from "../names/index.ts";
import { reasonOf } from "./hub-reasons.ts";
import { objectOf, type Parts, textOf } from "./parts.ts";
import { calledAtHome } from "./scene-callers.ts";
import { type Sender, senderWords } from "./senders.ts";
import { shortened } from "./shortened.ts";
import { spanOf, tookOf } from "./spans.ts";
import { valueWords } from "./values.ts";

/** An event as the API has it. */
export interface LoggedEvent {
  readonly id: string;
  readonly sequence: number;
  readonly type: string;
  readonly createdAt: string;
  readonly data: unknown;
}

/** What a reader calls things. */
export interface LogNames {
  /** Name of a device; undefined of one that is not known. */
  readonly device: (id: string) => string | undefined;
  /** What people call a property: "Brightness". */
  readonly property: (service: string, property: string) => string;
  /** Of a standard property: `%`. */
  readonly unit?: ((service: string, property: string) => string | undefined) | undefined;
  /** Name of a scene; undefined of one that is not known. */
  readonly scene?: ((id: string) => string | undefined) | undefined;
  /** Whose token it is; undefined while that is not known. */
  readonly sender: (tokenId: string) => Sender | undefined;
}

/** By what a log book is filtered. */
export type LogKind = "values" | "commands" | "connections" | "changes" | "alerts";

export interface LogLine {
  readonly event: LoggedEvent;
  readonly kind: LogKind;
  /** A sentence. */
  readonly text: string;
}

const CONNECTIONS = [
  ...[
    "device.online",
    "device.offline",
    "device.claimed",
    "hub.online",
    "hub.offline",
    "hub.restarted",
    "hub.duplicate",
  ],
];

/** Types of each kind, as the filter of the event log takes them. */
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

/** The next event in which something that went offline is online again. */
interface Return {
  readonly event: LoggedEvent;
  readonly isRestarted: boolean;
}

/** @param events any part of the log, in any order @returns the newest first */
export function logLines(events: readonly LoggedEvent[], names: LogNames): LogLine[] {
  const newestFirst = [...events].sort((one, other) => other.sequence - one.sequence);
  const backs = new Map<string, Return>();
  return newestFirst.map((event) => {
    const subject = `${event.type.split(".")[0]} ${textOf(objectOf(event.data).id) ?? ""}`;
    const back = backs.get(subject);
    if (event.type.endsWith(".online")) backs.set(subject, { event, isRestarted: false });
    // A hub that was started again says so right before it is online.
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

/** @param back of the same thing, when that is known */
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

/** Of what comes and goes; undefined of anything else. */
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

function changeSentence(data: Parts, names: LogNames): string {
  const item = objectOf(data.item);
  const cause = objectOf(data.cause);
  const before = data.previousValue;
  const value = item.value;
  const { device, label, property, unit } = placeOf(item, names);
  const words = shortened(valueWords(value, property, unit));
  const what =
    property === "on" && typeof value === "boolean"
      ? `${label === undefined ? device : `${device}: ${label}`} ${before === undefined ? "is" : "turned"} ${words}`
      : `${device}: ${label ?? property} ${before === undefined ? "is" : "changed to"} ${words}`;
  return `${what}${becauseOf(cause, names)}.`;
}

/** `label`: of the property, unless the device's switch needs none. */
function placeOf(item: Parts, names: LogNames) {
  const [id, service, property] = [item.deviceId, item.service, item.property].map((each) => textOf(each) ?? "");
  const index = textOf(item.index) ?? "0";
  const isMain = service === "Switch" && index === "0" && property === "on";
  const label = `${names.property(service ?? "", property ?? "")}${index === "0" ? "" : ` ${index}`}`;
  const unit = names.unit?.(service ?? "", property ?? "");
  return {
    device: shortened(names.device(id ?? "") ?? id ?? ""),
    label: isMain ? undefined : label,
    property: property ?? "",
    unit,
  };
}

function becauseOf(cause: Parts, names: LogNames): string {
  const tokenId = textOf(cause.tokenId);
  const who = tokenId === undefined ? undefined : senderWords(names.sender(tokenId));
  switch (cause.kind) {
    case "command": {
      const took = typeof cause.durationMs === "number" ? `, confirmed in ${tookOf(cause.durationMs)}` : "";
      return ` by ${who ?? "a command"}${took}`;
    }
    case "scene":
      return ` by the scene ${sceneOf(cause, names)}${who === undefined ? calledAtHome(textOf(cause.by)) : `, called by ${who}`}`;
    case "local":
      return " at home, through the hub's own API";
    case "device":
      return ", as the device reported";
    case "refresh":
      return ", as the hub read from the device";
    default:
      return textOf(cause.kind) === undefined ? "" : ` (${textOf(cause.kind)})`;
  }
}

function sceneOf(data: Parts, names: LogNames): string {
  const id = textOf(data.sceneId) ?? "";
  return shortened(names.scene?.(id) ?? id);
}

function calledSentence(data: Parts, names: LogNames): string {
  const tokenId = textOf(data.tokenId);
  const who = tokenId === undefined ? undefined : senderWords(names.sender(tokenId));
  const confirmed = typeof data.confirmed === "number" ? data.confirmed : 0;
  const failed = Array.isArray(data.failures) ? data.failures.length : 0;
  const counts = failed > 0 ? `${confirmed} confirmed, ${failed} failed` : `${confirmed} confirmed`;
  return `Scene ${sceneOf(data, names)} was called${who === undefined ? "" : ` by ${who}`}: ${counts}.`;
}

/** In the words of outcomes that the portal and the console have. */
const OUTCOMES: Readonly<Record<string, string>> = {
  confirmed: "confirmed",
  rejected: "rejected by the device",
  not_sent: "not sent",
  not_applied: "not applied",
  unknown: "unknown: may have happened",
};

function commandSentence(data: Parts, names: LogNames): string {
  const { device, label, property, unit } = placeOf(data, names);
  const outcome = textOf(data.outcome) ?? textOf(data.state) ?? "";
  const detail = textOf(objectOf(data.error).detail);
  const asked = `${device}: ${label ?? property} was to be ${shortened(valueWords(data.value, property, unit))}`;
  return `${asked}: ${OUTCOMES[outcome] ?? outcome}.${detail === undefined ? "" : ` ${detail}`}`;
}
