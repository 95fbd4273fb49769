/**
 * The current state and its position in the log: read in slices, so that other work is not delayed, and then advanced
 * to a single moment by the events since.
 */
import { device, propertyItem } from "@porchlight/shared/api";
import { wants } from "@porchlight/shared/events";
import { z } from "zod";
import { type Caller, principalOf, type Revocation } from "../access/index.ts";
import { currentItems } from "../devices/index.ts";
import type { LoggedEvent, LogReader } from "../events/index.ts";
import type { Store } from "../store/index.ts";

interface KnownDevice {
  readonly environmentId: string;
  /** The hub it lives on; null for a virtual device. */
  clientId: string | null;
  /** By service, index and property: the item as JSON. */
  readonly items: Map<string, string>;
}

// Parses only what the fold uses: the rest of an item is sent as it was stored.
const changed = z.object({
  item: propertyItem.pick({ deviceId: true, service: true, index: true, property: true, value: true }).loose(),
});
const deviceData = device.pick({ id: true, environmentId: true, clientId: true });
const goneObject = z.object({ id: z.string() });

/**
 * The state at a sequence: the items of every living device, advanced event by event. It is the fold that a consumer of
 * the log makes, so that a snapshot read in slices, while the log continues, can be advanced to a single moment.
 */
class SnapshotProjection {
  readonly #devices = new Map<string, KnownDevice>();
  /** Devices whose set of properties may have changed, which no event reports one by one. */
  readonly redescribed = new Set<string>();

  putDevice(id: string, environmentId: string, clientId: string | null): void {
    const known = this.#devices.get(id);
    if (known) known.clientId = clientId;
    else this.#devices.set(id, { environmentId, clientId, items: new Map() });
  }

  /** @param text JSON of the item */
  putItem(deviceId: string, key: string, text: string): void {
    this.#devices.get(deviceId)?.items.set(key, text);
  }

  /** Deletes the items of properties that the device no longer has. */
  keepItems(deviceId: string, keys: ReadonlySet<string>): void {
    const items = this.#devices.get(deviceId)?.items;
    for (const key of items?.keys() ?? []) if (!keys.has(key)) items?.delete(key);
  }

  /** Applies the next event. */
  apply({ type, data }: Pick<LoggedEvent, "type" | "data">): void {
    switch (type) {
      case "property.changed":
        this.#change(changed.parse(JSON.parse(data)).item);
        break;
      case "device.added":
      case "device.updated": {
        const { id, environmentId, clientId } = deviceData.parse(JSON.parse(data));
        this.putDevice(id, environmentId, clientId ?? null);
        this.redescribed.add(id);
        break;
      }
      case "device.removed":
        this.#devices.delete(goneObject.parse(JSON.parse(data)).id);
        break;
      case "hub.removed": {
        const { id } = goneObject.parse(JSON.parse(data));
        this.#drop((known) => known.clientId === id);
        break;
      }
      case "environment.deleted": {
        const { id } = goneObject.parse(JSON.parse(data));
        this.#drop((known) => known.environmentId === id);
      }
    }
  }

  /** JSON of every item. */
  *items(): Generator<string> {
    for (const { items } of this.#devices.values()) yield* items.values();
  }

  #change(item: z.output<typeof changed>["item"]): void {
    const items = this.#devices.get(item.deviceId)?.items;
    const key = itemKey(item);
    if (item.value === null) items?.delete(key);
    else items?.set(key, JSON.stringify(item));
  }

  #drop(isGone: (known: KnownDevice) => boolean): void {
    for (const [id, known] of this.#devices) if (isGone(known)) this.#devices.delete(id);
  }
}

function itemKey(item: { readonly service: string; readonly index: string; readonly property: string }): string {
  return `${item.service}:${item.index}.${item.property}`;
}

export interface Snapshot {
  readonly sequence: number;
  /** JSON of each item. */
  readonly items: Iterable<string>;
}

interface SnapshotDeps {
  readonly store: Store;
  readonly reader: LogReader;
}

