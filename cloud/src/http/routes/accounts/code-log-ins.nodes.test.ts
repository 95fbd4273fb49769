/** One log-in by code, approved on one node and polled for on two at the same moment. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Home, TestCloud } from "../../../app.fixture.ts";
import { type FreshLocation, freshLocation } from "../../../store/fresh-store.fixture.ts";

const PATH = "/api/accounts/login/code";
let fresh: FreshLocation;
let one: TestCloud;
let other: TestCloud;
let home: Home;
beforeEach(async () => {
  fresh = await freshLocation(true);
  one = await TestCloud.start({}, fresh);
  other = await one.restart();
  home = await one.home();
});
afterEach(async () => {
  await other.app[Symbol.asyncDispose]();
  await one[Symbol.asyncDispose]();
});

it("any node answers, and of two polls at once one has the log-in", async () => {
  const { userCode, deviceCode } = await one.good("POST", PATH);
  await other.good("POST", `${PATH}/${userCode}/approve`, { token: home.token });
  const poll = (node: TestCloud) => node.call("POST", `${PATH}/poll`, { body: { deviceCode } });
  const answers = await Promise.all([poll(one), poll(other)]);
  expect(answers.map(({ status, body }) => body.title ?? status).sort()).toEqual([201, "Login Code Invalid"]);
});
