/** Presence never goes back: no read returns an earlier `since` or `lastSeenAt` of a hub or device than a read before it, under faults of hub, line and cloud. */
import { type Random, seededRandom } from "@porchlight/shared/kernel";
import { expect, it } from "vitest";
import { casesOf, rounds } from "../parts/rounds.ts";
import { World } from "./world.ts";

interface Shown {
  readonly id: string;
  readonly connection?: { readonly state: string; readonly since: string; readonly lastSeenAt?: string };
}

/** What happens to the hub and its way to the cloud; each leaves the hub running and reachable, or not. */
const ACTS: Readonly<Record<string, (world: World) => unknown>> = {
  "the line breaks": ({ hub }) => hub.connection?.cut(),
  "the hub stands still": ({ hub }) => hub.stop(),
  "the hub goes on": ({ hub }) => hub.continue(),
  "the house loses its internet": ({ hub }) => hub.isolate(),
  "the house has it again": ({ hub }) => hub.rejoin(),
  "the hub is killed": ({ hub }) => hub.kill(),
  "the hub starts": ({ hub }) => (hub.running ? undefined : hub.start()),
  "the cloud stands still": ({ cloud }) => cloud.process.stop(),
  "the cloud goes on": ({ cloud }) => cloud.process.continue(),
  "the cloud is killed and starts": async ({ cloud }) => {
    await cloud.kill();
    await cloud.start();
  },
};

/** Each shown presence, by reader and object, in its order. */
class Readings {
  readonly #last = new Map<string, { readonly since: string; readonly lastSeenAt: string }>();
  readonly went: string[] = [];
  readonly states = new Set<string>();

  note(reader: string, { id, connection }: Shown, when: string): void {
    if (!connection) return;
    const key = `${reader} ${id}`;
    const { since, lastSeenAt = "", state } = connection;
    this.states.add(`${reader} ${state}`);
    const before = this.#last.get(key);
    if (before && since < before.since) this.went.push(`${key}: since ${before.since} -> ${since} (${state}), ${when}`);
    if (before && lastSeenAt !== "" && lastSeenAt < before.lastSeenAt)
      this.went.push(`${key}: lastSeenAt ${before.lastSeenAt} -> ${lastSeenAt} (${state}), ${when}`);
    this.#last.set(key, { since, lastSeenAt: lastSeenAt || (before?.lastSeenAt ?? "") });
  }
}

async function readAll(world: World, readings: Readings, when: string): Promise<void> {
  const { clientId } = world;
  const read = async (url: string) => (await world.get(url))?.body;
  const listed = async (url: string): Promise<Shown[]> => (await read(url))?.items ?? [];
  const client: Shown | undefined = await read(`/api/clients/${clientId}`);
  if (client) readings.note("GET hub", client, when);
  for (const each of await listed("/api/clients")) readings.note("list of hubs", each, when);
  const devices = await listed("/api/devices");
  for (const each of devices) readings.note("list of devices", each, when);
  const [first] = devices;
  const device: Shown | undefined = first && (await read(`/api/devices/${first.id}`));
  if (device) readings.note("GET device", device, when);
}

/** Hub and cloud run and reach each other again. */
async function mend(world: World): Promise<void> {
  world.cloud.process.continue();
  world.hub.continue();
  world.hub.rejoin();
  if (!world.hub.running) await world.hub.start();
  await world.calm();
}

/** Everything that can happen, again and again, each time in another order. */
async function live(world: World, random: Random, readings: Readings): Promise<void> {
  for (let round = 0; round < rounds(1, 15); round++) {
    for (const [what, act] of shuffled(Object.entries(ACTS), random)) {
      await act(world);
      const end = world.clock.monotonic() + random.fraction() * 25_000;
      do {
        await world.clock.advance(200 + random.fraction() * 600);
        if (world.cloud.running) await world.clock.until(readAll(world, readings, `round ${round}: ${what}`));
      } while (world.clock.monotonic() < end);
    }
  }
}

function shuffled<T>(all: readonly T[], random: Random): readonly T[] {
  return all
    .map((each) => ({ each, at: random.fraction() }))
    .sort((one, other) => one.at - other.at)
    .map(({ each }) => each);
}

it.each(casesOf([1], [2, 3, 4, 5, 6]))("presence never goes back, by any read of it (seed %i)", async (seed) => {
  await using world = await World.start({ seed });
  const readings = new Readings();
  await live(world, seededRandom(seed), readings);
  await mend(world);
  await world.clock.until(readAll(world, readings, "at the end"));
  expect(readings.went).toEqual([]);
  expect([...readings.states]).toEqual(
    expect.arrayContaining(["GET hub online", "GET hub unknown", "GET hub offline"]),
  );
});
