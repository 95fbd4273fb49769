/** The end of a run: every fault is over, and work under way gets the time that it may need; then the state is read past the service. */
import { Client } from "pg";
import { eventually } from "../../parts/eventually.ts";
import { eventSeenIn } from "../clients/event-seen.ts";
import type { Load } from "../clients/load.ts";
import type { EventSeen, Final } from "../history/history.ts";

/** Longest that anything may take to be as it must be: hubs back, records acknowledged, commands settled, all events sent, ms. */
const CALM_MS = 90_000;
const PROPERTIES = ["LightColor.hue", "LightColor.saturation", "LightLevel.level", "Illuminance.lux"] as const;

/**
 * Waits until the cluster is at rest. What never comes to rest is not thrown: the judge names it.
 * @returns the waits that were not over within the patience
 */
export async function calm(load: Load): Promise<string[]> {
  const { home, cluster } = load;
  const awaited: string[] = [];
  const until = load.clock.monotonic() + CALM_MS;
  const rest = async (what: string, isSo: () => Promise<boolean> | boolean) => {
    const left = Math.max(1000, until - load.clock.monotonic());
    await eventually(what, async () => ((await isSo()) ? true : undefined), left).catch((error: Error) => {
      awaited.push(error.message);
    });
  };
  cluster.heal();
  await rest("every hub has a tunnel", () => home.hubs.every((hub) => hub.live));
  await rest("every record is acknowledged", () => home.hubs.every((hub) => hub.queued === 0));
  await rest("every command is settled", async () => {
    const [open] = await query(load, "select count(*)::int as n from commands where state in ('queued', 'sent')");
    return open?.n === 0;
  });
  await rest("all events were sent", async () => {
    const [newest] = await query(load, "select max(sequence)::int as n from events where ecosystem_id = $1", [
      home.ecosystemId,
    ]);
    const last = Number(newest?.n);
    const { streams, deliveries } = load.history;
    return streams.every(({ events }) => events.at(-1)?.sequence === last) && isDelivered(load, deliveries, last);
  });
  return awaited;
}

/** Whether everything from the hook's beginning to that sequence has arrived. */
function isDelivered({ history }: Load, deliveries: readonly EventSeen[], last: number): boolean {
  const arrived = new Set(deliveries.map(({ sequence }) => sequence)).size;
  return arrived >= last - history.hookAfter;
}

/** What the store and every node have in the end. */
export async function gather(load: Load): Promise<Final> {
  const events = await query(
    load,
    "select sequence::int, id, type, data from events where ecosystem_id = $1 order by sequence",
    [load.home.ecosystemId],
  );
  const commands = await query(load, "select id, state from commands");
  return {
    log: events.map(({ data, ...event }) =>
      eventSeenIn(load, JSON.stringify({ ...event, data: JSON.parse(String(data)) })),
    ),
    commands: commands.map(({ id, state }) => ({ id: String(id), state: String(state) })),
    values: await finalValues(load),
  };
}

async function finalValues(load: Load): Promise<Final["values"]> {
  const { nodes } = load.cluster;
  const all = nodes.flatMap((node) => load.home.devices.map((device) => ({ node, device })));
  const values: Final["values"][number][] = [];
  for (const { node, device } of all) {
    const { name, url } = node;
    for (const selector of PROPERTIES) {
      const path = `/api/devices/${device.id}/services/${selector}`;
      const reply = await load.ask({ node: name, url }, "GET", path);
      const [service = "", property = ""] = selector.split(".");
      const held = device.hub.held({ device: device.edgeId, service, index: "0", property });
      values.push({
        node: name,
        device: device.edgeId,
        property: selector,
        shown: reply?.body.items?.[0]?.value,
        held,
      });
    }
  }
  return values;
}

/** Asks the database past the service and past every line that may be broken. */
export async function query(
  { cluster }: Pick<Load, "cluster">,
  text: string,
  values: readonly unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const client = new Client(cluster.postgres.url);
  await client.connect();
  try {
    return (await client.query(text, [...values])).rows;
  } finally {
    await client.end();
  }
}
