/** Alerts that two nodes look for at once, on one PostgreSQL: as if one had done it. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { freshLocation } from "../store/fresh-store.fixture.ts";
import { Holding } from "../store/two-nodes.fixture.ts";
import { AlertWorld, HOUR, MINUTE } from "./alerts.fixture.ts";

let world: AlertWorld;
let location: string;
beforeEach(async () => {
  const fresh = await freshLocation(true);
  ({ location } = fresh);
  world = await AlertWorld.start(undefined, fresh);
  await world.anotherNode();
});
afterEach(() => world[Symbol.asyncDispose]());

const HUBS = Array.from({ length: 30 }, (_none, each) => `cli_${each}`);

it("open once, end once, and are mailed once", async () => {
  for (const id of HUBS) await world.hub(id);
  for (const id of HUBS) await world.presence(id, false);
  await world.pass(12 * MINUTE);
  expect(await world.alerts()).toHaveLength(30);
  for (const id of HUBS) await world.presence(id, true);
  await world.pass(15 * MINUTE);
  const emails = await world.emails();
  expect(emails.map(({ subject }) => subject)).toEqual(["Alerts: 30 opened", "Alerts: 30 ended"]);
  const events = await world.events();
  expect(events).toHaveLength(60);
  expect(new Set(events).size).toBe(60);
});

it("are looked for by the other node when the first has died, from where that left off", async () => {
  const [first, second] = world.nodes;
  if (!first || !second) throw new Error("two nodes");
  second.standing.isFirst = false;
  await world.hub("cli_attic");
  await world.presence("cli_attic", false);
  await world.pass(11 * MINUTE);
  first.standing.isAlive = false;
  second.standing.isFirst = true;
  await world.presence("cli_attic", true);
  await world.pass(HOUR);
  expect((await world.emails()).map(({ subject }) => subject)).toEqual([
    expect.stringMatching(/^Alert: /),
    expect.stringMatching(/^Alert ended: /),
  ]);
});

it("are mailed once by two nodes that have both read that they wait", async () => {
  await world.hub("cli_attic");
  await world.presence("cli_attic", false);
  await world.settings({ quietHours: { timeZone: "UTC", start: "00:00", end: "23:59" } });
  await world.pass(11 * MINUTE);
  expect(await world.alerts()).toMatchObject([{ mail: "opened" }]);
  await world.settings({ quietHours: null });
  await using holding = await Holding.of(location, "update alerts set mail = mail");
  const looked = world.look();
  await holding.waited(2);
  await holding.release();
  await looked;
  expect(await world.emails()).toHaveLength(1);
  expect(await world.alerts()).toMatchObject([{ mail: null, told: 1 }]);
});
