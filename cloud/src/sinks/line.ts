/**
 * A change of a property as a line of InfluxDB's line protocol: pure. The only file of the module that knows the
 * protocol.
 *
 * The library writes and escapes lines. Characters that it passes through and a receiver would misread are replaced
 * here.
 */
import { Point } from "@influxdata/influxdb-client";
import { parseTime } from "@porchlight/shared/api";
import type { LoggedEvent } from "../events/index.ts";

/** A change of a property to a known value. */
export interface ValueChange {
  readonly deviceId: string;
  readonly environmentId: string;
  readonly service: string;
  readonly index: string;
  readonly property: string;
  /** Parsed JSON. */
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

/** Undefined for an event that sets no property. */
export function changeOf({ type, data, createdAt, sequence, environmentId }: LoggedEvent): ValueChange | undefined {
  if (type !== "property.changed") return undefined;
  // The service wrote the data with the event.
  const { item } = JSON.parse(data) as { readonly item: ChangedItem };
  const { deviceId, service, index, property, value, modifiedAt } = item;
  if (value === undefined || value === null) return undefined;
  const time = timeOf(modifiedAt === undefined ? undefined : parseTime(modifiedAt), createdAt, sequence);
  return { deviceId, environmentId: environmentId ?? "", service, index, property, value, time };
}

/**
 * A time within the second of `modifiedAt`, so that changes of one property stay distinct and in the order of the log:
 * a receiver keeps one value for each series and time. The same event always has the same time. A value of unknown age
 * has the time of its event.
 */
function timeOf(modifiedAt: number | undefined, createdAt: number, sequence: number): string {
  const at = modifiedAt === undefined ? createdAt : Math.min(createdAt, modifiedAt + SECOND - 1);
  return String(BigInt(at) * BigInt(NANOSECONDS) + BigInt(sequence % NANOSECONDS));
}

/** @param alias of the device, if it has one */
export function lineOf(change: ValueChange, alias: string | undefined, measurementPrefix: string): string {
  const { deviceId, environmentId, service, index, property, value, time } = change;
  const point = new Point(plain(measurementPrefix + service))
    .tag("deviceId", deviceId)
    .tag("environmentId", environmentId)
    .tag("index", plain(index));
  if (alias !== undefined) point.tag("device", plain(alias));
  setField(point, plain(property), value);
  // A point with a field always has a line.
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

/** Replaces backslashes in a name or a tag: one before a comma or a space would escape it, and cannot be escaped itself. */
function plain(text: string): string {
  return withoutBreaks(text).replaceAll("\\", "/");
}

/** Some receivers end a line at any line break, even inside a string, and read the rest as another line. */
function withoutBreaks(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, " ");
}
