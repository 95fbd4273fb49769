/** A seeded run of everything at once: clients that write and read, people at the devices, and faults in every link and process. */
import { pick, type Random, randomInteger } from "@porchlight/shared/kernel";
import { BUTTON, LAMP, SWITCH, THERMOSTAT } from "./devices.ts";
import type { Fault } from "./faults.ts";
import type { DeviceWrite, Put, Refresh, RepeatedPut } from "./history.ts";
import { type HomeHistory, homeClients } from "./home-clients.ts";
import { nemesis } from "./nemesis.ts";
import type { World } from "./world.ts";

export interface ChaosHistory {
  readonly puts: Put[];
  readonly writes: DeviceWrite[];
  /** What the button's owner pressed, in order. */
  readonly presses: string[];
  readonly refreshes: Refresh[];
  readonly repeated: RepeatedPut[];
  /** The writes through the hub's own API; nothing when it serves none. */
  readonly home: HomeHistory;
  /** What the lamp had before any write, and then every write. */
  readonly begin: DeviceWrite[];
  /** Sentences about presence that was not true. */
  readonly lies: string[];
  /** The faults, for a person who reads a failing run. */
  readonly faults: string[];
}

/** Properties that clients write, with values that are never asked for twice. */
const TARGETS = [
  { device: LAMP, property: "LightColor.hue", from: 0, step: 0.01 },
  { device: LAMP, property: "LightLevel.level", from: 0, step: 0.002 },
  { device: THERMOSTAT, property: "Thermostat.target", from: 5, step: 0.01 },
] as const;
/** The same, by a client that repeats a write under its key until it is answered how it ended. */
const REPEATED = { device: LAMP, property: "LightColor.saturation", step: 0.01 } as const;
const MOST_ATTEMPTS = 6;

const EVENTS = ["press", "release", "double", "long"] as const;

/** How late after its deadline a command may touch hardware: the longest one-way delay of the network. */
export const LATE_MS = 400;

/** Longest time that a hub may be shown online after its last byte could have arrived, ms. */
const OFFLINE_WITHIN_MS = 20_000;

export async function chaos(
  world: World,
  random: Random,
  durationMs: number,
  faults: Readonly<Record<string, Fault>>,
): Promise<ChaosHistory> {
  const history: ChaosHistory = {
    puts: [],
    writes: [],
    presses: [],
    refreshes: [],
    repeated: [],
    home: { puts: [], repeated: [] },
    begin: [],
    lies: [],
    faults: [],
  };
  for (const [property, value] of world.device(LAMP).values)
    history.begin.push({ device: LAMP, property: property.replace(":0.", "."), value, at: Number.NEGATIVE_INFINITY });
  const end = world.clock.monotonic() + durationMs;
  const actors = [
    ...TARGETS.map((target, index) => writer(world, random, history, target, index, end)),
    repeater(world, random, history, end),
    reader(world, random, history, end),
    handyman(world, random, history, end),
    watcher(world, history, end),
    nemesis(world, random, { faults, pauseMs: [500, 8000], record: history.faults, end }),
    ...(world.servesAtHome ? homeClients(world, random, history.home, end) : []),
  ];
  await world.clock.until(Promise.all(actors), durationMs + 600_000);
  await world.calm();
  for (const device of new Set(TARGETS.map((target) => target.device))) {
    for (const write of world.writesOf(device)) {
      const { service, property } = write.address;
      // The device stamps by the wall clock, everything else here by the monotonic one.
      const at = write.at - world.clock.now() + world.clock.monotonic();
      history.writes.push({ device, property: `${service}.${property}`, value: write.value, at });
    }
  }
  return history;
}

async function writer(
  world: World,
  random: Random,
  history: ChaosHistory,
  target: (typeof TARGETS)[number],
  lane: number,
  end: number,
): Promise<void> {
  for (let n = 1; world.clock.monotonic() < end; n++) {
    await world.sleep(random.fraction() * 600);
    const value = Math.round((target.from + (n * TARGETS.length + lane) * target.step) * 1000) / 1000;
    const waitMs = 1000 * (1 + randomInteger(random, 5));
    const put: Put = { ...target, value, sentAt: world.clock.monotonic(), waitMs };
    history.puts.push(put);
    const { connection } = world.hub;
    const answer = await world.put(target.device, target.property, value, waitMs / 1000);
    if (!answer) continue;
    put.answer = { at: world.clock.monotonic(), ...answer };
    world.answered();
    if (answer.status !== 200) continue;
    const state = await world.hubState();
    const undisturbed = connection?.alive && connection === world.hub.connection && world.cloud.running;
    if (undisturbed && state !== "online") history.lies.push(`${state} right after a command has succeeded`);
  }
}

/** Repeats a write, as clients do without an answer, or with one that it was not carried out. */
async function repeater(world: World, random: Random, history: ChaosHistory, end: number): Promise<void> {
  const { device, property, step } = REPEATED;
  for (let n = 1; world.clock.monotonic() < end; n++) {
    const value = Math.round(n * step * 1000) / 1000;
    const put: RepeatedPut = { device, property, value, answers: [] };
    history.repeated.push(put);
    for (let attempt = 0; attempt < MOST_ATTEMPTS && put.answers.at(-1)?.status !== 200; attempt++) {
      await world.sleep(random.fraction() * 1500);
      const headers = { "idempotency-key": `value ${value}` };
      put.answers.push(await world.put(device, property, value, 1 + randomInteger(random, 4), headers));
    }
  }
}

async function reader(world: World, random: Random, history: ChaosHistory, end: number): Promise<void> {
  while (world.clock.monotonic() < end) {
    await world.sleep(2000 * random.fraction());
    const from = world.clock.monotonic();
    const answer = await world.get(`/api/environments/${world.environmentId}/services/LightColor?refresh=true`);
    const items: { service: string; property: string; value: unknown }[] = answer?.body.items ?? [];
    for (const { service, property, value } of items) {
      const to = world.clock.monotonic();
      history.refreshes.push({ device: LAMP, property: `${service}.${property}`, value, from, to });
    }
  }
}

/** A person at home: turns what clients do not write, and presses a button, never faster than the button can keep for a hub that is away. */
async function handyman(world: World, random: Random, history: ChaosHistory, end: number): Promise<void> {
  while (world.clock.monotonic() < end) {
    await world.sleep(300 + 1500 * random.fraction());
    world.maybe(THERMOSTAT)?.turn("Thermostat.target", 5 + randomInteger(random, 300) / 10);
    world.device(SWITCH).turn("Switch:1.on", random.fraction() < 0.5);
    if (world.unreported(BUTTON) > 2) continue;
    const event = pick(random, EVENTS);
    history.presses.push(event);
    world.device(BUTTON).press("Button.event", event);
  }
}

async function watcher(world: World, history: ChaosHistory, end: number): Promise<void> {
  while (world.clock.monotonic() < end) {
    await world.sleep(1000);
    const state = await world.hubState();
    const silentFor = world.clock.monotonic() - world.hub.reachableAt;
    if (state === "online" && silentFor > OFFLINE_WITHIN_MS)
      history.lies.push(`online ${Math.round(silentFor)} ms after its last byte`);
  }
}
