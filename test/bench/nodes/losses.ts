/** What was acknowledged and is not there, and what is there twice: of commands, of hubs' own reports, and of the events of both; read past the service. */
import { Client } from "pg";
import type { ClusterHome } from "../../cluster/cluster-home.ts";
import type { AnsweredPut } from "./callers.ts";

export interface Losses {
  readonly lost: number;
  readonly twice: number;
}

/** @param database of the service, which has come to rest */
export async function losses(database: string, home: ClusterHome, puts: readonly AnsweredPut[]): Promise<Losses> {
  const client = new Client(database);
  await client.connect();
  try {
    const commands = await client.query<{ id: string }>("select id from commands where state = 'confirmed'");
    const stored = new Set(commands.rows.map(({ id }) => id));
    const acts = countsOf(home.truth.acts.map(({ commandId }) => commandId));
    const events = await client.query<{ data: string }>(
      "select data from events where ecosystem_id = $1 and type = 'property.changed'",
      [home.ecosystemId],
    );
    const edgeIds = new Map(home.devices.map(({ id, edgeId }) => [id, edgeId]));
    const told = countsOf(
      events.rows.map(({ data }) => {
        const { item } = JSON.parse(data);
        return wordOf(edgeIds.get(item.deviceId), `${item.service}.${item.property}`, item.value);
      }),
    );
    const acknowledged = home.truth.reports.filter(({ ackedAt }) => ackedAt !== undefined);
    const expected = [
      ...puts.map(({ device, value }) => wordOf(device.edgeId, "LightColor.hue", value)),
      ...acknowledged.map(({ device, property, value }) => wordOf(device, property, value)),
    ];
    return {
      lost:
        puts.filter(({ commandId }) => !stored.has(commandId) || !acts.has(commandId)).length +
        expected.filter((word) => !told.has(word)).length,
      twice: [...acts.values(), ...told.values()].filter((count) => count > 1).length,
    };
  } finally {
    await client.end();
  }
}

function wordOf(device: string | undefined, property: string, value: unknown): string {
  return `${device} ${property} ${value}`;
}

function countsOf(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
