/**
 * A write through a driver in a child: the example's package as `drivers add` installs it, in a real process from the agent's sources, with
 * a relay board behind TCP; beside the same driver in this process. And how much memory the child has of its own.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { privateMegabytes } from "@porchlight/agent/drivers/child/process/memory-watch.ts";
import { addPackage, installedPackages, openPackage } from "@porchlight/agent/drivers/packages/index.ts";
import { startPackage } from "@porchlight/agent/drivers/packages/load-package.ts";
import { packageDriver } from "@porchlight/agent/drivers/packages/package-driver.ts";
import { attemptOf, type Driver, shareHost } from "@porchlight/driver-kit";
import { FakeHost } from "@porchlight/driver-kit/host/fake-host.fixture.ts";
import { systemClock as clock, systemRandom as random, silentLog } from "@porchlight/shared/kernel";
import { z } from "zod";
import { eventually } from "../parts/eventually.ts";
import { packExample } from "../parts/packed-driver.ts";
import { ROOT } from "../parts/program.ts";
import { RelayBoardServer } from "../parts/relay-board.ts";
import { rounds } from "../parts/rounds.ts";
import { median, print } from "./report.ts";

const [HERE, THERE] = ["02-1B-44-00-00-01", "02-1B-44-00-00-02"];
const WRITES = rounds(500, 5000);
const ON = { service: "Switch", index: "0", property: "on" };

const folder = mkdtempSync(join(tmpdir(), "porchlight-bench-"));
addPackage(folder, openPackage(readFileSync(await packExample(folder))));
const [installed] = installedPackages(folder);
if (!installed) throw new Error("the example is not installed");
await using boardHere = await RelayBoardServer.start(HERE);
await using boardThere = await RelayBoardServer.start(THERE);
const store = { get: async () => undefined, all: async () => new Map(), set: async () => undefined };
const admissions = { isAdmitted: () => true, listen: () => () => undefined };
const around = { clock, random, log: silentLog, store, admissions, askClaims: async () => [] };
const settingsOf = (board: RelayBoardServer) => ({ boards: [{ host: "127.0.0.1", port: board.port }] });

const [hostHere, hostThere] = [new FakeHost(), new FakeHost()];
await using here = await startPackage({
  ...around,
  name: "here",
  entry: join(installed.folder, installed.entry),
  settings: settingsOf(boardHere),
  host: shareHost(hostHere),
});
const main = join(ROOT, "agent", "src", "main.ts");
await using child = packageDriver(
  installed,
  { admit: { all: true, edgeIds: new Set() }, own: settingsOf(boardThere) },
  {
    ...around,
    host: shareHost(hostThere),
    program: () => ({ command: process.execPath, args: [main, "driver"], reads: [ROOT] }),
    env: {},
  },
);
await eventually("both boards are there", async () => hostHere.live.has(HERE) && hostThere.live.has(THERE));
const pairs = { here: await writes(here, HERE), there: await writes(child, THERE) };
print("a write through a driver in a child, µs (limit: the same driver in this process)", {
  measured: median(pairs.there),
  limit: median(pairs.here),
  ratio: median(pairs.there) / median(pairs.here),
  goal: "told",
  p99: percentile(pairs.there),
});
const { pid } = z.object({ pid: z.int() }).parse(child.status?.());
const [ofChild, ofThis] = [pid, process.pid].map((each) => privateMegabytes(each) ?? Number.NaN);
print("a child with a driver, from its sources: memory of its own, MB (limit: this process)", {
  measured: ofChild ?? Number.NaN,
  limit: ofThis ?? Number.NaN,
  ratio: (ofChild ?? Number.NaN) / (ofThis ?? Number.NaN),
  goal: "told",
});
rmSync(folder, { recursive: true, force: true });

/** How long each of many writes took, one after another, µs. */
async function writes(driver: Pick<Driver, "write">, device: string): Promise<number[]> {
  const took: number[] = [];
  for (let round = 0; round < WRITES; round += 1) {
    const from = clock.monotonic();
    const permit = { deadline: from + 5000, mayTouch: () => true };
    const result = await driver.write(device, ON, round % 2 === 0, attemptOf(clock, permit));
    if (result.kind !== "value") throw new Error(`a write failed: ${result.detail}`);
    took.push((clock.monotonic() - from) * 1000);
  }
  return took;
}

function percentile(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length * 0.99)] ?? Number.NaN;
}
