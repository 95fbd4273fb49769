/** A hub that is killed again and again under load, at any moment of its life: nothing taken in is lost, nothing is done twice. */
import { pick, randomInteger, seededRandom } from "@porchlight/shared/kernel";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../parts/eventually.ts";
import { Home } from "../parts/home.ts";
import { rounds } from "../parts/rounds.ts";
import { BUTTON, LAMP, THERMOSTAT } from "../parts/simulator.ts";

const SEED = 41;
const TIMES = rounds(4, 200);
/** A start takes about so long; half of the kills fall into it, ms. */
const START_MS = 1200;
/** A button waits for a hub that is killed in its start again and again, ms. */
const PATIENCE_MS = 300_000;
/** The value of every property that is written is a number of its own, so that a write that is carried out twice shows. */
const WRITTEN = [
  { device: LAMP, selector: "LightColor.hue", property: "hue", at: (n: number) => n / 1000 },
  { device: LAMP, selector: "LightLevel.level", property: "level", at: (n: number) => n / 1000 },
  { device: THERMOSTAT, selector: "Thermostat.target", property: "target", at: (n: number) => 5 + n / 1000 },
];

let home: Home;
beforeAll(async () => {
  home = await Home.start();
});
afterAll(() => home[Symbol.asyncDispose]());

describe("a hub that is killed at any moment", () => {
  const title = `keeps every confirmed write, carries out none twice or out of order, and loses no press, over ${TIMES} kills`;
  it(title, { timeout: 120_000 + TIMES * 10_000 }, async () => {
    const random = seededRandom(SEED);
    const confirmed = new Map<string, { readonly selector: string; readonly value: number }>();
    const commands: string[] = [];
    const presses: string[] = [];
    let running = true;

    const online = () =>
      eventually("the hub is online", async () => !running || (await home.hub()).state === "online" || undefined);
    const write = async ({ device, selector, at }: (typeof WRITTEN)[number]) => {
      for (let n = 1; running; n++) {
        const answer = await home.put(device, selector, at(n));
        const id = answer.headers.get("x-command-id");
        if (id) commands.push(id);
        if (answer.status === 200 && id) confirmed.set(id, { selector, value: at(n) });
        else await online();
      }
    };
    const press = async () => {
      while (running) {
        const event = pick(random, ["press", "release", "double", "long"]);
        presses.push(event);
        await home.simulator.tell(`press ${BUTTON} Button.event ${event}`);
        // A button keeps four events for a hub that is away: as a person does, wait until the hub has acknowledged the press.
        const isTaken = async () => (await home.simulator.tell(`state ${BUTTON}`)).untold === 0;
        await eventually("the press is taken", isTaken, PATIENCE_MS);
      }
    };
    const work = Promise.all([...WRITTEN.map(write), press()]);
    // It is awaited when the kills are over.
    work.catch(() => undefined);
    for (let time = 0; time < TIMES; time++) {
      const [writes, pressed] = [confirmed.size, presses.length];
      const more = randomInteger(random, 5);
      if (time % 4 === 0) await eventually("writes are confirmed", async () => confirmed.size > writes + more);
      if (time % 4 === 2) await eventually("a press is taken", async () => presses.length > pressed);
      await new Promise((resolve) => setTimeout(resolve, randomInteger(random, time % 2 === 0 ? 30 : START_MS)));
      await home.agent.kill();
      home.startAgent();
    }
    running = false;
    await work;
    await home.online();

    let applied = 0;
    for (const { device, selector, property } of WRITTEN) {
      const writes = await home.simulator.writes(device);
      const values = writes.filter(({ address }) => address.property === property).map(({ value }) => Number(value));
      // Each once, and in the order in which they were asked for.
      expect(values).toEqual([...new Set(values)].sort((a, b) => a - b));
      const kept = [...confirmed.values()].filter((one) => one.selector === selector).map(({ value }) => value);
      expect(kept.filter((value) => !values.includes(value))).toEqual([]);
      const has = await home.simulator.value(device, selector);
      await eventually("the cloud shows what it is", async () => (await home.cached(device, selector))?.value === has);
      applied += values.length;
    }
    const ended = { confirmed: 0, other: 0 };
    for (const id of commands) {
      const state = await eventually(`command ${id} is settled`, async () => {
        const command = await home.api.good<{ state: string }>("GET", `/api/commands/${id}`);
        return command.state === "sent" || command.state === "queued" ? undefined : command.state;
      });
      if (confirmed.has(id)) expect(state).toBe("confirmed");
      ended[state === "confirmed" ? "confirmed" : "other"] += 1;
    }
    await eventually("the log has every press", async () => home.occurrences("Button").length >= presses.length);
    expect(home.occurrences("Button")).toEqual(presses);
    console.info(
      `${TIMES} kills (seed ${SEED}): ${confirmed.size} writes answered 200, ${ended.confirmed} of ${commands.length} commands settled as confirmed, ${applied} applied, ${presses.length} presses`,
    );
  });
});
