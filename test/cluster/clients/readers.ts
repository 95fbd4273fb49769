/** Clients that look: at values in the cache and at devices, and at which hubs are online. Each answer goes into the history as it came. */
import { pick } from "@porchlight/shared/kernel";
import type { HomeDevice } from "../cluster-home.ts";
import type { Load } from "./load.ts";

interface Item {
  readonly deviceId: string;
  readonly service: string;
  readonly property: string;
  readonly value: unknown;
}

/** Values that devices report by themselves are not refreshed: a value that is read overtakes those reported before it, which are then no events. */
const REFRESHED = ["LightColor", "LightLevel"] as const;
const SERVICES = [...REFRESHED, "Illuminance"] as const;
const REFRESH_SECONDS = 3;

/** Reads one device or all, mostly from the cache. */
export async function reader(load: Load): Promise<void> {
  const [first, ...others] = load.home.devices;
  if (first === undefined) return;
  while (!load.isOver) {
    const device: HomeDevice = pick(load.random, [first, ...others]);
    const refreshed = load.random.fraction() < 0.2;
    const of = load.random.fraction() < 0.5 ? `devices/${device.id}` : `environments/${load.home.environmentId}`;
    const service = pick<string>(load.random, refreshed ? REFRESHED : SERVICES);
    const path = `/api/${of}/services/${service}${refreshed ? "?refresh=true" : ""}`;
    const where = load.where();
    const begin = load.clock.monotonic();
    const headers = { prefer: `wait=${REFRESH_SECONDS}` };
    const reply = await load.ask(where, "GET", path, { headers, waitMs: REFRESH_SECONDS * 1000 });
    const end = load.clock.monotonic();
    const items: Item[] = reply?.status === 200 ? reply.body.items : [];
    for (const { deviceId, service, property, value } of items) {
      const edgeId = load.edgeId(deviceId);
      if (edgeId === undefined) continue;
      load.history.reads.push({
        ...where,
        device: edgeId,
        property: `${service}.${property}`,
        value,
        begin,
        end,
        refreshed,
      });
    }
    await load.pause(10, 150);
  }
}

/** Looks at the connection of every hub. */
export async function watcher(load: Load): Promise<void> {
  const hubs = new Set(load.home.hubs.map(({ clientId }) => clientId));
  while (!load.isOver) {
    const where = load.where();
    const begin = load.clock.monotonic();
    const reply = await load.ask(where, "GET", "/api/clients", { waitMs: 2000 });
    const end = load.clock.monotonic();
    const items: { id: string; connection: { state: string } }[] = reply?.status === 200 ? reply.body.items : [];
    for (const { id, connection } of items)
      if (hubs.has(id)) load.history.looks.push({ node: where.node, hub: id, state: connection.state, begin, end });
    await load.pause(100, 300);
  }
}

/** The devices of a hub report by themselves how bright it is. */
export async function reporter(load: Load, device: HomeDevice): Promise<void> {
  while (!load.isOver) {
    device.hub.report(device.edgeId, load.value());
    await load.pause(30, 250);
  }
}
