/** Scenes on a whole home: one device that fails among others, and a cloud that dies at any moment of a call. */
import { settle } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, expect, it } from "vitest";
import { rounds } from "../parts/rounds.ts";
import { LAMP, THERMOSTAT } from "./devices.ts";
import { World } from "./world.ts";

const HUE = "LightColor.hue";
const TARGET = "Thermostat.target";
/** Moments of a call, ms. */
const MOMENTS = Array.from({ length: rounds(12, 24) }, (_, index) => index * rounds(20, 10));

let world: World;
beforeEach(async () => {
  world = await World.start({ seed: 4 });
});
afterEach(() => world[Symbol.asyncDispose]());

/** A scene that sets the hue of the lamp, and the thermostat. */
async function scene(hue: number, target: number): Promise<string> {
  const items = [
    { target: world.deviceId(LAMP), service: HUE, value: hue },
    { target: world.deviceId(THERMOSTAT), service: TARGET, value: target },
  ];
  const made = await world.clock.until(world.post("/api/scenes", { environmentId: world.environmentId, items }));
  if (made?.status !== 201) throw new Error(JSON.stringify(made));
  expect(made.body.hubId).toBe(world.clientId);
  return made.body.id;
}

const call = (id: string, body: object = {}, headers: Record<string, string> = {}) =>
  world.post(`/api/scenes/${id}/call`, body, headers);
const applied = (edgeId: string, value: number) =>
  world.writesOf(edgeId).filter((write) => write.value === value).length;

it("a device that does not answer fails by itself, and the scene can be called again for it alone", async () => {
  const id = await scene(77, 23);
  world.device(LAMP).fail({ mode: "silent" });
  const first = await world.clock.until(call(id, {}, { prefer: "wait=3" }));
  expect(first?.status).toBe(200);
  expect(first?.body.items).toMatchObject([{ deviceId: world.deviceId(THERMOSTAT), value: 23 }]);
  expect(first?.body.failures).toMatchObject([{ deviceId: world.deviceId(LAMP), property: "hue" }]);
  expect(["unknown", "not_applied"]).toContain(first?.body.failures[0].outcome);
  world.device(LAMP).fail({ mode: "none" });
  await world.calm();
  const again = await world.clock.until(call(id, { only: [world.deviceId(LAMP)] }));
  expect(again?.body).toMatchObject({ items: [{ deviceId: world.deviceId(LAMP), value: 77 }] });
  expect(again?.body).not.toHaveProperty("failures");
  expect(applied(THERMOSTAT, 23)).toBe(1);
});

it("a call with a key whose cloud dies at any moment sets each device at most once, however often it is repeated", async () => {
  let between = 0;
  for (const [index, afterMs] of MOMENTS.entries()) {
    const [hue, target] = [100 + index, 10 + index / 2];
    const id = await scene(hue, target);
    const headers = { "idempotency-key": `scene ${index}` };
    const first = call(id, {}, headers);
    await world.clock.advance(afterMs);
    await settle(afterMs % 3);
    await world.cloud.kill();
    await world.cloud.start();
    const answered = await world.clock.until(first);
    await world.calm();
    if (!answered && applied(LAMP, hue) + applied(THERMOSTAT, target) > 0) between += 1;
    const answers = [];
    for (let n = 0; n < 3; n++) {
      answers.push(await world.clock.until(call(id, {}, headers)));
      await world.calm();
      // The hub is asked about open commands.
      await world.clock.advance(20_000);
    }
    const last = answers.at(-1);
    expect([afterMs, last?.status]).toEqual([afterMs, 200]);
    // An answer that was given once is given again.
    expect([afterMs, answers.map((each) => each?.body)]).toEqual([afterMs, answers.map(() => last?.body)]);
    if (answered) expect(last?.body).toEqual(answered.body);
    for (const [edgeId, value] of [[LAMP, hue] as const, [THERMOSTAT, target] as const]) {
      const of = (each: { deviceId: string }) => each.deviceId === world.deviceId(edgeId);
      const outcome = last?.body.items.some(of) ? "confirmed" : last?.body.failures.find(of)?.outcome;
      const times = applied(edgeId, value);
      // Of an unknown outcome only this is certain: it was not carried out twice.
      const expected = outcome === "confirmed" ? 1 : outcome === "unknown" ? Math.min(times, 1) : 0;
      expect([afterMs, edgeId, outcome, times]).toEqual([afterMs, edgeId, outcome, expected]);
    }
  }
  expect(between, "deaths between the effect and the answer").toBeGreaterThan(0);
});
