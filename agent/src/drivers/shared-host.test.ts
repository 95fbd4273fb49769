import { asShared, shareHost } from "@porchlight/driver-kit";
import { FakeHost } from "@porchlight/driver-kit/host/fake-host.fixture.ts";
import { HubAndNode } from "@porchlight/driver-porchlight/hub-and-node.fixture.ts";
import { LAMP, OTHER, THIRD } from "@porchlight/driver-porchlight/scripted-node.fixture.ts";
import { silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";

test("a device that is live on one link is left alone on another, and taken at once when the first is down", async () => {
  const clock = new VirtualClock();
  const host = new FakeHost();
  const shared = shareHost(host);
  await using first = new HubAndNode({}, { host: shared }, { clock, host });
  await clock.advance(0);
  await using second = new HubAndNode({ id: OTHER, devices: [LAMP, THIRD] }, { host: shared }, { clock, host });
  await clock.advance(0);
  expect([first.driver.has(LAMP), second.driver.has(LAMP), second.driver.has(THIRD)]).toEqual([true, false, true]);
  first.isThere = false;
  first.node.detach();
  await clock.advance(0);
  expect([first.driver.has(LAMP), second.driver.has(LAMP)]).toEqual([false, true]);
  const asked = second.driver.read(LAMP, { service: "Switch", index: "0", property: "on" }, second.attempt());
  expect(await clock.until(asked)).toEqual({ kind: "value", value: false });
});

test("a device that its host refuses for reasons of its own is offered again, and one warning is logged", async () => {
  const host = new FakeHost();
  host.refuses.add(LAMP);
  let warned = 0;
  const log = { ...silentLog, warn: () => void ++warned };
  await using both = new HubAndNode({}, { log }, { clock: new VirtualClock(), host });
  await both.clock.advance(12_000);
  expect(host.story.filter((line) => line.startsWith("refused"))).toHaveLength(3);
  expect(warned).toBe(1);
  host.refuses.clear();
  await both.clock.advance(5000);
  expect(both.driver.has(LAMP)).toBe(true);
});

test("who does not wait any more is not called", () => {
  const host = new FakeHost();
  const shared = shareHost(host);
  const calls: string[] = [];
  const forget = shared.whenFree(LAMP, () => calls.push("first"));
  shared.whenFree(LAMP, () => calls.push("second"));
  forget();
  shared.left(LAMP);
  shared.left(LAMP);
  expect(calls).toEqual(["second"]);
});

test("a host that is shared already stays the same", () => {
  const shared = shareHost(new FakeHost());
  expect(asShared(shared)).toBe(shared);
});
