/**
 * A lamp that a Matter controller sets through the bridge and the hub while everything fails: what the controller is answered to each command is
 * what the lamp saw of it, and reachable is what the hub reaches. Hub, bridge and its client are the real ones; only Matter's library is left out.
 */

import { carryOut } from "@porchlight/matter-bridge/hub/hub-commands.ts";
import { HubFollower } from "@porchlight/matter-bridge/hub/hub-follower.ts";
import type { Verdict } from "@porchlight/matter-bridge/parts/part.ts";
import { Porchlight } from "@porchlight/sdk";
import { type Random, randomInteger, seededRandom, settle, silentLog } from "@porchlight/shared/kernel";
import { expect, it } from "vitest";
import { rounds } from "../parts/rounds.ts";
import { LATE_MS } from "./chaos.ts";
import { LAMP } from "./devices.ts";
import { FAULTS, type Fault } from "./faults.ts";
import { type DeviceWrite, judgePuts, type Put } from "./history.ts";
import { nemesis } from "./nemesis.ts";
import { World } from "./world.ts";

const SEEDS = rounds(1, 20);
const VIRTUAL_MS = 120_000;
/** Each level is asked for once, so that the level it saw identifies the command. */
const LEVELS = 254;
/** How long the bridge lets the hub wait for a device, ms. */
const WAIT_MS = 8000;
/** How long a controller may have another value than the lamp, ms: the hub's own patience with a line, or the bridge's with the hub, and looking again. */
const STALE_MS = 30_000;

const WORLD_FAULTS = [
  "cut the connection",
  "kill the cloud",
  "kill the hub",
  "stop the hub",
  "disturb a line",
  "reboot a node",
];

/** What goes wrong in the home. */
function faultsOf(bridge: PlayedBridge): Readonly<Record<string, Fault>> {
  return {
    ...Object.fromEntries(Object.entries(FAULTS).filter(([name]) => WORLD_FAULTS.includes(name))),
    "unplug all lines": async (world, random) => {
      for (const line of world.lines) line.unplug();
      await world.sleep(random.fraction() * 20_000);
      for (const line of world.lines) line.plug();
    },
    "kill the hub as it is asked": async (world, random) => {
      await bridge.nextAsk();
      await settle(randomInteger(random, 12));
      world.hub.kill();
      await world.sleep(random.fraction() * 3000);
      await world.hub.start();
    },
  };
}

/** The bridge, without the library. */
class PlayedBridge {
  readonly #world: World;
  readonly #follower: HubFollower;
  readonly #hub: Porchlight;
  readonly #end = new AbortController();
  readonly running: Promise<void>;
  #taken: () => void = () => undefined;
  #asked = Promise.withResolvers<void>();

