/** Translates events of a log into facts for history; pure. No other file of history depends on the form of events. */

import { parseTime } from "@porchlight/shared/api";
import { NO_VALUE } from "@porchlight/shared/rest";
import type { LoggedEvent } from "../events/index.ts";

export type Fact =
  /** A property has a new value. */
  | {
      readonly kind: "change";
      readonly environmentId: string;
      readonly deviceId: string;
      readonly service: string;
      readonly index: string;
      readonly property: string;
      /** JSON. */
      readonly value: string;
      /** Wall clock, ms. */
      readonly at: number;
      readonly sequence: number;
    }
  /** From `at` on the state of a device, or of all devices of a hub, is unknown. */
  | { readonly kind: "away"; readonly subjectId: string; readonly at: number }
  /** The device or hub reports again. */
  | { readonly kind: "back"; readonly subjectId: string; readonly at: number }
  /** A hub's agent was not running between `since`, its last sign of life, and `at`. */
  | { readonly kind: "restarted"; readonly subjectId: string; readonly since: number; readonly at: number }
  /** A device was deleted, and its history with it. */
  | { readonly kind: "gone"; readonly deviceId: string };

/** Longest normal time from a hub's last message to the end of its connection, ms: a longer one means that the node died. */
const HEARD_WITHIN = 300_000;

/** Undefined for an event without effect on history. */
export function factOf({ type, data, createdAt, sequence, environmentId }: LoggedEvent): Fact | undefined {
  switch (type) {
    case "property.changed":
      return changeOf(JSON.parse(data), createdAt, sequence, environmentId ?? "");
    case "device.removed":
      return { kind: "gone", deviceId: JSON.parse(data).id };
    case "device.offline":
    case "hub.offline":
      return { kind: "away", ...connectionOf(JSON.parse(data), createdAt) };
    case "device.online":
    case "hub.online": {
      const { subjectId, since } = connectionOf(JSON.parse(data), createdAt);
      return { kind: "back", subjectId, at: since };
    }
    case "hub.restarted": {
      const { subjectId, since, at } = connectionOf(JSON.parse(data), createdAt);
      return { kind: "restarted", subjectId, since: at, at: since };
    }
    default:
      return undefined;
  }
}

interface ChangedItem {
  readonly deviceId: string;
  readonly service: string;
  readonly index: string;
  readonly property: string;
  readonly value?: unknown;
  readonly modifiedAt?: string;
}

/** The change of an event. A value of unknown age counts from the event's creation. */
function changeOf({ item }: { item: ChangedItem }, createdAt: number, sequence: number, environmentId: string): Fact {
  const { deviceId, service, index, property, value, modifiedAt } = item;
  const modified = modifiedAt === undefined ? undefined : parseTime(modifiedAt);
  return {
    ...{ kind: "change", environmentId, deviceId, service, index, property, sequence },
    value: value === undefined ? NO_VALUE : JSON.stringify(value),
    at: Math.min(modified ?? createdAt, createdAt),
  };
}

interface Connected {
  readonly id: string;
  readonly connection?: { readonly since?: string; readonly lastSeenAt?: string };
}

/** @returns `since` when the connection's state began, and `at` the last message before it, if known */
function connectionOf({ id, connection }: Connected, createdAt: number) {
  const since = Math.min(timeOf(connection?.since) ?? createdAt, createdAt);
  const heard = timeOf(connection?.lastSeenAt);
  const isNear = heard !== undefined && heard < since && heard >= since - HEARD_WITHIN;
  return { subjectId: id, since, at: isNear ? heard : since };
}

function timeOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseTime(text);
}
