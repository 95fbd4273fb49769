import type { DriverResult } from "@porchlight/driver-kit";
import { settle } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import { HubAndNode, LEVEL, SWITCH } from "../hub-and-node.fixture.ts";
import { LAMP, OTHER, silentTo } from "../scripted-node.fixture.ts";

test("a report is acknowledged only after it is committed", async () => {
  await using both = await HubAndNode.live();
  const commit = Promise.withResolvers<"stored">();
  both.host.commit = () => commit.promise;
  const seq = both.node.report("Switch.on", true);
  await both.clock.advance(200);
  expect(both.node.answersTo(seq)).toEqual([]);
  commit.resolve("stored");
  await settle();
  expect(both.node.answersTo(seq)).toEqual([{ type: "ACK", seq }]);
});

test("a report is named by node, boot and seq", async () => {
  await using both = await HubAndNode.live({ boot: 4_000_000_000 });
  both.node.report("Switch.on", true, 65_535);
  await settle();
  expect(both.host.reports).toEqual([
    { report: { device: LAMP, ...SWITCH, value: true }, source: { node: LAMP, boot: 4_000_000_000, seq: 65_535 } },
  ]);
});

test("a repetition of what was committed before is acknowledged", async () => {
  await using both = await HubAndNode.live();
  both.host.commit = async () => "repeated";
  const seq = both.node.report("Switch.on", true);
  await settle();
  expect(both.node.answersTo(seq)).toEqual([{ type: "ACK", seq }]);
  expect(both.counters.reportsRepeated).toBe(1);
});

test("a repetition of what is still being committed reaches the host once and is answered once", async () => {
  await using both = await HubAndNode.live();
  const commit = Promise.withResolvers<"stored">();
  both.host.commit = () => commit.promise;
  const seq = both.node.report("Switch.on", true);
  both.node.report("Switch.on", true, seq);
  await settle();
  commit.resolve("stored");
  await settle();
  expect(both.host.reports).toHaveLength(1);
  expect(both.node.answersTo(seq)).toHaveLength(1);
});

test("a host without room answers busy, and the report may come again", async () => {
  await using both = await HubAndNode.live();
  both.host.commit = async () => "busy";
  const seq = both.node.report("Button.event", "press");
  await settle();
  expect(both.node.answersTo(seq)).toMatchObject([{ type: "ERROR", code: 9 }]);
  both.host.commit = async () => "stored";
  both.node.report("Button.event", "press", seq);
  await settle();
  expect(both.node.answersTo(seq).at(-1)).toEqual({ type: "ACK", seq });
});

test("a report that the store failed on is not acknowledged, so that it comes again", async () => {
  await using both = await HubAndNode.live();
  both.host.commit = async () => {
    throw new Error("the disk is full");
  };
  const seq = both.node.report("Switch.on", true);
  await settle();
  expect(both.node.answersTo(seq)).toEqual([]);
  expect(both.counters.reportsFailed).toBe(1);
});

test.each([
  { says: "an unknown place", code: 3, device: 5, property: "Switch.on", value: true },
  { says: "an undescribed service", code: 4, device: 0, property: "Heater.on", value: true },
  { says: "the hub's own service", code: 4, device: 0, property: "Identify.active", value: true },
  { says: "an undescribed property", code: 5, device: 0, property: "Switch.off", value: true },
  { says: "a value of another type", code: 2, device: 0, property: "Switch.on", value: 1 },
])("a report of $says is answered with ERROR $code and not stored", async ({ code, device, property, value }) => {
  await using both = await HubAndNode.live();
  const seq = both.node.nextSeq();
  both.node.report(property, value, seq, device);
  await settle();
  expect(both.node.answersTo(seq)).toMatchObject([{ type: "ERROR", code }]);
  expect(both.host.reports).toEqual([]);
});

test("a report is left without ACK until its device is described", async () => {
  await using both = new HubAndNode();
  both.node.script = silentTo("DESCRIBE");
  await settle();
  const seq = both.node.report("Switch.on", true);
  await both.clock.advance(400);
  expect(both.node.answersTo(seq)).toEqual([]);
  both.node.script = () => undefined;
  await both.clock.advance(200);
  both.node.report("Switch.on", true, seq);
  await settle();
  expect(both.node.answersTo(seq)).toEqual([{ type: "ACK", seq }]);
});

test("a report of a rebooted node is left without ACK until it is described afresh", async () => {
  await using both = await HubAndNode.live();
  both.node.info = { ...both.node.info, boot: 8 };
  both.node.hello();
  const seq = both.node.report("Switch.on", true);
  await both.clock.advance(1000);
  expect(both.host.reports).toEqual([]);
  await both.clock.advance(4100);
  both.node.report("Switch.on", true, seq);
  await settle();
  expect(both.host.reports.map(({ source }) => source.boot)).toEqual([8]);
});

test("a report that is committed after its node has rebooted is not acknowledged any more", async () => {
  await using both = await HubAndNode.live();
  const commit = Promise.withResolvers<"stored">();
  both.host.commit = () => commit.promise;
  const seq = both.node.report("Switch.on", true);
  both.node.info = { ...both.node.info, boot: 8 };
  both.node.hello();
  await settle();
  commit.resolve("stored");
  await settle();
  expect(both.node.answersTo(seq)).toEqual([]);
});

