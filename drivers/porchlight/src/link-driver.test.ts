import { everyDriver } from "@porchlight/driver-kit/judge/every-driver.suite.ts";
import { settle } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import { HubAndNode, SWITCH } from "./hub-and-node.fixture.ts";
import { LINE_EXCUSES, lineWorld } from "./line-world.fixture.ts";
import { LAMP, OTHER } from "./scripted-node.fixture.ts";

everyDriver("any line that speaks the device protocol", lineWorld, { without: LINE_EXCUSES });

test("status names the line, where its session stands, who is live and what was counted", async () => {
  await using both = await HubAndNode.live({ devices: [LAMP, OTHER] });
  expect(both.driver.status()).toMatchObject({
    line: "memory",
    phase: "live",
    devices: [LAMP, OTHER],
    counters: { frames: 7, badCrc: 0, badCbor: 0, ignored: 0, outOfRange: 0 },
  });
});

test("a line that cannot be opened is tried again and again", async () => {
  await using both = new HubAndNode({}, { retryMs: 100 });
  both.isThere = false;
  await both.clock.advance(0);
  expect(both.driver.has(LAMP)).toBe(both.opened > 0);
  both.node.detach();
  await both.clock.advance(1000);
  expect(both.driver.status().phase).toBe("closed");
  both.isThere = true;
  await both.clock.advance(100);
  expect(both.driver.has(LAMP)).toBe(true);
});

test("a slow device on one line does not delay a device on another", async () => {
  await using slow = await HubAndNode.live();
  await using quick = new HubAndNode({ id: OTHER, devices: [OTHER] }, {}, { clock: slow.clock, host: slow.host });
  await slow.clock.advance(0);
  slow.node.script = () => [];
  void slow.driver.write(LAMP, SWITCH, true, slow.attempt());
  await settle();
  const before = slow.clock.monotonic();
  expect(await slow.clock.until(quick.driver.write(OTHER, SWITCH, true, slow.attempt()))).toEqual({
    kind: "value",
    value: true,
  });
  expect(slow.clock.monotonic()).toBe(before);
});
