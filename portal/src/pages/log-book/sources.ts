/** Selects the parts of the event log for the log book of a device, a zone or an environment. Pure. */
import type { EventLogFilter, PorchlightEvent } from "@porchlight/sdk";
import { wants } from "@porchlight/shared/events";
import { LOG_KINDS, type LogKind } from "@porchlight/shared/presentation";

/** The object of the log book. */
export interface LogBookScope {
  readonly ecosystemId: string;
  readonly environmentId: string;
  /** One device, with the presence of its hub. */
  readonly device?: { readonly id: string; readonly hubId: string | undefined } | undefined;
  /** A zone: its own events, its devices, and the presence of their hubs. */
  readonly zone?:
    | { readonly id: string; readonly deviceIds: ReadonlySet<string>; readonly hubIds: ReadonlySet<string> }
    | undefined;
}

export interface LogBookFilter {
  readonly kind?: LogKind | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

export interface LogSource {
  readonly filter: EventLogFilter;
  /** Whether the log book shows an event that matches the filter. */
  readonly isShown: (event: PorchlightEvent) => boolean;
}

const PRESENCE = ["hub.online", "hub.offline", "hub.restarted", "hub.duplicate"];

/** Returns at least one source. */
export function sourcesOf(
  scope: LogBookScope,
  { kind, since, until }: LogBookFilter,
): readonly [LogSource, LogSource?] {
  const { ecosystemId, environmentId, device, zone } = scope;
  const types = kind && LOG_KINDS[kind];
  const place = { ecosystemId, since, until };
  if (!device) {
    const isShown = zone ? (event: PorchlightEvent) => isOfZone(zone, event) : () => true;
    return [{ filter: { ...place, environmentId, types }, isShown }];
  }
  const own: LogSource = {
    filter: { ...place, deviceId: device.id, types },
    isShown: (event) => deviceIdOf(event) === device.id,
  };
  const { hubId } = device;
  if (hubId === undefined || (kind !== undefined && kind !== "connections")) return [own];
  return [
    own,
    {
      filter: { ...place, environmentId, types: PRESENCE },
      isShown: (event) => isOf(event, "hub") && idOf(event) === hubId,
    },
  ];
}

/** Whether a live event belongs to the source. */
export function isNews({ filter, isShown }: LogSource, event: PorchlightEvent): boolean {
  const { types = ["*"], environmentId, ecosystemId, until } = filter;
  if (event.ecosystemId !== ecosystemId || until !== undefined) return false;
  if (environmentId !== undefined && event.environmentId !== environmentId) return false;
  return wants(types, event.type) && isShown(event);
}

/** IDs of the scene and the token that caused an event. */
export function originOf(event: PorchlightEvent): { readonly sceneId?: string; readonly tokenId?: string } {
  if (event.type === "property.changed") return event.data.cause;
  const { sceneId, tokenId } = partsOf(event.data);
  return { ...(typeof sceneId === "string" && { sceneId }), ...(typeof tokenId === "string" && { tokenId }) };
}

function isOfZone({ id, deviceIds, hubIds }: NonNullable<LogBookScope["zone"]>, event: PorchlightEvent): boolean {
  if (isOf(event, "zone")) return idOf(event) === id;
  if (isOf(event, "hub")) return PRESENCE.includes(event.type) && hubIds.has(idOf(event) ?? "");
  return deviceIds.has(deviceIdOf(event) ?? "");
}

function isOf({ type }: PorchlightEvent, prefix: string): boolean {
  return type.startsWith(`${prefix}.`);
}

function deviceIdOf(event: PorchlightEvent): string | undefined {
  if (event.type === "property.changed") return event.data.item.deviceId;
  if (event.type === "command.completed" || event.type === "command.unconfirmed") return event.data.deviceId;
  return isOf(event, "device") ? idOf(event) : undefined;
}

function idOf({ data }: PorchlightEvent): string | undefined {
  const { id } = partsOf(data);
  return typeof id === "string" ? id : undefined;
}

function partsOf(data: unknown): Readonly<Record<string, unknown>> {
  return typeof data === "object" && data !== null ? { ...data } : {};
}
