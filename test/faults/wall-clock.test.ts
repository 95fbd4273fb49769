/** A hub whose wall clock jumps, or that has none and boots in 1970: it stays online, and gives the right time of everything. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readStatus } from "@porchlight/agent/ops/control-socket.ts";
import { pick, seededRandom, systemClock } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../parts/eventually.ts";
import { Home } from "../parts/home.ts";
import { rounds } from "../parts/rounds.ts";
import { BUTTON, LAMP } from "../parts/simulator.ts";
import { WallClock } from "../parts/wall-clock.ts";

const HUE = "LightColor.hue";
const HOUR = 3600;
const YEAR = 365 * 24 * HOUR;
/** Where the clock of a hub without one begins: a minute after 1970, as seen from now. */
const SINCE_1970 = 60 - Math.floor(Date.now() / 1000);
const OFFSETS = [HOUR, -HOUR, YEAR, -YEAR, 20 * YEAR, SINCE_1970, 0] as const;
/** Times of the API are whole seconds, and a busy machine takes its time, ms. */
const NEAR_MS = 15_000;
const SEED = 7;
const TIMES = rounds(OFFSETS.length, 100);

let folder = "";
let clock: WallClock;
let home: Home;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-clock-"));
  clock = new WallClock(folder);
  home = await Home.start({ agentEnv: clock.env });
});
afterEach(async () => {
  await home[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const status = () =>
  eventually("the agent reports its status", async () => {
    const answer = await readStatus(home.agentData, systemClock);
    return answer.kind === "running" ? answer.status : undefined;
  });
const isNear = (time: string, since: number) => {
  const at = Date.parse(time);
  return at > since - NEAR_MS && at < Date.now() + NEAR_MS;
};
const press = async (event: string) => {
  await home.simulator.tell(`press ${BUTTON} Button.event ${event}`);
  await eventually("the press is taken", async () => (await home.simulator.tell(`state ${BUTTON}`)).untold === 0);
};
/** When each press was observed, as the event log has it. */
const pressTimes = (): string[] =>
  home.events().flatMap(({ data }) => (data.item?.service === "Button" ? [data.item.observedAt] : []));

describe("a hub whose wall clock jumps", () => {
  it(`stays online, carries out commands and gives the right times, over ${TIMES} jumps`, {
    timeout: 600_000,
  }, async () => {
    const random = seededRandom(SEED);
    const { welcomes } = (await status()).tunnel;
    const began = Date.now();
    const presses: string[] = [];
    for (let time = 0; time < TIMES; time++) {
      const offset = OFFSETS[time] ?? pick(random, OFFSETS);
      clock.set(offset);
      const before = Date.now();
      const written = 1 + (2 * time) / 1000;
      expect(await home.put(LAMP, HUE, written)).toMatchObject({ status: 200, body: { value: written } });
      const turned = 200 + time / 1000;
      await home.simulator.tell(`set ${LAMP} ${HUE} ${turned}`);
      const item = await eventually("the change by hand is there", async () => {
        const cached = await home.cached(LAMP, HUE);
        return cached?.value === turned ? cached : undefined;
      });
      expect(isNear(item.observedAt, before), `${item.observedAt}, ${offset} s off`).toBe(true);
      expect(isNear(item.modifiedAt, before), `${item.modifiedAt}, ${offset} s off`).toBe(true);
      const event = pick(random, ["press", "release", "double", "long"]);
      presses.push(event);
      await press(event);
      const shownClock = (await status()).clock;
      expect(shownClock.source).toBe(offset === 0 ? "system" : "cloud");
      expect(Math.abs((shownClock.skewMs ?? 0) - offset * 1000)).toBeLessThan(NEAR_MS);
    }
    // Its lease, heartbeats and waits are lengths of time, and no clock on the wall affects them.
    expect((await status()).tunnel).toMatchObject({ state: "online", live: true, welcomes });
    await eventually("the log has every press", async () => home.occurrences("Button").length >= presses.length);
    expect(home.occurrences("Button")).toEqual(presses);
    expect(pressTimes().filter((time) => !isNear(time, began))).toEqual([]);
    console.info(`${TIMES} jumps of the wall clock (seed ${SEED}), ${presses.length} presses, no new connection`);
  });
});

describe("a hub that boots in 1970, while its cloud is away", () => {
  it("gives the right time of past changes, once it knows the time", async () => {
    await home.agent.stop();
    await home.cloud.kill();
    // Its knowledge of the time is lost.
    for (const part of ["agent.db", "agent.db-wal"]) rmSync(join(home.agentData, part), { force: true });
    clock.set(SINCE_1970);
    home.startAgent();
    const began = Date.now();
    await press("press");
    await home.simulator.tell(`set ${LAMP} ${HUE} 33`);
    await press("long");
    const alone = await status();
    expect(alone).toMatchObject({ clock: { source: "system" }, tunnel: { live: false } });
    expect(alone.startedAt).toBeLessThan(HOUR * 1000);

    await home.startCloud();
    await home.online();
    await eventually("the presses are there", async () => home.occurrences("Button").length >= 2);
    expect(home.occurrences("Button")).toEqual(["press", "long"]);
    expect(pressTimes().filter((time) => !isNear(time, began))).toEqual([]);
    const hue = await eventually("the hue is there", async () => {
      const item = await home.cached(LAMP, HUE);
      return item?.value === 33 ? item : undefined;
    });
    expect(isNear(hue.observedAt, began), hue.observedAt).toBe(true);
  });
});
