/**
 * Explains the state of a device's property: reads the stored facts, asks the hub, and combines both.
 *
 * Invariants: it writes nothing; each search reads a bounded number of rows; a hub that does not answer costs three
 * seconds, and its part is reported as unknown.
 */
import { type Device, formatTime, type Why as WhyResource } from "@porchlight/shared/api";
import type { Clock } from "@porchlight/shared/kernel";
import { type PropertyAddress, UNKNOWN_TIME } from "@porchlight/shared/model";
import { nameOf } from "@porchlight/shared/names";
import { SERVICE_TIMES } from "@porchlight/shared/presentation";
import { NO_VALUE } from "@porchlight/shared/rest";
import { type Caller, DEFAULT_META_PREFIX, type Resolved, showMeta } from "../access/index.ts";
import { type Devices, readCommand } from "../devices/index.ts";
import { one, type Store, statement } from "../store/index.ts";
import { type ClientSnapshot, type HubConnection, readClient } from "../tunnels/index.ts";
import { explain, newestCommands } from "./explain.ts";
import { type LastChange, lastChange } from "./last-change.ts";
import { askJournal, type Sight, senderOf } from "./shown-command.ts";

export interface WhyDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly devices: Devices;
  /** Returns the current connection of a client. */
  readonly presence: (client: ClientSnapshot) => HubConnection;
}

type Key = { eco: string; device: string; service: string; idx: string; property: string };
const selectStored = statement<Key>("value_to_explain")((db, p) =>
  db
    .selectFrom("property_values")
    .select(["value", "modified_at", "observed_at"])
    .where("ecosystem_id", "=", p.eco)
    .where("device_id", "=", p.device)
    .where("service", "=", p.service)
    .where("idx", "=", p.idx)
    .where("property", "=", p.property),
);

const selectScene = statement<{ eco: string; id: string }>("why_scene")((db, p) =>
  db
    .selectFrom("objects")
    .select(["alias", "meta"])
    .where("ecosystem_id", "=", p.eco)
    .where("id", "=", p.id)
    .where("gone_at", "is", null),
);

/** Longest validity of a command, which may precede the change of the value by that, ms. */
const LONGEST_TTL = 86_400_000;
/** How long commands are kept, ms. */
const KEPT = SERVICE_TIMES.commandsKept;
/** Maximum commands that are considered. */
const MOST = 5;
const NO_CHANGE: LastChange = { kind: "missing" };

export class Why {
  readonly #deps: WhyDeps;

  constructor(deps: WhyDeps) {
    this.#deps = deps;
  }

  /** @throws "Device Not Found", "Service Not Found", "Service Property Invalid", "Service Unavailable" */
  async of(
    caller: Caller,
    { ecosystemId, environmentId, id }: Resolved<"dev">,
    selector: string,
  ): Promise<WhyResource> {
    const { store, clock, devices, presence } = this.#deps;
    const place = { ecosystemId, environmentId: environmentId ?? "", deviceId: id };
    const property = await devices.property(place, selector);
    const device = devices.show(await devices.get(ecosystemId, id), DEFAULT_META_PREFIX);
    const { service, index, property: name, description } = property;
    const address: PropertyAddress = { service, index, property: name };
    const hub = device.clientId === undefined ? undefined : { ecosystemId, clientId: device.clientId };
    const [journal, way, stored] = await Promise.all([
      askJournal(devices, hub, { device: device.edgeId ?? "", ...address }),
      wayTo(store, presence, device),
      this.#stored(ecosystemId, id, address),
    ]);
    const now = clock.now();
    const since = stored && stored.modifiedAt !== UNKNOWN_TIME ? stored.modifiedAt - LONGEST_TTL : now - KEPT;
    const { sql } = store.of(ecosystemId);
    const [change, newest] = await Promise.all([
      stored ? lastChange(store, place, address, stored.modifiedAt) : NO_CHANGE,
      newestCommands(sql, { ...place, ...address }, { since, until: now, most: MOST }),
    ]);
    const cause = change.kind === "found" ? change.change.cause : undefined;
    const causing = cause?.commandId === undefined ? undefined : await readCommand(sql, ecosystemId, cause.commandId);
    const sceneName = cause?.sceneId === undefined ? undefined : await this.#sceneName(ecosystemId, cause.sceneId);
    const sight: Sight = caller.kind === "user" ? "name" : "all";
    const tokenIds = [cause?.tokenId, causing?.token_id, ...newest.rows.map((row) => row.token_id)];
    const known = { stored, change, causing, newest, sceneName };
    const facts = { ...known, isVirtual: hub === undefined, ...{ journal, sight, now } };
    const senders = await this.#senders(ecosystemId, tokenIds, sight);
    return {
      deviceId: id,
      deviceName: nameOf(device),
      ...address,
      ...(description.unit !== undefined && { unit: description.unit }),
      answeredAt: formatTime(now),
      ...(way.hub && { hub: way.hub }),
      ...explain({ ...facts, senders, obstacles: way.obstacles }),
    };
  }

  async #stored(eco: string, device: string, { service, index: idx, property }: PropertyAddress) {
    const { sql } = this.#deps.store.of(eco);
    const row = await one(sql.all(selectStored, { eco, device, service, idx, property }));
    if (!row || row.value === NO_VALUE) return undefined;
    return { value: row.value, modifiedAt: row.modified_at, observedAt: row.observed_at };
  }

  /** Undefined for a deleted scene. */
  async #sceneName(eco: string, id: string): Promise<string | undefined> {
    const row = await one(this.#deps.store.of(eco).sql.all(selectScene, { eco, id }));
    return row && nameOf({ id, alias: row.alias, meta: showMeta(row.meta, DEFAULT_META_PREFIX) });
  }

  /** Looks up each token once. */
  async #senders(ecosystemId: string, tokenIds: readonly (string | null | undefined)[], sight: Sight) {
    const ids = [...new Set(tokenIds)].filter((id) => typeof id === "string");
    const named = ids.map(async (id) => [id, await senderOf(this.#deps.store, ecosystemId, id, sight)] as const);
    return new Map(await Promise.all(named));
  }
}

/** The present obstacles on the way to a device: its hub, or the device behind it. */
interface Way {
  readonly hub: WhyResource["hub"];
  readonly obstacles: WhyResource["obstacles"];
}

/** @throws "Service Unavailable" */
async function wayTo(
  store: Store,
  presence: (client: ClientSnapshot) => HubConnection,
  { ecosystemId, clientId, connection }: Pick<Device, "ecosystemId" | "clientId" | "connection">,
): Promise<Way> {
  const client =
    clientId === undefined ? undefined : await readClient(store.of(ecosystemId).sql, ecosystemId, clientId);
  if (!client) return { hub: undefined, obstacles: [] };
  const name = nameOf({ id: client.id, alias: client.alias, meta: showMeta(client.meta, DEFAULT_META_PREFIX) });
  return { hub: { id: client.id, name }, obstacles: obstaclesOf(presence(client), connection) };
}

/** While the hub is offline the state of its devices is unknown. */
function obstaclesOf(
  { state, since, reason }: Pick<HubConnection, "state" | "since" | "reason">,
  device: Device["connection"],
): WhyResource["obstacles"] {
  if (state === "offline")
    return [{ kind: "hub_offline", since: formatTime(since), ...(reason !== undefined && { reason }) }];
  if (state === "unknown") return [{ kind: "hub_offline", isUnsure: true }];
  return device?.state === "offline" ? [{ kind: "device_offline", since: device.since }] : [];
}
