/** One pairing, answered and asked about on two nodes at the same moment. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Home, TestCloud } from "../../../app.fixture.ts";
import { pairingHub } from "../../../pairing/hub.fixture.ts";
import { type FreshLocation, freshLocation } from "../../../store/fresh-store.fixture.ts";
import { Holding } from "../../../store/two-nodes.fixture.ts";

const hub = pairingHub(1);
let fresh: FreshLocation;
let one: TestCloud;
let other: TestCloud;
let homes: Home[];
let codes: { deviceCode: string; userCode: string };
beforeEach(async () => {
  fresh = await freshLocation(true);
  one = await TestCloud.start({}, fresh);
  other = await one.restart();
  homes = [await one.home(), await one.home()];
  codes = await one.good("POST", "/api/pairings", { body: hub.asks });
});
afterEach(async () => {
  await other.app[Symbol.asyncDispose]();
  await one[Symbol.asyncDispose]();
});

const held = () => Holding.of(fresh.location, "select 1 from pairings for update");
const approve = (node: TestCloud, home: Home | undefined) =>
  node.call("POST", `/api/pairings/${codes.userCode}/approve`, {
    token: home?.token,
    body: { environmentId: home?.environmentId },
  });
const poll = (node: TestCloud) => node.call("POST", "/api/pairings/poll", { body: hub.polls(codes.deviceCode) });

it("of two owners who let the hub in one has it", async () => {
  await using holding = await held();
  const approved = [approve(one, homes[0]), approve(other, homes[1])];
  await holding.waited(2);
  await holding.release();
  const answers = await Promise.all(approved);
  expect(answers.map(({ status, body }) => body.title ?? status).sort()).toEqual([200, "Pairing Code Invalid"]);
  expect(await one.rows((build) => build.selectFrom("clients").select("id"))).toHaveLength(1);
});

it("a poll that found it pending on another node does not make the hub wait for its token", async () => {
  await using holding = await held();
  const approved = approve(one, homes[0]);
  await holding.waited(1);
  const pending = poll(other);
  await holding.waited(2);
  await holding.release();
  expect((await approved).status).toBe(200);
  expect((await pending).body.title).toBe("Pairing Pending");
  expect((await poll(other)).body).toMatchObject({ environmentId: homes[0]?.environmentId });
});

it("of two polls at once both may return a token, and the last one returned is valid", async () => {
  await approve(one, homes[0]);
  const answers = await Promise.all([poll(one), poll(other)]);
  const tokens = answers.flatMap(({ body }) => body.token ?? []);
  const living = await one.rows((build) =>
    build.selectFrom("tokens").select("id").where("kind", "=", "cli").where("revoked_at", "is", null),
  );
  expect([tokens.length > 0, living.length]).toEqual([true, 1]);
});
