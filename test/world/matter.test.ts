/**
 * Writes to a Matter lamp while everything fails: what the API says of each is what the lamp saw of it. The library is played, with faults
 * of its own; driver, hub, tunnel and cloud are the real ones.
 */
import type { KeptForDrivers } from "@porchlight/agent/drivers/index.ts";
import { type SharedHost, SupervisedDriver } from "@porchlight/driver-kit";
import { FakeMatter, type FakeNode, plugEndpoints } from "@porchlight/driver-matter/fake-matter.fixture.ts";
import { MatterDriver } from "@porchlight/driver-matter/matter-driver.ts";
import { edgeIdOfPlug } from "@porchlight/driver-matter/matter-world.fixture.ts";
import { type Random, randomInteger, seededRandom } from "@porchlight/shared/kernel";
import { expect, it } from "vitest";
import { rounds } from "../parts/rounds.ts";
import { LATE_MS } from "./chaos.ts";
import { FAULTS, type Fault } from "./faults.ts";
import type { AroundDriver } from "./hub.ts";
import { nemesis } from "./nemesis.ts";
import { World } from "./world.ts";

const SEEDS = rounds(1, 20);
const VIRTUAL_MS = 120_000;
const LAMP = edgeIdOfPlug("lamp");
/** Each level of the lamp is asked for once, so that what it saw tells which write it was. */
const LEVELS = 254;
/** How soon the library has connected after its start. */
const CONNECT_MS = 3000;
/** How long the cloud may show a lamp otherwise than it is, while the hub is online, ms. */
const SHOWN_MS = 5000;
/** How long a hub that has started waits for the devices that it had, ms. */
const ABSENT_MS = 15_000;

interface Put {
  readonly level: number;
  readonly sentAt: number;
  readonly waitMs: number;
  answer?: { readonly status: number; readonly outcome: string | undefined } | undefined;
}

/** A lamp on the network of the home, which outlives each hub. */
class Lamp {
  #node: FakeNode | undefined;
  isAway = false;
  /** Monotonic ms of the last start of a hub. */
  startedAt = 0;

  get node(): FakeNode {
    if (!this.#node) throw new Error("no hub has started");
    return this.#node;
  }

  /** The driver of a hub that starts: of an earlier one nothing is heard any more. */
  driver({ store }: KeptForDrivers, { outside, ...deps }: AroundDriver): SupervisedDriver {
    this.startedAt = outside.monotonic();
    const network = new FakeMatter(outside);
    const clusters = { onOff: { onOff: false }, levelControl: { currentLevel: 1, minLevel: 1 } };
    this.#node ??= network.node("lamp", plugEndpoints("lamp", { 1: { types: [0x0101], clusters } }));
    const { node } = this;
    node.listeners.clear();
    node.isConnected = false;
    network.nodes = [node];
    outside.timer("the library connects", CONNECT_MS, () => node.connect(!this.isAway));
    const start = (host: SharedHost) =>
      MatterDriver.start({ ...deps, host, store: store("matter"), network, hasIpv6: () => true });
    return new SupervisedDriver({ ...deps, name: "matter", start });
  }

  /** What goes wrong between the hub and the lamp; each ends by itself. */
  readonly faults: Readonly<Record<string, Fault>> = {
    "the lamp does not answer": (world, random) => this.#for(world, random, 8000, { isSilent: true }),
    "nothing reaches the lamp": (world, random) => this.#for(world, random, 8000, { isDeaf: true }),
    "the lamp tells nothing by itself": (world, random) => this.#for(world, random, 8000, { isMute: true }),
    "the lamp refuses": (world, random) => this.#for(world, random, 3000, { refuses: true }),
    "the lamp is slow": (world, random) => this.#for(world, random, 8000, { delayMs: 1 + randomInteger(random, 4000) }),
    "there is no way to the lamp": (world, random) => this.#for(world, random, 6000, { hasNoWay: true }),
    "the lamp loses its power": async (world, random) => {
      this.isAway = true;
      this.node.connect(false);
      await world.sleep(random.fraction() * 10_000);
      this.isAway = false;
      this.node.connect(true);
    },
  };

  async #for(world: World, random: Random, mostMs: number, fault: Partial<FakeNode>): Promise<void> {
    const sound = { isSilent: false, isDeaf: false, isMute: false, refuses: false, delayMs: 0, hasNoWay: false };
    Object.assign(this.node, fault);
    await world.sleep(random.fraction() * mostMs);
    Object.assign(this.node, sound);
    // The library connects anew to one that did not answer, and so hears what it has missed.
    this.node.connect(false);
    this.node.connect(true);
  }
}

