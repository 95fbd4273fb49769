/** What the chaos breaks: each fault begins, lasts, and ends by itself. Its own file, so that a new one is one entry. */
import type { SimulatedNode } from "@porchlight/firmware-sim";
import { pick, type Random, randomInteger, settle } from "@porchlight/shared/kernel";
import { LAMP, THERMOSTAT } from "./devices.ts";
import type { Way } from "./network.ts";
import type { World } from "./world.ts";

export type Fault = (world: World, random: Random) => Promise<void>;

export const FAULTS: Readonly<Record<string, Fault>> = {
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
    await settle(randomInteger(random, 8));
    world.hub.kill();
    await world.sleep(random.fraction() * 15_000);
    await world.hub.start();
  },
  "stop the hub": async (world, random) => {
    world.hub.stop();
    await world.sleep(random.fraction() * 25_000);
    world.hub.continue();
  },
  "kill the hub and start it at once": async (world, random) => {
    await settle(randomInteger(random, 8));
    world.hub.kill();
    await world.hub.start();
  },
  "kill the cloud": async (world, random) => {
    await settle(randomInteger(random, 8));
    world.cloud.kill();
    await world.sleep(random.fraction() * 10_000);
    await world.cloud.start();
  },
  "kill the cloud as it answers": async (world, random) => {
    await world.nextAnswer(5000);
    await settle(randomInteger(random, 4));
    world.cloud.kill();
    await settle();
    await world.cloud.start();
  },
  "kill the hub as the cloud answers": async (world, random) => {
    await world.nextAnswer(5000);
    await settle(randomInteger(random, 4));
    world.hub.kill();
    await world.hub.start();
  },
  // Reports that a node has not sent yet are lost with its memory, so only a node without any reboots here.
  "reboot a node": async (world, random) => {
    const node = pick(random, world.nodes as readonly [SimulatedNode, ...SimulatedNode[]]);
    if (node.untold === 0) node.reboot();
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

/** Disks that refuse for a while, one write in some or every one. Apart, because seeds that found a defect before there were these are repeated without. */
export const DISK_FAULTS: Readonly<Record<string, Fault>> = {
  "the cloud's disk refuses": async (world, random) => {
    const { disk } = world.cloud;
    disk.refuse(pick(random, CHANCES));
    await world.sleep(random.fraction() * 8000);
    disk.refuse(0);
  },
  "the hub's disk refuses": async (world, random) => {
    const { disk } = world.hub;
    disk.refuse(pick(random, CHANCES));
    await world.sleep(random.fraction() * 8000);
    disk.refuse(0);
  },
};

const CHANCES = [0.05, 0.3, 1] as const;

/** The longest that a node stands still, ms: what is in its buffer by then cannot be taken back. */
export const STANDS_STILL_MS = 4000;

/** Devices that stand still, are busy or leave, and a line that is late one way only: what hubs met in real homes. */
export const LATER_FAULTS: Readonly<Record<string, Fault>> = {
  "hold up what the hub says": (world, random) => late(world, random, "what the hub says"),
  "hold up what the cloud says": (world, random) => late(world, random, "what the cloud says"),
  "stand still and turn requests away": async (world, random) => {
    const [line] = world.lines;
    line.standStill();
    await world.sleep(random.fraction() * STANDS_STILL_MS);
    world.device(LAMP).fail({ mode: "busy", times: 1 + randomInteger(random, 3) });
    line.goOn();
    await world.sleep(random.fraction() * 3000);
    world.device(LAMP).fail({ mode: "none" });
  },
  "stand still": async (world, random) => {
    const line = pick(random, world.lines);
    line.standStill();
    await world.sleep(random.fraction() * STANDS_STILL_MS);
    line.goOn();
  },
  "a device leaves its bridge and comes back": async (world, random) => {
    const comeBack = world.leaveBridge(THERMOSTAT);
    await world.sleep(random.fraction() * 6000);
    comeBack();
  },
  "kill and reboot at once": async (world) => {
    const [node] = world.nodes;
    if (node && node.untold === 0) node.reboot();
    world.hub.kill();
    await world.hub.start();
  },
};

/** Longest time until a device answers a WRITE, ms (B5). */
const ANSWERS_WITHIN_MS = 300;
/** After so long without a hub a node is back at HELLO, ms: the silence, and three PINGs. */
const HELLO_AFTER_MS = 8000;

/** Answers with former values (B9), and a hub that stands still after an answer was lost (S5, B7). */
export const ANSWER_FAULTS: Readonly<Record<string, Fault>> = {
  "answer late with what was so before": async (world, random) => {
    const [line] = world.lines;
    const devices = [LAMP, THERMOSTAT].flatMap((edgeId) => world.maybe(edgeId) ?? []);
    for (const device of devices)
      device.fail({ mode: "stale", ms: 20 + randomInteger(random, ANSWERS_WITHIN_MS - 20) });
    // A lost command is asked about again, and its value is read after the answer.
    line.noise = { drop: 0.2 * random.fraction(), corrupt: 0, duplicate: 0 };
    await world.sleep(random.fraction() * 10_000);
    line.noise = { drop: 0, corrupt: 0, duplicate: 0 };
    for (const device of devices) device.fail({ mode: "none" });
  },
  "lose an answer, and stop the hub": async (world, random) => {
    const lamp = world.device(LAMP);
    lamp.fail({ mode: "forget", times: 1 });
    for (let waits = 0; waits < 100 && lamp.fault.mode === "forget"; waits++) await world.sleep(20);
    world.hub.stop();
    await world.sleep(HELLO_AFTER_MS + random.fraction() * 4000);
    world.hub.continue();
    lamp.fail({ mode: "none" });
  },
  "forget what was done": async (world, random) => {
    world.device(LAMP).fail({ mode: "forget", times: 1 + randomInteger(random, 3) });
    await world.sleep(random.fraction() * 6000);
    world.device(LAMP).fail({ mode: "none" });
  },
};

async function late(world: World, random: Random, way: Way): Promise<void> {
  const { connection } = world.hub;
  connection?.stall(way);
  await world.sleep(random.fraction() * 9000);
  connection?.release();
}
