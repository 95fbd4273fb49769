/** The C node and the agent's driver are fuzzed on a clock that stands still, and so is each with a mistake that one rare input finds. */
import { FakeHost } from "@porchlight/driver-kit/host/fake-host.fixture.ts";
import { linkDriver } from "@porchlight/driver-porchlight";
import { type Clock, seededRandom, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { type ByteLink, decodeBody, FrameReader } from "@porchlight/shared/wire";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rounds } from "../../test/parts/rounds.ts";
import { type Fuzzed, FuzzedBoard, type FuzzOptions, fuzz, Hub, Inputs, memoryLinks } from "../src/index.ts";
import { DriverBuilds } from "./broken-driver.ts";
import { Programs } from "./build.ts";
import { Harness } from "./harness.ts";
import { HarnessLine } from "./harness-line.ts";

const SEEDS = Array.from({ length: rounds(1, 20) }, (_, at) => at + 1);
const FRAMES = rounds(5000, 50_000);
const HANG = rounds(120_000, 1_800_000);
const MINIMISE = { ms: 3_600_000, tries: 2000 };

/** The bodies of a finding's inputs, as hex. */
function bodiesOf({ outcome }: Fuzzed): string[] {
  if (outcome.kind !== "finding") throw new Error(`there is no finding: ${outcome.kind}`);
  return outcome.inputs.map((input) => {
    const [event] = new FrameReader(4095).push(input);
    return event?.kind === "frame" ? Buffer.from(event.body).toString("hex") : "damage";
  });
}

describe("porchlight.c", () => {
  let programs: Programs;
  beforeAll(async () => {
    programs = await Programs.make();
  });
  afterAll(() => programs[Symbol.asyncDispose]());

  async function fuzzed(program: string, seed: number): Promise<Fuzzed> {
    await using node = new Harness(program);
    const clock = new VirtualClock();
    let boot = 9;
    const line = new HarnessLine(node, clock);
    const values = async () => {
      for (const [slot, value] of [false, 210.5, 60, 21.25].entries()) await node.set(slot, value);
    };
    await node.boot(100);
    await values();
    const open = async () => line;
    const reset = () =>
      line.do(async () => {
        await node.ask(`start ${boot * 77} ${++boot} ${clock.monotonic()}`);
        await values();
      });
    const peer = new FuzzedBoard({ clock, open, reset });
    const inputs = () => new Inputs(seededRandom(seed), "hub", peer.words);
    const options: FuzzOptions = { clock, peer, inputs, frames: FRAMES, minimise: MINIMISE };
    return await line.until(fuzz(options));
  }

  it.each(SEEDS)("answers to the end, seed %i", { timeout: HANG }, async (seed) => {
    const program = await programs.build(`good-${seed}`, ["test/harness.c"], ["PL_DEVICES_MAX=2"]);
    expect(await fuzzed(program, seed)).toEqual({ sent: FRAMES, outcome: { kind: "answers" } });
  });

  it("with a mistake, is found silent after one IDENTIFY, which is cut down to its bytes, the same for the same seed", async () => {
    const take = "static void take_message(pl_node *node, size_t length, uint32_t now) {\n";
    // An IDENTIFY for 65,536 seconds or more: it receives nothing any more until it boots.
    const deaf = `static uint32_t deaf_in;
      ${take} if (node->rx[1] == 0x0F && length > 8 && node->rx[length - 5] == 0x1A) deaf_in = node->config->boot;
      if (deaf_in == node->config->boot) return;\n`;
    const program = await programs.buildBroken("deaf", [[take, deaf]], ["PL_DEVICES_MAX=2"]);
    const found = await fuzzed(program, 1);
    expect(found.outcome).toMatchObject({ finding: { kind: "hangs" }, narrowed: "minimised" });
    const [body, ...more] = bodiesOf(found);
    expect(body).toMatch(/^..0f.*1a.{8}$/);
    expect(body?.length).toBeLessThanOrEqual(2 * 12);
    expect(more).toEqual([]);
    expect(bodiesOf(await fuzzed(program, 1))).toEqual([body]);
  });
});

describe("the agent's driver", () => {
  let builds: DriverBuilds;
  beforeAll(async () => {
    builds = await DriverBuilds.make();
  });
  afterAll(() => builds[Symbol.asyncDispose]());

  async function fuzzed(driverOf: typeof linkDriver, seed: number, host = new FakeHost()): Promise<Fuzzed> {
    const clock = new VirtualClock();
    let driver: AsyncDisposable | undefined;
    const start = async () => {
      await driver?.[Symbol.asyncDispose]();
      const [near, far] = memoryLinks();
      driver = started(driverOf, clock, near, host);
      return { link: far, ended: new Promise<string>(() => undefined) };
    };
    const peer = new Hub({ clock, seed, random: seededRandom(seed + 1), patience: 10_000, start, canRenew: true });
    const inputs = () => new Inputs(seededRandom(seed), "node", peer.words);
    const result = await clock.until(fuzz({ clock, peer, inputs, frames: FRAMES, minimise: MINIMISE }), 360_000_000);
    peer.close();
    await driver?.[Symbol.asyncDispose]();
    return result;
  }

  it.each(SEEDS)("answers to the end, seed %i", { timeout: HANG }, async (seed) => {
    const host = new FakeHost();
    expect(await fuzzed(linkDriver, seed, host)).toEqual({ sent: FRAMES, outcome: { kind: "answers" } });
    // It got behind the decoder: the devices are live, and well-formed messages are accepted.
    expect(host.reports.length).toBeGreaterThan(FRAMES / 250);
    expect(host.learnings.length).toBeGreaterThan(0);
  });

  it("with a mistake, is found silent after one good frame whose CBOR is bad, which is cut down to a few bytes", async () => {
    const driver = await builds.broken("drivers/porchlight/src/line/line.ts", [
      ["this.#counters[DAMAGE[body.reason]] += 1;", 'if (body.reason === "bad_cbor") this.#isOpen = false;'],
    ]);
    const found = await fuzzed(driver, 1);
    expect(found.outcome).toMatchObject({ finding: { kind: "hangs" }, narrowed: "minimised" });
    const [body = "", ...more] = bodiesOf(found);
    expect(body.length).toBeLessThanOrEqual(2 * 4);
    expect(decodeBody(Buffer.from(body, "hex"))).toEqual({ kind: "damage", reason: "bad_cbor" });
    expect(more).toEqual([]);
  });
});

function started(driverOf: typeof linkDriver, clock: Clock, link: ByteLink, host: FakeHost) {
  const deps = { clock, random: seededRandom(5), log: silentLog, host, hubEdgeId: "02-50-4C-00-00-01" };
  return driverOf({ name: "memory", connect: async () => link, ...deps });
}
