/** Requests with an idempotency key when the cloud dies: at every moment between request and answer, a repeat has no second effect. */
import { settle } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { casesOf, rounds } from "../parts/rounds.ts";
import { LAMP } from "./devices.ts";
import { World } from "./world.ts";

const HUE = "LightColor.hue";
/** Turns of the loop after which the cloud dies: a POST takes fewer than these. */
const TURNS = Array.from({ length: 24 }, (_, index) => index);
/** Moments of a PUT, ms. */
const MOMENTS = Array.from({ length: rounds(12, 24) }, (_, index) => index * rounds(16, 8));

/** The made object: its name, its path, and its body. */
const MADE = casesOf<readonly [string, string, () => object]>(
  [
    ["/api/environments", "/api/environments", () => ({})],
    ["a token", "", () => ({})],
  ],
  [
    ["/api/clients", "/api/clients", () => ({ environmentId: world.environmentId })],
    ["/api/servers", "/api/servers", () => ({})],
  ],
);

let world: World;
beforeEach(async () => {
  world = await World.start({ seed: 1 });
});
afterEach(() => world[Symbol.asyncDispose]());

const post = (url: string, body: object, key: string) => world.post(url, body, { "idempotency-key": key });
const listed = async (url: string): Promise<{ id: string }[]> =>
  (await world.clock.until(world.get(url)))?.body.items ?? [];

async function restart(): Promise<void> {
  await world.cloud.kill();
  await world.cloud.start();
}

describe("a POST with a key whose cloud dies", () => {
  it.each(MADE)("at any moment makes one of %s, and the repeat reports which", async (_name, path, body) => {
    const url = path || `/api/clients/${world.clientId}/tokens`;
    let between = 0;
    for (const turns of TURNS) {
      const before = await listed(url);
      const key = `moment ${turns}`;
      const first = post(url, body(), key);
      await settle(turns);
      await restart();
      const answered = await world.clock.until(first);
      const made = (await listed(url)).length - before.length;
      if (made === 1 && !answered) between += 1;
      const again = await world.clock.until(post(url, body(), key));
      expect([turns, again?.status]).toEqual([turns, 201]);
      const known = new Set(before.map(({ id }) => id));
      const fresh = (await listed(url)).filter(({ id }) => !known.has(id));
      expect([turns, fresh.map(({ id }) => id)]).toEqual([turns, [again?.body.id]]);
      if (answered) expect(again?.body).toEqual(answered.body);
    }
    expect(between, "deaths between the effect's commit and the answer").toBeGreaterThan(0);
  });
});

describe("a PUT with a key", () => {
  const put = (value: number, key: string) => world.put(LAMP, HUE, value, 10, { "idempotency-key": key });
  const applied = (value: number) => world.device(LAMP).writes.filter((write) => write.value === value).length;

  it("whose cloud dies at any moment moves the lamp at most once, however often it is repeated", async () => {
    for (const [index, afterMs] of MOMENTS.entries()) {
      const value = 200 + index;
      const first = put(value, `put ${index}`);
      await world.clock.advance(afterMs);
      await settle(afterMs % 3);
      await restart();
      await world.clock.until(first);
      const answers = [];
      for (let n = 0; n < 4; n++) {
        answers.push(await world.clock.until(put(value, `put ${index}`)));
        await world.calm();
        // The hub is asked about open commands.
        await world.clock.advance(20_000);
      }
      // A command that the hub reports as not carried out frees the key; one that was is answered for ever.
      const done = answers.findIndex((answer) => answer?.status === 200);
      const commands = new Set(answers.slice(done).map((answer) => answer?.commandId));
      expect([afterMs, answers.at(-1)?.status, commands.size, applied(value)]).toEqual([afterMs, 200, 1, 1]);
    }
  });

  it("that ended unknown is answered by the result of its command, and sends no second one", async () => {
    world.device(LAMP).fail({ mode: "slow", ms: 1300 });
    const keyed = () => world.put(LAMP, HUE, 30, 1, { "idempotency-key": "slow" });
    const first = await world.clock.until(keyed());
    expect(first).toMatchObject({ status: 504, outcome: "unknown" });
    expect(await world.clock.until(keyed())).toMatchObject({
      status: 504,
      outcome: "unknown",
      commandId: first?.commandId,
    });
    await world.clock.advance(3000);
    expect(await world.clock.until(keyed())).toMatchObject({ status: 200, value: 30, commandId: first?.commandId });
    expect(applied(30)).toBe(1);
  });

  it("that was not sent is sent by the repeat", async () => {
    world.hub.kill();
    await world.clock.advance(100);
    const first = await world.clock.until(put(31, "offline"));
    expect(first).toMatchObject({ status: 503, outcome: "not_sent" });
    await world.hub.start();
    await world.calm();
    expect(applied(31)).toBe(0);
    const again = await world.clock.until(put(31, "offline"));
    expect(again).toMatchObject({ status: 200, value: 31 });
    expect(again?.commandId).not.toBe(first?.commandId);
  });

  it("is in the store before it is sent, and its result is stored once", async () => {
    const answer = put(32, "stored");
    await settle(12);
    expect(world.stored().commands.at(-1)).toMatchObject({ value: "32", state: "sent" });
    expect(await world.clock.until(answer)).toMatchObject({ status: 200, value: 32 });
    expect(world.stored().commands.at(-1)).toMatchObject({ value: "32", state: "confirmed", outcome: "confirmed" });
    expect(await world.clock.until(put(32, "stored"))).toEqual(await answer);
    expect(applied(32)).toBe(1);
  });
});