const HUB_FAULTS = ["cut the connection", "stall the connection", "kill the hub", "kill the cloud", "isolate the hub"];

it.each(Array.from({ length: SEEDS }, (_, index) => index + 1))(
  "what is said of each write is what the lamp saw of it, and its presence is true: seed %i",
  async (seed) => {
    const lamp = new Lamp();
    await using world = await World.start({ seed, moreDrivers: (kept, around) => [lamp.driver(kept, around)] });
    const random = seededRandom(seed);
    await world.clock.advance(2 * CONNECT_MS);
    await world.calm();
    const hubFaults = Object.fromEntries(Object.entries(FAULTS).filter(([name]) => HUB_FAULTS.includes(name)));
    const end = world.clock.monotonic() + VIRTUAL_MS;
    const [puts, lies, faults]: [Put[], string[], string[]] = [[], [], []];
    const actors = [
      writer(world, random, puts, end),
      nemesis(world, random, { faults: { ...hubFaults, ...lamp.faults }, pauseMs: [0, 4000], told: faults, end }),
      watcher(world, lamp, lies, end),
    ];
    await world.clock.until(Promise.all(actors), VIRTUAL_MS + 600_000);
    await world.calm();
    await world.clock.advance(30_000);
    const said = `faults: ${faults.join("; ")}`;
    expect(
      puts.flatMap((put) => problemsOf(put, lamp.node)),
      said,
    ).toEqual([]);
    expect(lies, said).toEqual([]);
    expect(new Set(puts.map(({ answer }) => answer?.outcome ?? answer?.status)).size, said).toBeGreaterThan(2);
    const level = Number(lamp.node.endpoint(1)?.attribute("levelControl", "currentLevel"));
    expect(await world.clock.until(world.cached(LAMP, "LightLevel:1.level")), said).toBe(percent(level));
  },
);

function problemsOf({ level, sentAt, waitMs, answer }: Put, node: FakeNode): string[] {
  const seen = node.accepted.filter(({ what }) => "fields" in what && what.fields?.level === level);
  const problems: string[] = [];
  const outcome = answer?.status === 200 ? "done" : (answer?.outcome ?? "nobody answered");
  const say = (problem: string) => problems.push(`level ${level} at ${sentAt} (${outcome}): ${problem}`);
  if (seen.length > 1) say(`the lamp saw it ${seen.length} times`);
  if (outcome === "done" && seen.length === 0) say("the lamp has not seen it");
  if (["not_sent", "not_applied", "rejected"].includes(outcome) && seen.length > 0) say("the lamp has seen it");
  for (const { at } of seen) if (at > sentAt + waitMs + LATE_MS) say(`the lamp saw it ${at - sentAt - waitMs} ms late`);
  return problems;
}

async function writer(world: World, random: Random, puts: Put[], end: number): Promise<void> {
  for (let level = 2; level <= LEVELS && world.clock.monotonic() < end; level++) {
    await world.sleep(random.fraction() * 800);
    const put: Put = { level, sentAt: world.clock.monotonic(), waitMs: 1000 * (1 + randomInteger(random, 5)) };
    puts.push(put);
    const answer = await world.put(LAMP, "LightLevel:1.level", percent(level), put.waitMs / 1000);
    if (answer) put.answer = { status: answer.status, outcome: answer.outcome };
    world.answered();
  }
}

/** What the cloud shows of the lamp, while the hub is online all the time, and the lamp stays there or away. */
async function watcher(world: World, lamp: Lamp, lies: string[], end: number): Promise<void> {
  let sameSince = world.clock.monotonic();
  let before = "";
  while (world.clock.monotonic() < end) {
    await world.sleep(500);
    const hub = await world.hubState();
    const answer = await world.get(`/api/devices/${world.deviceId(LAMP)}`);
    const is = lamp.node.isConnected ? "online" : "offline";
    const now = `${hub} ${is}`;
    if (now !== before) sameSince = world.clock.monotonic();
    before = now;
    const shown = answer?.body.connection?.state;
    const isSettled =
      world.clock.monotonic() - sameSince > SHOWN_MS &&
      world.clock.monotonic() - lamp.startedAt > ABSENT_MS + CONNECT_MS + SHOWN_MS;
    if (hub === "online" && isSettled && shown !== is)
      lies.push(`${Math.round(world.clock.monotonic())}: the lamp is ${is} and shown ${shown}`);
  }
}

function percent(level: number): number {
  return Number(((level * 100) / LEVELS).toFixed(1));
}
