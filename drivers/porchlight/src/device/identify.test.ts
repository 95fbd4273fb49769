import { settle } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import { ACTIVE, HubAndNode } from "../hub-and-node.fixture.ts";
import { LAMP, silentTo } from "../scripted-node.fixture.ts";

test("every device has the service Identify, although its node does not describe it", async () => {
  await using both = await HubAndNode.live();
  expect(both.host.arrivals[0]?.description.at(-1)).toMatchObject({
    service: "Identify",
    index: "0",
    properties: [{ property: "active", type: "boolean", access: ["read", "write", "notify"] }],
  });
  expect(both.host.story).toContain("learned Identify.active false");
});

test("active is 30 s of IDENTIFY, after which the hub reports false", async () => {
  await using both = await HubAndNode.live();
  const result = await both.clock.until(both.driver.write(LAMP, ACTIVE, true, both.attempt()));
  expect(result).toEqual({ kind: "value", value: true });
  expect(both.node.got("IDENTIFY")).toMatchObject([{ device: 0, seconds: 30 }]);
  const reported = both.host.story.length;
  await both.clock.advance(29_999);
  expect(both.host.story).toHaveLength(reported);
  await both.clock.advance(1);
  expect(both.host.story.at(-1)).toBe("learned Identify.active false");
});

test("inactive is IDENTIFY for 0 s, and nothing is reported later", async () => {
  await using both = await HubAndNode.live();
  await both.clock.until(both.driver.write(LAMP, ACTIVE, true, both.attempt()));
  await both.clock.until(both.driver.write(LAMP, ACTIVE, false, both.attempt()));
  expect(both.node.got("IDENTIFY").map(({ seconds }) => seconds)).toEqual([30, 0]);
  const reported = both.host.story.length;
  await both.clock.advance(60_000);
  expect(both.host.story).toHaveLength(reported);
});

test("a second active starts the 30 s again", async () => {
  await using both = await HubAndNode.live();
  await both.clock.until(both.driver.write(LAMP, ACTIVE, true, both.attempt()));
  await both.clock.advance(20_000);
  await both.clock.until(both.driver.write(LAMP, ACTIVE, true, both.attempt()));
  const reported = both.host.story.length;
  await both.clock.advance(29_000);
  expect(both.host.story).toHaveLength(reported);
  await both.clock.advance(1000);
  expect(both.host.story).toHaveLength(reported + 1);
});

test("a refresh of active is answered by the hub", async () => {
  await using both = await HubAndNode.live();
  expect(await both.driver.read(LAMP, ACTIVE, both.attempt())).toEqual({ kind: "value", value: false });
  await both.clock.until(both.driver.write(LAMP, ACTIVE, true, both.attempt()));
  const heard = both.node.heard.length;
  expect(await both.driver.read(LAMP, ACTIVE, both.attempt())).toEqual({ kind: "value", value: true });
  expect(both.node.heard).toHaveLength(heard);
});

test("an IDENTIFY that the node does not answer has failed, and nothing is active", async () => {
  await using both = await HubAndNode.live();
  both.node.script = silentTo("IDENTIFY");
  expect(await both.clock.until(both.driver.write(LAMP, ACTIVE, true, both.attempt()))).toMatchObject({
    outcome: "unknown",
  });
  expect(both.node.got("IDENTIFY")).toHaveLength(3);
  expect(await both.driver.read(LAMP, ACTIVE, both.attempt())).toEqual({ kind: "value", value: false });
});

test("active takes true and false only", async () => {
  await using both = await HubAndNode.live();
  expect(await both.driver.write(LAMP, ACTIVE, 1, both.attempt())).toMatchObject({ outcome: "rejected" });
});

test("a rebooted node does not identify itself any more", async () => {
  await using both = await HubAndNode.live();
  await both.clock.advance(5000);
  await both.clock.until(both.driver.write(LAMP, ACTIVE, true, both.attempt()));
  both.node.info = { ...both.node.info, boot: 8 };
  both.node.hello();
  await settle();
  expect(await both.driver.read(LAMP, ACTIVE, both.attempt())).toEqual({ kind: "value", value: false });
  expect(both.host.story.filter((line) => line === "learned Identify.active false")).toHaveLength(2);
});

test("a device that is gone reports nothing when its 30 s would have ended", async () => {
  await using both = await HubAndNode.live();
  await both.clock.until(both.driver.write(LAMP, ACTIVE, true, both.attempt()));
  both.isThere = false;
  both.node.detach();
  await settle();
  const reported = both.host.story.length;
  await both.clock.advance(60_000);
  expect(both.host.story).toHaveLength(reported);
});
