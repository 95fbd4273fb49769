/** A seeded run of everything at once: clients that write and read, people at the devices, and faults in every link and process. */
import { pick, type Random, randomInteger } from "@porchlight/shared/kernel";
import type { DeviceWrite, Put } from "./history.ts";
import type { World } from "./world.ts";

export const LAMP = "02-50-4C-51-00-01";
export const SWITCH = "02-50-4C-52-00-01";
export const THERMOSTAT = "02-50-4C-52-00-02";
export const BUTTON = "02-50-4C-52-00-04";

export interface ChaosHistory {
  readonly puts: Put[];
  readonly writes: DeviceWrite[];
  /** What the button's owner pressed, in order. */
  readonly presses: string[];
  /** Sentences about presence that was not true. */
  readonly lies: string[];
  /** What was broken, for a person who reads a failing run. */
  readonly faults: string[];
}

/** Properties that clients write, with values that are never asked for twice. */
const TARGETS = [
  { device: LAMP, property: "LightColor.hue", step: 0.01 },
  { device: LAMP, property: "LightLevel.level", step: 0.002 },
] as const;

const EVENTS = ["press", "release", "double", "long"] as const;

/** How late after its deadline a command may touch hardware: the longest one-way delay of the network. */
export const LATE_MS = 400;

/** Longest time that a hub may be shown online after its last byte could have arrived, ms. */
const OFFLINE_WITHIN_MS = 20_000;

export async function chaos(world: World, random: Random, durationMs: number): Promise<ChaosHistory> {
  const history: ChaosHistory = { puts: [], writes: [], presses: [], lies: [], faults: [] };
  const end = world.clock.monotonic() + durationMs;
  const actors = [
    ...TARGETS.map((target, index) => writer(world, random, history, target, index, end)),
    reader(world, random, end),
    handyman(world, random, history, end),
    watcher(world, history, end),
    nemesis(world, random, history, end),
  ];
  await world.clock.until(Promise.all(actors), durationMs + 600_000);
  await world.calm();
  for (const { device } of TARGETS.slice(0, 1)) {
    for (const write of world.device(device).writes) {
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
    const value = Math.round((n * 2 + lane) * target.step * 1000) / 1000;
    const waitMs = 1000 * (1 + randomInteger(random, 5));
    const put: Put = { ...target, value, sentAt: world.clock.monotonic(), waitMs };
    history.puts.push(put);
    const answer = await world.put(target.device, target.property, value, waitMs / 1000);
    if (answer) put.answer = { at: world.clock.monotonic(), ...answer };
  }
}

async function reader(world: World, random: Random, end: number): Promise<void> {
  while (world.clock.monotonic() < end) {
    await world.sleep(2000 * random.fraction());
    await world.get(`/api/environments/${world.environmentId}/services/LightColor?refresh=true`);
  }
}

/** Somebody at home: turns what clients do not write, and presses a button, never faster than the button can keep for a hub that is away. */
async function handyman(world: World, random: Random, history: ChaosHistory, end: number): Promise<void> {
  while (world.clock.monotonic() < end) {
    await world.sleep(300 + 1500 * random.fraction());
    world.device(THERMOSTAT).turn("Thermostat.target", 5 + randomInteger(random, 300) / 10);
    world.device(SWITCH).turn("Switch:1.on", random.fraction() < 0.5);
    if (world.untold(BUTTON) > 2) continue;
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

type Fault = (world: World, random: Random) => Promise<void>;

const FAULTS: Readonly<Record<string, Fault>> = {
  "cut the connection": async (world) => world.hub.connection?.cut(),
  "let the connection die silently": async (world) => world.hub.connection?.die(),
  "isolate the hub": async (world, random) => {
    world.hub.isolate();
    await world.sleep(random.fraction() * 40_000);
    world.hub.rejoin();
  },
  "stall the connection": async (world, random) => {
    const { connection } = world.hub;
    connection?.stall();
    await world.sleep(random.fraction() * 12_000);
    connection?.release();
  },
  "kill the hub": async (world, random) => {
    world.hub.kill();
    await world.sleep(random.fraction() * 15_000);
    await world.hub.start();
  },
  "stop the hub": async (world, random) => {
    world.hub.stop();
    await world.sleep(random.fraction() * 25_000);
    world.hub.continue();
  },
  "kill the cloud": async (world, random) => {
    world.cloud.kill();
    await world.sleep(random.fraction() * 10_000);
    await world.cloud.start();
  },
  "unplug a line": async (world, random) => {
    const line = pick(random, world.lines);
    line.unplug();
    await world.sleep(random.fraction() * 8000);
    line.plug();
  },
  "disturb a line": async (world, random) => {
    const line = pick(random, world.lines);
    line.noise = { drop: 0.05, corrupt: 0.05, duplicate: 0.05 };
    await world.sleep(random.fraction() * 10_000);
    line.noise = { drop: 0, corrupt: 0, duplicate: 0 };
  },
};

async function nemesis(world: World, random: Random, history: ChaosHistory, end: number): Promise<void> {
  const names = Object.keys(FAULTS) as [string, ...string[]];
  while (world.clock.monotonic() < end) {
    await world.sleep(500 + random.fraction() * 8000);
    const name = pick(random, names);
    history.faults.push(`${Math.round(world.clock.monotonic())} ms: ${name}`);
    await FAULTS[name]?.(world, random);
  }
}
