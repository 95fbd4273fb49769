/** Proves a build of the agent's driver on a line in memory, on a clock that stands still. */
import { attemptOf } from "@porchlight/driver-kit";
import { FakeHost } from "@porchlight/driver-kit/host/fake-host.fixture.ts";
import type { LineDriver, linkDriver } from "@porchlight/driver-porchlight";
import { seededRandom, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { memoryLinks, proveHub, type RuleReport } from "../src/index.ts";
import { RULES } from "./prove-board.ts";

export const HUB = "02-50-4C-00-00-01";
/** The first device that the bench plays. */
const LAMP = "02-50-4C-C0-00-01";

/** @param only these rules; all of them when left out */
export async function proveDriver(driverOf: typeof linkDriver, only?: readonly string[]): Promise<RuleReport> {
  const clock = new VirtualClock();
  const [near, far] = memoryLinks();
  const random = seededRandom(5);
  const host = new FakeHost();
  const stored = new Set<string>();
  host.commit = async (_, { node, boot, seq }) => {
    const isNew = !stored.has(`${node} ${boot} ${seq}`);
    stored.add(`${node} ${boot} ${seq}`);
    return isNew ? "stored" : "repeated";
  };
  const deps = { clock, random, log: silentLog, host, hubEdgeId: HUB };
  await using driver = driverOf({ name: "memory", connect: async () => near, ...deps });
  const proof = proveHub({
    ...{ clock, random: seededRandom(3), link: far, jitter: 0, where: driver.name, texts: RULES, only },
    patience: 10_000,
    stimuli: [{ name: "write", run: () => write(driver, clock) }],
  });
  return await clock.until(proof, 3_600_000);
}

/** A person sets the lamp that is played. */
async function write(driver: LineDriver, clock: VirtualClock): Promise<void> {
  const attempt = attemptOf(clock, { deadline: clock.monotonic() + 30_000, mayTouch: () => true });
  await driver.write(LAMP, { service: "Switch", index: "0", property: "on" }, true, attempt);
}
