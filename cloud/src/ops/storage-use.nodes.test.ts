/** The quota for the data of an account, with two nodes on one database: each measures what both have stored. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Home, TestCloud } from "../app.fixture.ts";
import { freshLocation } from "../store/fresh-store.fixture.ts";

const MEGABYTES = 1;
const SETTINGS = { maxMegabytesPerAccount: MEGABYTES };
const META = { text: "x".repeat(62_000) };

let one: TestCloud;
let other: TestCloud;
let home: Home;
beforeEach(async () => {
  one = await TestCloud.start(SETTINGS, await freshLocation(true));
  other = await one.restart(SETTINGS);
  home = await one.home();
});
afterEach(async () => {
  await other.app[Symbol.asyncDispose]();
  await one[Symbol.asyncDispose]();
});

const post = (node: TestCloud) =>
  node.call("POST", "/api/zones", { token: home.token, body: { environmentId: home.environmentId, meta: META } });
/** The node refuses a write, as it measures with time. @returns how many it has admitted before */
async function refusedBy(node: TestCloud): Promise<number> {
  let admitted = 0;
  const tried = async () => {
    const { status, body } = await post(node);
    if (status === 201) admitted += 1;
    else await node.clock.advance(1_000);
    return body.title;
  };
  await expect.poll(tried, { message: "the node refuses", interval: 1 }).toBe("Quota Exceeded");
  return admitted;
}

it("holds at the node that has stored nothing, once it has measured", async () => {
  expect(await refusedBy(one)).toBeGreaterThan(1);
  // Its first write has it measured, within a second.
  await post(other);
  await other.clock.advance(1_000);
  expect(await refusedBy(other)).toBeLessThan(10);
  // Each may pass it by what it admits until it has measured: that is estimated, as no more than the quota.
  const { bytes } = await other.good("GET", "/api/usage", { token: home.token });
  expect(bytes).toBeLessThan(2 * MEGABYTES * 1_000_000);
});

it("is free again at both when the data is gone at one", async () => {
  await refusedBy(one);
  await refusedBy(other);
  await one.change((db) => db.deleteFrom("events").where("ecosystem_id", "=", home.ecosystemId));
  await one.change((db) => db.updateTable("objects").set({ meta: "{}" }).where("ecosystem_id", "=", home.ecosystemId));
  for (const node of [one, other]) {
    const tried = async () => {
      await node.clock.advance(11_000);
      return (await post(node)).status;
    };
    await expect.poll(tried, { message: "the node admits", interval: 1 }).toBe(201);
  }
});
