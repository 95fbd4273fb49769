/** Sentences about values: changes, commands and calls of scenes. Pure. */

import { objectOf, type Parts, textOf } from "./parts.ts";
import { type Sender, senderWords, shortened } from "./senders.ts";
import { calledAtHome, OUTCOME_WORDS } from "./shared-words.ts";
import { tookOf } from "./spans.ts";
import { valueWords } from "./values.ts";

/** Names that the reader of a log book uses. */
export interface LogNames {
  /** Name of a device; undefined when it is not known. */
  readonly device: (id: string) => string | undefined;
  /** A property's name for people: "Brightness". */
  readonly property: (service: string, property: string) => string;
  /** Unit of a standard property: `%`. */
  readonly unit?: ((service: string, property: string) => string | undefined) | undefined;
  /** Name of a scene; undefined when it is not known. */
  readonly scene?: ((id: string) => string | undefined) | undefined;
  /** Owner of a token; undefined while it is not known. */
  readonly sender: (tokenId: string) => Sender | undefined;
}

export function changeSentence(data: Parts, names: LogNames): string {
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

/** `label`: name of the property, omitted for the switch of a device. */
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

export function calledSentence(data: Parts, names: LogNames): string {
  const tokenId = textOf(data.tokenId);
  const who = tokenId === undefined ? undefined : senderWords(names.sender(tokenId));
  const confirmed = typeof data.confirmed === "number" ? data.confirmed : 0;
  const failed = Array.isArray(data.failures) ? data.failures.length : 0;
  const counts = failed > 0 ? `${confirmed} confirmed, ${failed} failed` : `${confirmed} confirmed`;
  return `Scene ${sceneOf(data, names)} was called${who === undefined ? "" : ` by ${who}`}: ${counts}.`;
}

/** Outcomes that guarantee that the value was not set. */
const NOT_SET: readonly string[] = ["rejected", "not_sent", "not_applied"];

export function commandSentence(data: Parts, names: LogNames): string {
  const { device, label, property, unit } = placeOf(data, names);
  const outcome = textOf(data.outcome) ?? textOf(data.state) ?? "";
  const detail = textOf(objectOf(data.error).detail);
  const words = shortened(valueWords(data.value, property, unit));
  const isSwitch = property === "on" && typeof data.value === "boolean";
  const subject = isSwitch && label === undefined ? device : `${device}: ${label ?? property}`;
  const [was, wasNot] = isSwitch
    ? [`was to be turned ${words}`, `was not turned ${words}`]
    : [`was to be ${words}`, `was not set to ${words}`];
  const asked = `${subject} ${NOT_SET.includes(outcome) ? wasNot : was}`;
  return `${asked}: ${OUTCOME_WORDS[outcome] ?? outcome}${askedBy(data, names)}.${detail === undefined ? "" : ` ${detail}`}`;
}

function askedBy(data: Parts, names: LogNames): string {
  const tokenId = textOf(data.tokenId);
  const who = tokenId === undefined ? undefined : senderWords(names.sender(tokenId));
  if (data.sceneId !== undefined)
    return `, asked by the scene ${sceneOf(data, names)}${who === undefined ? "" : `, called by ${who}`}`;
  return who === undefined ? "" : `, asked by ${who}`;
}