/** @throws "Service Unavailable" */
export async function takeSnapshot(deps: SnapshotDeps, scope: StreamScope, caller: Caller): Promise<Snapshot> {
  const { ecosystemId } = scope;
  const environments = environmentsOf(scope, caller);
  for (;;) {
    const begin = await deps.reader.newest(ecosystemId);
    const projection = new SnapshotProjection();
    for (const environmentId of environments ?? [undefined])
      await readInto(deps, projection, ecosystemId, environmentId);
    const sequence = await deps.reader.newest(ecosystemId);
    if (!(await moveOn(deps, projection, ecosystemId, begin, sequence, environments))) continue;
    return { sequence, items: projection.items() };
  }
}

/** Undefined: the whole ecosystem. */
function environmentsOf(scope: StreamScope, caller: Caller): ReadonlySet<string> | undefined {
  if (scope.environmentId !== undefined) return new Set([scope.environmentId]);
  return caller.kind === "user" ? caller.environmentIds : undefined;
}

async function readInto(
  { store }: SnapshotDeps,
  projection: SnapshotProjection,
  ecosystemId: string,
  environmentId: string | undefined,
): Promise<void> {
  for await (const device of currentItems(store.of(ecosystemId).sql, { ecosystemId, environmentId })) {
    projection.putDevice(device.id, device.environmentId, device.clientId);
    for (const [key, text] of device.items) projection.putItem(device.id, key, text);
  }
}

/** Returns false when some of the events since are no longer stored: the snapshot is read again. */
async function moveOn(
  { store, reader }: SnapshotDeps,
  projection: SnapshotProjection,
  ecosystemId: string,
  begin: number,
  end: number,
  environments: ReadonlySet<string> | undefined,
): Promise<boolean> {
  for (let at = begin; at < end; ) {
    const slice = await reader.read(ecosystemId, at, Math.min(500, end - at));
    if (slice.kind === "lost") return false;
    for (const event of slice.events) {
      at = event.sequence;
      const { environmentId } = event;
      if (environmentId !== undefined && (environments?.has(environmentId) ?? true)) projection.apply(event);
    }
  }
  for (const deviceId of projection.redescribed) {
    for await (const device of currentItems(store.of(ecosystemId).sql, { ecosystemId, deviceId }))
      projection.keepItems(deviceId, new Set(device.items.keys()));
  }
  return true;
}

/** The events that a stream sends: pure. For a user this is decided for each event, because its access may change meanwhile. */
export interface StreamScope {
  readonly ecosystemId: string;
  /** Restricts the events to this environment. */
  readonly environmentId: string | undefined;
  /** Patterns of types. */
  readonly types: readonly string[];
}

/** Whether the caller may see the event and has subscribed to it. */
export function includesEvent(
  scope: StreamScope,
  caller: Caller,
  event: Pick<LoggedEvent, "type" | "environmentId">,
): boolean {
  const { environmentId } = event;
  if (scope.environmentId !== undefined && environmentId !== scope.environmentId) return false;
  if (caller.kind === "user" && (environmentId === undefined || !caller.environmentIds.has(environmentId)))
    return false;
  return wants(scope.types, event.type);
}

/** Whether the stream may continue with this authenticated caller. */
export function isOpenTo(scope: StreamScope, caller: Caller): boolean {
  switch (caller.kind) {
    case "account":
      return caller.ecosystemIds.includes(scope.ecosystemId);
    case "server":
      return caller.ecosystemId === scope.ecosystemId;
    case "user":
      return (
        caller.ecosystemId === scope.ecosystemId &&
        (scope.environmentId === undefined || caller.environmentIds.has(scope.environmentId))
      );
  }
}

/** Whether a revocation may affect the caller or the stream. */
export function concerns(scope: StreamScope, caller: Caller, revocation: Revocation): boolean {
  const { subjectId } = revocation;
  switch (revocation.kind) {
    case "token":
      return caller.tokenId === revocation.tokenId;
    case "subject":
    case "access":
      return principalOf(caller) === subjectId;
    case "environment":
      return scope.environmentId === subjectId || (caller.kind === "user" && caller.environmentIds.has(subjectId));
    case "ecosystem":
      return scope.ecosystemId === subjectId;
  }
}

/** Whether the event is the last one that the stream can send. */
export function endsWith(scope: StreamScope, event: Pick<LoggedEvent, "type" | "environmentId">): boolean {
  return (
    scope.environmentId !== undefined &&
    event.type === "environment.deleted" &&
    event.environmentId === scope.environmentId
  );
}
