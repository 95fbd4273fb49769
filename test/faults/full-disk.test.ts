/** A hub whose disk is full: commands are carried out, reports wait at their devices, nothing is corrupt, and it goes on by itself. */

import { join } from "node:path";
import { readStatus } from "@porchlight/agent/ops/control-socket.ts";
import { problemsOf } from "@porchlight/agent/ops/health.ts";
import { examineDatabase } from "@porchlight/agent/state/index.ts";
import { systemClock } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../parts/eventually.ts";
import { Home } from "../parts/home.ts";
import { rounds } from "../parts/rounds.ts";
import { BUTTON, LAMP } from "../parts/simulator.ts";
import { SmallDisk } from "../parts/small-disk.ts";

const MIB = 1024 * 1024;
const HUE = "LightColor.hue";
/** Writes on a full disk: the write-ahead log is rewritten several times over. */
const WRITES = rounds(80, 1000);

let disk: SmallDisk;
let home: Home;
beforeEach(async () => {
  disk = new SmallDisk(8 * MIB);
  home = await Home.start({ agentData: disk.path, agentEnv: { PORCHLIGHT_RESERVE_BYTES: String(MIB) } });
});
afterEach(async () => {
  await home[Symbol.asyncDispose]();
  disk[Symbol.dispose]();
});

const status = () =>
  eventually("the agent reports its status", async () => {
    const answer = await readStatus(disk.path, systemClock);
    return answer.kind === "running" ? answer.status : undefined;
  });
const press = (event: string) => home.simulator.tell(`press ${BUTTON} Button.event ${event}`);
const unreported = async () => (await home.simulator.tell(`state ${BUTTON}`)).untold;

/** Fills the disk, and turns the lamp by hand until the hub has nowhere to write it. */
async function fillUntilShort(): Promise<void> {
  let hue = 0;
  // Once: what the hub gives up then, having kept it for commands, no other writer is to fill.
  disk.fill();
  await eventually("the disk takes no more", async () => {
    hue = (hue + 1) % 360;
    await home.simulator.tell(`set ${LAMP} ${HUE} ${hue}`);
    return (await status()).disk.short;
  });
}

describe("a hub whose disk is full", () => {
  it(`carries out ${WRITES} commands, also after a kill, holds reports back at their devices and counts them`, {
    timeout: 600_000,
  }, async () => {
    await fillUntilShort();
    const presses = ["press", "release", "long"];
    for (const event of presses) await press(event);
    for (let n = 1; n <= WRITES; n++) {
      const answer = await home.put(LAMP, HUE, n / 100);
      expect(answer, `write ${n}`).toMatchObject({ status: 200, body: { value: n / 100 } });
      if (n !== Math.floor(WRITES / 2)) continue;
      await home.agent.kill();
      home.startAgent();
      await eventually("the lamp is back", async () =>
        (await status()).devices.some(({ edgeId, live }) => edgeId === LAMP && live),
      );
      await eventually("the hub is back", async () => (await status()).tunnel.live);
    }
    // A node repeats unacknowledged reports twice a second.
    await eventually("a report is held back", async () => (await status()).queue.refusedReports > 0);
    const full = await status();
    expect(full).toMatchObject({ disk: { short: true, damaged: [] }, tunnel: { live: true } });
    expect(problemsOf(full).map(({ name }) => name)).toEqual(["disk_full"]);
    // The other devices of the bridge may have something to report too.
    expect(await unreported()).toBeGreaterThanOrEqual(presses.length);
    expect(home.occurrences("Button")).toEqual([]);

    disk.free();
    await eventually("the hub goes on by itself", async () => !(await status()).disk.short);
    await eventually("the presses are reported", async () => (await unreported()) === 0);
    await eventually("the log has them", async () => home.occurrences("Button").length >= presses.length);
    expect(home.occurrences("Button")).toEqual(presses);
    const has = await home.simulator.value(LAMP, HUE);
    await eventually("the cloud shows what is", async () => (await home.cached(LAMP, HUE))?.value === has);
    const written = (await home.simulator.writes(LAMP)).map(({ value }) => value);
    expect(written).toEqual(Array.from({ length: WRITES }, (_, n) => (n + 1) / 100));
    expect(await home.agent.stop()).toMatchObject({ code: 0 });
    expect(examineDatabase(join(disk.path, "agent.db"))).toBeUndefined();
    console.info(`${WRITES} writes on a full disk, ${full.queue.refusedReports} reports held back since the kill`);
  });
});
