/** A cloud that is killed again and again under a stream of writes and reports: nothing acknowledged is lost, nothing is done twice. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../parts/eventually.ts";
import { Home } from "../parts/home.ts";
import { comparedHistory } from "../parts/recorded-history.ts";
import { rounds } from "../parts/rounds.ts";
import { BUTTON, LAMP } from "../parts/simulator.ts";

let home: Home;
beforeAll(async () => {
  home = await Home.start();
});
afterAll(() => home[Symbol.asyncDispose]());

describe("a cloud that is killed", () => {
  const times = rounds(2, 20);

  it(`keeps every acknowledged write, carries out none twice, and gets each report once, over ${times} kills`, async () => {
    const confirmed = new Map<string, number>();
    const presses: string[] = [];
    let value = 0;
    let running = true;

    const write = async () => {
      while (running) {
        value += 1;
        // A value of its own for each write, so that one carried out twice shows.
        const asked = value / 1000;
        const answer = await home.put(LAMP, "LightColor.hue", asked).catch(() => undefined);
        if (!answer)
          await eventually("the cloud is back", async () => (await home.api.call("GET", "/healthz")).status === 200);
        const id = answer?.headers.get("x-command-id");
        if (answer?.status === 200 && id) confirmed.set(id, asked);
      }
    };
    const press = async () => {
      while (running) {
        const event = ["press", "release", "double", "long"][presses.length % 4] ?? "press";
        presses.push(event);
        await home.simulator.tell(`press ${BUTTON} Button.event ${event}`);
        // A button keeps four events for a hub that is away: as a person does, wait until the hub has acknowledged the press.
        await eventually(
          "the hub has taken the press",
          async () => (await home.simulator.tell(`state ${BUTTON}`)).untold === 0,
        );
      }
    };
    const work = Promise.all([write(), press()]);
    for (let kill = 0; kill < times; kill++) {
      const before = confirmed.size;
      await eventually("writes are confirmed", async () => confirmed.size > before + 3);
      await home.cloud.kill();
      await home.startCloud();
    }
    running = false;
    await work;
    await home.online();

    const applied = (await home.simulator.writes(LAMP)).map((one) => one.value);
    expect(new Set(applied).size).toBe(applied.length);
    for (const [id, asked] of confirmed) {
      expect(applied).toContain(asked);
      expect(await home.api.good("GET", `/api/commands/${id}`)).toMatchObject({ state: "confirmed", value: asked });
    }
    // The last press is reported last: with it all events are there.
    await eventually("the log has every press", async () => home.occurrences("Button").length >= presses.length);
    expect(home.occurrences("Button")).toEqual(presses);
    const { recorded, logged, counted } = await comparedHistory(
      home.api,
      (await home.device(LAMP)).id,
      "LightColor.hue",
    );
    expect(recorded).toEqual(logged);
    expect(counted).toBe(logged.length);
    console.info(
      `${times} kills, ${confirmed.size} confirmed writes, ${applied.length} applied, ${presses.length} presses`,
    );
  });
});