  constructor(world: World) {
    const { clock, random } = world;
    this.#world = world;
    const fetch = (url: string, init: RequestInit) => {
      return world.hub.fetchAtHome(url, init, init.method === "PUT" ? () => this.#taken() : undefined);
    };
    this.#hub = new Porchlight({ baseUrl: "http://hub.home", token: "plh_x", fetch }, { clock, random });
    const nothing = () => undefined;
    this.#follower = new HubFollower({
      ...{ clock, log: silentLog, hub: this.#hub, isChosen: () => true },
      ...{ ready: nothing, changed: nothing, gone: nothing, reported: nothing },
    });
    this.running = this.#follower.run(this.#end.signal).catch((failure: unknown) => {
      if (!this.#end.signal.aborted) throw failure;
    });
  }

  get #lamp() {
    return this.#follower.device(this.#world.deviceId(LAMP));
  }

  get isReachable(): boolean | undefined {
    return this.#lamp?.shown(this.#follower.isHubThere).isReachable;
  }

  /** A controller moves the lamp to a level. @param put gets what is asked of the hub */
  async moveTo(level: number, put: (value: number) => Put): Promise<void> {
    const known = this.#lamp;
    const cluster = known?.shownAs.parts[0]?.clusters.find((each) => each.cluster === "levelControl");
    if (!known || !cluster || !this.#follower.isHubThere) return;
    const fields = { level, optionsMask: { executeIfOff: true }, optionsOverride: { executeIfOff: true } };
    const asked = cluster.commands?.moveToLevel?.(fields, known.values) ?? [];
    const [write] = "refused" in asked ? [] : asked;
    if (!write) throw new Error(`level ${level} is not asked for`);
    const asking = put(Number(write.value));
    // What comes to a hub that stands still begins when that goes on.
    this.#taken = () => {
      asking.sentAt = this.#world.clock.monotonic();
      this.#asked.resolve();
    };
    const verdict = await carryOut(this.#hub.devices, known.device.id, asked, (item) => void known.says(item));
    asking.answer = { at: this.#world.clock.monotonic(), ...answerOf(verdict, asking.value) };
  }

  /** Settles when the hub has been asked for something, or after five seconds. */
  async nextAsk(): Promise<void> {
    this.#asked = Promise.withResolvers();
    await Promise.race([this.#asked.promise, this.#world.sleep(5000)]);
  }

  end(): void {
    this.#end.abort(new Error("the bridge ends"));
  }
}

/** A controller's answer, in the words of the API, by which writes are judged. */
function answerOf({ kind }: Verdict, value: number) {
  switch (kind) {
    case "done":
      return { status: 200, value };
    case "unknown":
      return { status: 502, outcome: "unknown" };
    case "rejected":
      return { status: 502, outcome: "rejected" };
    default:
      return { status: 502, outcome: "not_applied" };
  }
}

const outcomes = new Set<string>();

it.each(Array.from({ length: SEEDS }, (_, index) => index + 1))(
  "the answer to each command of a controller matches the lamp, and reachable is true: seed %i",
  async (seed) => {
    await using world = await World.start({ seed, home: true });
    const random = seededRandom(seed);
    const bridge = new PlayedBridge(world);
    await world.clock.advance(5000);
    const end = world.clock.monotonic() + VIRTUAL_MS;
    const [puts, lies, faults]: [Put[], string[], string[]] = [[], [], []];
    const actors = [
      controller(world, random, bridge, puts, end),
      watcher(world, bridge, lies, end),
      nemesis(world, random, { faults: faultsOf(bridge), pauseMs: [500, 6000], record: faults, end }),
    ];
    await world.clock.until(Promise.all(actors), VIRTUAL_MS + 600_000);
    await world.calm();
    await world.clock.advance(STALE_MS);
    const counts = Object.entries(Object.groupBy(puts, ({ answer }) => String(answer?.outcome ?? answer?.status))).map(
      ([name, all]) => `${name} ${all?.length}`,
    );
    const summary = `${counts.join(", ")}; faults: ${faults.join("; ")}`;
    expect(judgePuts(puts, writesOf(world), LATE_MS), summary).toEqual([]);
    expect(lies, summary).toEqual([]);
    expect(bridge.isReachable, summary).toBe(true);
    for (const { answer } of puts) outcomes.add(answer?.outcome ?? "confirmed");
    expect(puts.filter(({ answer }) => answer?.status === 200).length, summary).toBeGreaterThan(20);
    bridge.end();
    await world.clock.until(bridge.running);
  },
);

it("the runs had commands with other outcomes for a controller than confirmed", () => {
  expect([...outcomes].sort()).toEqual(expect.arrayContaining(["confirmed", "unknown"]));
});

function writesOf(world: World): DeviceWrite[] {
  return world.writesOf(LAMP).map(({ address, value, at }) => ({
    ...{ device: LAMP, property: `${address.service}.${address.property}`, value },
    // The device stamps by the wall clock, everything else here by the monotonic one.
    at: at - world.clock.now() + world.clock.monotonic(),
  }));
}

async function controller(world: World, random: Random, bridge: PlayedBridge, puts: Put[], end: number): Promise<void> {
  for (let level = 2; level < LEVELS && world.clock.monotonic() < end; level++) {
    await world.sleep(random.fraction() * 800);
    await bridge.moveTo(level, (value) => {
      const put = {
        device: LAMP,
        property: "LightLevel.level",
        value,
        sentAt: world.clock.monotonic(),
        waitMs: WAIT_MS,
      };
      puts.push(put);
      return put;
    });
  }
}

/** What a controller sees of the lamp, when the hub has run or been away, and the line been whole or not, long enough. */
async function watcher(world: World, bridge: PlayedBridge, lies: string[], end: number): Promise<void> {
  let [before, since] = ["", 0];
  while (world.clock.monotonic() < end) {
    await world.sleep(500);
    const now = world.hub.running ? "runs" : "is dead";
    if (now !== before) since = world.clock.monotonic();
    before = now;
    if (world.clock.monotonic() - since < STALE_MS) continue;
    if (now === "is dead" && bridge.isReachable) lies.push(`${world.clock.monotonic()}: reachable through a dead hub`);
  }
}