test("a report before any HELLO is ignored", async () => {
  await using both = new HubAndNode();
  both.node.script = silentTo("WHO");
  await settle();
  const seq = both.node.report("Switch.on", true);
  await settle();
  expect(both.node.answersTo(seq)).toEqual([]);
  expect(both.counters.ignored).toBe(1);
});

test("a number outside its range is stored as it is and counted", async () => {
  await using both = await HubAndNode.live();
  await both.addThermometer();
  both.node.report("Temperature.celsius", 104.5);
  both.node.report("LightLevel.level", null);
  await settle();
  expect(both.host.reports.map(({ report }) => report.value)).toEqual([104.5, null]);
  expect(both.counters.outOfRange).toBe(1);
});

test("a value of another type than described is refused, and ends the value", async () => {
  await using both = await HubAndNode.live();
  const seq = both.node.report("LightLevel.level", "bright");
  await settle();
  expect(both.node.answersTo(seq)).toMatchObject([{ type: "ERROR", code: 2 }]);
  expect(both.host.valueOf(LAMP, { service: "LightLevel", index: "0", property: "level" })).toBeNull();
});

test("of a flood 200 reports are taken at once and 50 a second after that; the rest is not answered", async () => {
  await using both = await HubAndNode.live();
  for (let at = 0; at < 500; at++) {
    both.node.report("Button.event", "press");
    if (at % 8 === 7) await settle();
  }
  await settle();
  expect(both.node.got("ACK")).toHaveLength(200);
  expect(both.counters.reportsOverRate).toBe(300);
  await both.clock.advance(1000);
  for (let at = 0; at < 100; at++) {
    both.node.report("Button.event", "press");
    if (at % 8 === 7) await settle();
  }
  await settle();
  expect(both.node.got("ACK")).toHaveLength(250);
});

test("a node with more than eight reports unanswered gets the answer that the hub is busy", async () => {
  await using both = await HubAndNode.live();
  both.host.commit = () => new Promise(() => undefined);
  for (let at = 0; at < 9; at++) both.node.report("Button.event", "press");
  await settle();
  expect(both.host.reports).toHaveLength(8);
  expect(both.node.got("ERROR")).toMatchObject([{ code: 9 }]);
});

test("a report that comes in one go behind an answer is reported to the host after the answer", async () => {
  await using both = await HubAndNode.live();
  both.node.script = silentTo("READ");
  const read = both.driver.read(LAMP, LEVEL, both.attempt()).then((result) => {
    if (result.kind === "value") both.host.story.push(`answered ${String(result.value)}`);
  });
  await settle();
  const seq = both.node.got("READ").at(-1)?.seq ?? 0;
  both.node.sayTogether(
    { type: "VALUE", seq, value: 10 },
    { type: "REPORT", seq: 900, device: 0, service: "LightLevel", index: 0, property: "level", value: 11 },
  );
  await read;
  await settle();
  expect(both.host.story.slice(-2)).toEqual(["answered 10", "reported LightLevel.level 11"]);
});

test("a report between two answers that come in one go is reported to the host after the first and before the second", async () => {
  await using both = await HubAndNode.live({ win: 2 });
  both.node.script = silentTo("READ", "WRITE");
  const tell = (result: DriverResult) => {
    if (result.kind === "value") both.host.story.push(`answered ${String(result.value)}`);
  };
  const read = both.driver.read(LAMP, SWITCH, both.attempt()).then(tell);
  const write = both.driver.write(LAMP, LEVEL, 12, both.attempt()).then(tell);
  await settle();
  const seqOf = (type: "READ" | "WRITE") => both.node.got(type).at(-1)?.seq ?? 0;
  both.node.sayTogether(
    { type: "VALUE", seq: seqOf("READ"), value: true },
    { type: "REPORT", seq: 900, device: 0, service: "LightLevel", index: 0, property: "level", value: 11 },
    { type: "WRITTEN", seq: seqOf("WRITE"), value: 12 },
    { type: "REPORT", seq: 901, device: 0, service: "LightLevel", index: 0, property: "level", value: 13 },
  );
  await Promise.all([read, write]);
  await settle();
  expect(both.host.story.slice(-4)).toEqual([
    "answered true",
    "reported LightLevel.level 11",
    "answered 12",
    "reported LightLevel.level 13",
  ]);
});

test("reports of an entry that is another link's are settled, so that its neighbours are not held up", async () => {
  await using both = new HubAndNode({ devices: [LAMP, OTHER] });
  both.host.refuses.add(LAMP);
  await both.clock.advance(0);
  const seq = both.node.report("Switch.on", true);
  const next = both.node.nextSeq();
  both.node.report("Switch.on", true, next, 1);
  await settle();
  expect(both.node.answersTo(seq)).toMatchObject([{ type: "ERROR", code: 3 }]);
  expect(both.node.answersTo(next)).toEqual([{ type: "ACK", seq: next }]);
});
