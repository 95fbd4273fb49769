/**
 * A change of a property as a line of InfluxDB's line protocol: pure. Its own file because it is all that the module knows of the protocol.
 *
 * The library writes lines and escapes them. What it leaves as it is and a receiver would read as something else is replaced here.
 */
import { Point } from "@influxdata/influxdb-client";
import { parseTime } from "@porchlight/shared/api";
import type { LoggedEvent } from "../../events/index.ts";

/** A change of a property to a known value. */
export interface ValueChange {
  readonly deviceId: string;
  readonly environmentId: string;
  readonly service: string;
  readonly index: string;
  readonly property: string;
  /** JSON, parsed. */
  readonly value: NonNullable<unknown>;
  /** Nanoseconds since 1970, in decimal digits. */
  readonly time: string;
}

interface ChangedItem extends Pick<ValueChange, "deviceId" | "service" | "index" | "property"> {
  readonly value?: unknown;
  readonly modifiedAt?: string;
}

const SECOND = 1_000;
/** Nanoseconds of a millisecond. */
const NANOSECONDS = 1_000_000;

/** Undefined of an event that gives no property a value. */
export function changeOf({ type, data, createdAt, sequence, environmentId }: LoggedEvent): ValueChange | undefined {
  if (type !== "property.changed") return undefined;
  // Written with the event.
  const { item } = JSON.parse(data) as { readonly item: ChangedItem };
  const { deviceId, service, index, property, value, modifiedAt } = item;
  if (value === undefined || value === null) return undefined;
  const time = timeOf(modifiedAt === undefined ? undefined : parseTime(modifiedAt), createdAt, sequence);
  return { deviceId, environmentId: environmentId ?? "", service, index, property, value, time };
}

/**
 * Within the second of `modifiedAt`, so that changes of one property stay apart and in the order of the log: a receiver keeps one value
 * for each series and time. The same event always has the same time. A value of unknown age has that of its event.
 */
function timeOf(modifiedAt: number | undefined, createdAt: number, sequence: number): string {
  const at = modifiedAt === undefined ? createdAt : Math.min(createdAt, modifiedAt + SECOND - 1);
  return String(BigInt(at) * BigInt(NANOSECONDS) + BigInt(sequence % NANOSECONDS));
}

/** @param alias of the device, where it has one */
export function lineOf(change: ValueChange, alias: string | undefined, measurementPrefix: string): string {
  const { deviceId, environmentId, service, index, property, value, time } = change;
  const point = new Point(plain(measurementPrefix + service))
    .tag("deviceId", deviceId)
    .tag("environmentId", environmentId)
    .tag("index", plain(index));
  if (alias !== undefined) point.tag("device", plain(alias));
  setField(point, plain(property), value);
  // Of a point with a field there is always a line.
  return point.timestamp(time).toLineProtocol({ convertTime: String }) ?? "";
}

function setField(point: Point, field: string, value: NonNullable<unknown>): void {
  switch (typeof value) {
    case "boolean":
      point.booleanField(field, value);
      return;
    case "number":
      point.floatField(field, value);
      return;
    default:
      point.stringField(field, withoutBreaks(typeof value === "string" ? value : JSON.stringify(value)));
  }
}

/** For a name or a tag, where a backslash would take the meaning from the comma or space behind it, and nothing can prevent that. */
function plain(text: string): string {
  return withoutBreaks(text).replaceAll("\\", "/");
}

/** Some receivers end a line at any line break, also inside a string, and take the rest for another line. */
function withoutBreaks(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, " ");
}
