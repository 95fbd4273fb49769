/** What an earlier process of the cloud has left to be sent: the next one sends it by itself. */
import { expect, it } from "vitest";
import { TestCloud } from "../app.fixture.ts";
import { hanging, Receiver, taken } from "./receiver.fixture.ts";

const SETTINGS = { webhookAllow: ["127.0.0.0/8"] };

it("what had happened is sent after a crash, in order, though nothing more happens", async () => {
  await using receiver = await Receiver.start(hanging);
  const dead = await TestCloud.start(SETTINGS);
  const home = await dead.home();
  const asked = (body: object) => ({ token: home.token, body });
  await dead.good("POST", "/api/webhooks", asked({ url: receiver.url, events: ["zone.*"] }));
  for (const alias of ["a", "b", "c"])
    await dead.good("POST", "/api/zones", asked({ environmentId: home.environmentId, alias }));
  await receiver.until((received) => received.length === 1);
  await dead.app.kill();

  receiver.answer(taken);
  receiver.received.length = 0;
  await using cloud = await dead.restart(SETTINGS);
  // The clock stands still: it is sent because the process has begun.
  await receiver.until((received) => received.length === 3);
  expect(receiver.received.map(({ event }) => event.data.alias)).toEqual(["a", "b", "c"]);
  const rows = async () =>
    cloud.rows((db) => db.selectFrom("deliveries").select(["attempt", "state"]).orderBy("sequence"));
  while ((await rows()).length < 3) await cloud.clock.advance(0);
  expect(await rows()).toEqual(Array(3).fill({ attempt: 1, state: "succeeded" }));
});
