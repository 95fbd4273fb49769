import { settle } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import { HubAndNode, LEVEL, SWITCH } from "../hub-and-node.fixture.ts";
import { LAMP, LAMP_SERVICES, silentTo } from "../scripted-node.fixture.ts";

const BUTTON = { service: "Button", index: "0", property: "event" };

test("a write is answered with the property's value as the device reports it", async () => {
  await using both = await HubAndNode.live();
  both.node.script = (message) =>
    message.type === "WRITE" ? { type: "WRITTEN", seq: message.seq, value: 41 } : undefined;
  const result = await both.clock.until(both.driver.write(LAMP, LEVEL, 41.2, both.attempt()));
  expect(result).toEqual({ kind: "value", value: 41 });
});

test("a read asks the device itself", async () => {
  await using both = await HubAndNode.live();
  both.node.values.set("LightLevel.level", 99);
  expect(await both.clock.until(both.driver.read(LAMP, LEVEL, both.attempt()))).toEqual({ kind: "value", value: 99 });
});

test("a silent WRITE is tried three times with the same seq, 500 ms apart, and its outcome is unknown", async () => {
  await using both = await HubAndNode.live();
  both.node.script = silentTo("WRITE");
  const start = both.clock.monotonic();
  const result = await both.clock.until(both.driver.write(LAMP, SWITCH, true, both.attempt()));
  expect(result).toMatchObject({ kind: "failed", name: "Device Unreachable", outcome: "unknown" });
  expect(both.node.times("WRITE").map((at) => at - start)).toEqual([0, 500, 1000]);
  expect(new Set(both.node.got("WRITE").map(({ seq }) => seq)).size).toBe(1);
  expect(both.clock.monotonic() - start).toBe(1500);
});

test("bytes that arrive put the next try off", async () => {
  await using both = await HubAndNode.live();
  both.node.script = silentTo("WRITE");
  const start = both.clock.monotonic();
  const result = both.driver.write(LAMP, SWITCH, true, both.attempt());
  await both.clock.advance(400);
  both.node.raw(Uint8Array.of(0xc0));
  await both.clock.until(result);
  expect(both.node.times("WRITE").map((at) => at - start)).toEqual([0, 900, 1400]);
});

test("on a serial line a try is as long as its largest frame takes longer", async () => {
  await using both = await HubAndNode.live({}, { baudRate: 9600 });
  both.node.script = silentTo("WRITE");
  const start = both.clock.monotonic();
  void both.driver.write(LAMP, SWITCH, true, both.attempt(60_000));
  await both.clock.advance(4700);
  expect(both.node.got("WRITE")).toHaveLength(1);
  await both.clock.advance(100);
  expect(both.node.times("WRITE")[1]).toBeCloseTo(start + 500 + (4097 * 10_000) / 9600, 3);
});

test("after a WRITE that failed by silence the property is read before it is used again", async () => {
  await using both = await HubAndNode.live();
  both.node.script = (message, node) => {
    if (message.type !== "WRITE") return undefined;
    node.values.set("Switch.on", true);
    return [];
  };
  await both.clock.until(both.driver.write(LAMP, SWITCH, true, both.attempt()));
  await settle();
  expect(both.host.story.at(-1)).toBe("learned Switch.on true");
});

test("a property of which a silent WRITE has left the value unknown is not written while it cannot be read", async () => {
  await using both = await HubAndNode.live();
  both.node.script = silentTo("WRITE", "READ");
  await both.clock.until(both.driver.write(LAMP, SWITCH, true, both.attempt()));
  const writes = both.node.got("WRITE").length;
  const second = await both.clock.until(both.driver.write(LAMP, SWITCH, false, both.attempt()));
  expect(second).toMatchObject({ outcome: "not_applied" });
  expect(both.node.got("WRITE")).toHaveLength(writes);
  both.node.script = () => undefined;
  expect(await both.clock.until(both.driver.write(LAMP, SWITCH, false, both.attempt()))).toEqual({
    kind: "value",
    value: false,
  });
  const types = both.node.heard.map(({ message }) => message.type).filter((type) => type !== "PING");
  expect(types.slice(-2)).toEqual(["READ", "WRITE"]);
});

test("ERROR 9 is asked again under new seqs after 100, 200 and 400 ms, and in the end it was not applied", async () => {
  await using both = await HubAndNode.live();
  both.node.script = (message) =>
    message.type === "WRITE" ? { type: "ERROR", seq: message.seq, code: 9, text: "" } : undefined;
  const start = both.clock.monotonic();
  const result = await both.clock.until(both.driver.write(LAMP, SWITCH, true, both.attempt()));
  expect(result).toMatchObject({ name: "Device Unreachable", outcome: "not_applied", code: 9 });
  expect(both.node.times("WRITE").map((at) => at - start)).toEqual([0, 100, 300, 700]);
  expect(new Set(both.node.got("WRITE").map(({ seq }) => seq)).size).toBe(4);
});

test.each([
  [1, "Device Unreachable", "not_applied"],
  [2, "Device Unreachable", "not_applied"],
  [3, "Device Unreachable", "not_applied"],
  [4, "Device Unreachable", "not_applied"],
  [5, "Device Unreachable", "not_applied"],
  [6, "Device Rejected", "rejected"],
  [7, "Device Rejected", "rejected"],
  [8, "Device Rejected", "rejected"],
  [10, "Device Unreachable", "unknown"],
  [11, "Device Unreachable", "unknown"],
  [12, "Device Unreachable", "unknown"],
  [200, "Device Unreachable", "unknown"],
])("a command that ends with ERROR %i is %s, %s", async (code, name, outcome) => {
  await using both = await HubAndNode.live();
  both.node.script = (message) =>
    message.type === "WRITE" ? { type: "ERROR", seq: message.seq, code, text: "no" } : undefined;
  const result = await both.clock.until(both.driver.write(LAMP, SWITCH, true, both.attempt()));
  expect(result).toMatchObject({ kind: "failed", name, outcome, code, detail: expect.stringContaining("no") });
});

test("a device that does not know its property any more is described afresh before the command is answered", async () => {
  await using both = await HubAndNode.live();
  await both.clock.advance(6000);
  both.node.services.set(LAMP, LAMP_SERVICES.slice(1));
  both.node.script = (message) =>
    message.type === "WRITE" ? { type: "ERROR", seq: message.seq, code: 4, text: "" } : undefined;
  await both.clock.until(both.driver.write(LAMP, SWITCH, true, both.attempt()));
  expect(both.host.arrivals.at(-1)?.description.map(({ service }) => service)).toEqual([
    "LightLevel",
    "Button",
    "Identify",
  ]);
});

test("a device that sends ERROR 4 again and again is described at most once in 5 s", async () => {
  await using both = await HubAndNode.live();
  both.node.script = (message) =>
    message.type === "WRITE" ? { type: "ERROR", seq: message.seq, code: 4, text: "" } : undefined;
  for (let at = 0; at < 20; at++) {
    await both.clock.until(both.driver.write(LAMP, SWITCH, true, both.attempt()));
    await both.clock.advance(500);
  }
  expect(both.node.times("DESCRIBE")).toEqual([0, 5000, 10_000]);
});

test("a value of a type other than described is taken as a hardware failure", async () => {
  await using both = await HubAndNode.live();
  both.node.script = (message) =>
    message.type === "WRITE" ? { type: "WRITTEN", seq: message.seq, value: "on" } : undefined;
  const result = await both.clock.until(both.driver.write(LAMP, SWITCH, true, both.attempt()));
  expect(result).toMatchObject({ name: "Device Unreachable", outcome: "unknown", code: 10 });
  expect(both.counters.wrongType).toBe(1);
});

test("a number outside its range is reported as measured, and is counted", async () => {
  await using both = await HubAndNode.live();
  await both.addThermometer();
  const celsius = { service: "Temperature", index: "0", property: "celsius" };
  both.node.values.set("Temperature.celsius", 140);
  expect(await both.clock.until(both.driver.read(LAMP, celsius, both.attempt()))).toEqual({
    kind: "value",
    value: 140,
  });
  expect(both.counters.outOfRange).toBe(1);
});

test("a share outside its range is no value, and is counted", async () => {
  await using both = await HubAndNode.live();
  both.node.values.set("LightLevel.level", 140);
  expect(await both.clock.until(both.driver.read(LAMP, LEVEL, both.attempt()))).toEqual({ kind: "value", value: null });
  expect(both.counters.outOfRange).toBe(1);
});

test("no value at present is a value", async () => {
  await using both = await HubAndNode.live();
  both.node.values.set("LightLevel.level", null);
  expect(await both.clock.until(both.driver.read(LAMP, LEVEL, both.attempt()))).toEqual({ kind: "value", value: null });
});

test("an answer of the wrong type for its seq is ignored", async () => {
  await using both = await HubAndNode.live();
  both.node.script = (message) =>
    message.type === "WRITE"
      ? [
          { type: "VALUE", seq: message.seq, value: false },
          { type: "WRITTEN", seq: message.seq, value: true },
        ]
      : undefined;
  expect(await both.clock.until(both.driver.write(LAMP, SWITCH, true, both.attempt()))).toEqual({
    kind: "value",
    value: true,
  });
  expect(both.counters.ignored).toBe(1);
});

test("a request that does not fit the node's frame is rejected by the hub itself", async () => {
  const own = { property: "text", type: "string", access: ["read", "write"] } as const;
  const both = new HubAndNode({ max: 128 });
  both.node.services.set(LAMP, [{ service: "Display", index: "0", properties: [own] }]);
  both.node.values.set("Display.text", "");
  await both.clock.advance(0);
  const display = { service: "Display", index: "0", property: "text" };
  const result = await both.clock.until(both.driver.write(LAMP, display, "x".repeat(120), both.attempt()));
  expect(result).toMatchObject({ name: "Device Rejected", outcome: "rejected" });
  expect(both.node.got("WRITE")).toEqual([]);
  await both[Symbol.asyncDispose]();
});

test("a value that the protocol cannot carry is rejected by the hub itself", async () => {
  await using both = await HubAndNode.live();
  const result = await both.clock.until(both.driver.write(LAMP, LEVEL, Number.NaN, both.attempt()));
  expect(result).toMatchObject({ name: "Device Rejected", outcome: "rejected" });
});

test("what cannot be set or read is rejected without asking", async () => {
  await using both = await HubAndNode.live();
  const heard = both.node.heard.length;
  expect(await both.driver.read(LAMP, BUTTON, both.attempt())).toMatchObject({ outcome: "rejected" });
  expect(await both.driver.write(LAMP, BUTTON, "press", both.attempt())).toMatchObject({ outcome: "rejected" });
  expect(await both.driver.write(LAMP, { ...SWITCH, index: "3" }, true, both.attempt())).toMatchObject({
    outcome: "not_applied",
  });
  expect(both.node.heard).toHaveLength(heard);
});

test("a command past its deadline does not touch the hardware", async () => {
  await using both = await HubAndNode.live();
  expect(await both.driver.write(LAMP, SWITCH, true, both.attempt(0))).toMatchObject({ outcome: "not_applied" });
  expect(both.node.got("WRITE")).toEqual([]);
});

test("a command whose leave is withdrawn does not touch the hardware", async () => {
  await using both = await HubAndNode.live();
  const result = await both.driver.write(
    LAMP,
    SWITCH,
    true,
    both.attempt(1000, () => false),
  );
  expect(result).toMatchObject({ outcome: "not_applied" });
  expect(both.node.got("WRITE")).toEqual([]);
});

test("a WRITE is not sent again after its deadline, and its outcome is unknown", async () => {
  await using both = await HubAndNode.live();
  both.node.script = silentTo("WRITE");
  const result = await both.clock.until(both.driver.write(LAMP, SWITCH, true, both.attempt(700)));
  expect(result).toMatchObject({ outcome: "unknown" });
  expect(both.node.got("WRITE")).toHaveLength(2);
});

test("a WRITE is not sent again once the leave is withdrawn, and its outcome is unknown", async () => {
  await using both = await HubAndNode.live();
  both.node.script = silentTo("WRITE");
  let leave = true;
  const result = both.driver.write(
    LAMP,
    SWITCH,
    true,
    both.attempt(10_000, () => leave),
  );
  await both.clock.advance(100);
  leave = false;
  expect(await both.clock.until(result)).toMatchObject({ outcome: "unknown" });
  expect(both.node.got("WRITE")).toHaveLength(1);
});

test("a node has at most as many requests unanswered as it takes at once", async () => {
  await using both = await HubAndNode.live({ win: 3 });
  const before = both.node.heard.length;
  both.node.script = silentTo("READ");
  for (let at = 0; at < 8; at++) void both.driver.read(LAMP, LEVEL, both.attempt());
  await both.clock.advance(400);
  expect(both.node.heard).toHaveLength(before + 3);
  const [first] = both.node.got("READ").slice(-3);
  both.node.say({ type: "VALUE", seq: first?.seq ?? 0, value: 1 });
  await settle();
  expect(both.node.heard).toHaveLength(before + 4);
});

test("no more WRITEs are sent past an unanswered one than its node remembers, so that its repetition is known as one", async () => {
  await using both = await HubAndNode.live({ win: 3 });
  both.node.script = (message) => (message.type === "WRITE" && message.value === 0 ? [] : undefined);
  const silent = both.driver.write(LAMP, LEVEL, 0, both.attempt());
  const others = [1, 2, 3, 4].map((value) => both.driver.write(LAMP, LEVEL, value, both.attempt()));
  const read = both.driver.read(LAMP, SWITCH, both.attempt());
  expect(await read).toEqual({ kind: "value", value: false });
  await both.clock.advance(1400);
  const sent = () => both.node.got("WRITE").map(({ value }) => value);
  expect(sent()).toEqual([0, 1, 2, 0, 0]);
  expect(await both.clock.until(silent)).toMatchObject({ outcome: "unknown" });
  await both.clock.until(Promise.all(others));
  expect(sent()).toEqual([0, 1, 2, 0, 0, 3, 4]);
});

test("a WRITE is not repeated to a node that has gone back to HELLO meanwhile: it would not know it as a repetition", async () => {
  await using both = await HubAndNode.live({ win: 2 });
  both.node.script = silentTo("WRITE", "READ");
  const write = both.driver.write(LAMP, SWITCH, true, both.attempt());
  const read = both.driver.read(LAMP, LEVEL, both.attempt());
  await both.clock.advance(100);
  both.node.hello();
  expect(await both.clock.until(write)).toMatchObject({ outcome: "unknown" });
  await both.clock.until(read);
  expect(both.node.got("WRITE")).toHaveLength(1);
  const asked = both.node.got("READ").filter(({ property }) => property === "level");
  expect(asked, "one at the start, and three tries").toHaveLength(4);
});

test("a command that waits for its turn until its deadline ends untouched, then and not later", async () => {
  await using both = await HubAndNode.live();
  both.node.script = silentTo("READ", "WRITE");
  void both.driver.read(LAMP, LEVEL, both.attempt());
  const start = both.clock.monotonic();
  const result = await both.clock.until(both.driver.write(LAMP, SWITCH, true, both.attempt(300)));
  expect(result).toMatchObject({ outcome: "not_applied" });
  expect(both.clock.monotonic() - start).toBe(300);
});

test("a command that is cancelled while it waits for its turn ends untouched", async () => {
  await using both = await HubAndNode.live();
  both.node.script = silentTo("READ", "WRITE");
  void both.driver.read(LAMP, LEVEL, both.attempt());
  const cancel = new AbortController();
  const result = both.driver.write(LAMP, SWITCH, true, both.attempt(10_000, undefined, cancel.signal));
  await settle();
  cancel.abort();
  expect(await result).toMatchObject({ outcome: "not_applied" });
  expect(both.node.got("WRITE")).toEqual([]);
});

test("the hub's seqs count up by one and wrap after 65535", async () => {
  await using both = await HubAndNode.live(
    {},
    { random: { bytes: () => new Uint8Array(), fraction: () => 65_532.5 / 65_536 } },
  );
  await both.clock.until(both.driver.read(LAMP, LEVEL, both.attempt()));
  const seqs = both.node.heard.filter(({ message }) => message.type !== "HELLO_ACK").map(({ message }) => message.seq);
  expect(seqs).toEqual([65_533, 65_534, 65_535, 0, 1]);
});

test("what is in flight at a reboot fails as unknown and is not sent again", async () => {
  await using both = await HubAndNode.live();
  both.node.script = silentTo("WRITE");
  const result = both.driver.write(LAMP, SWITCH, true, both.attempt());
  await settle();
  both.node.info = { ...both.node.info, boot: 8 };
  both.node.hello();
  expect(await both.clock.until(result)).toMatchObject({ outcome: "unknown" });
  await both.clock.advance(10_000);
  expect(both.node.got("WRITE")).toHaveLength(1);
});

test("a command that comes in a reboot waits until the node is described and read", async () => {
  await using both = await HubAndNode.live();
  both.node.info = { ...both.node.info, boot: 8 };
  both.node.hello();
  await settle();
  const result = both.driver.write(LAMP, SWITCH, true, both.attempt());
  await both.clock.advance(4000);
  expect(both.node.got("WRITE")).toEqual([]);
  expect(await both.clock.until(result)).toEqual({ kind: "value", value: true });
  const types = both.node.heard.map(({ message }) => message.type);
  expect(types.slice(-4)).toEqual(["DESCRIBE", "READ", "READ", "WRITE"]);
});

test("a command that waited for its turn when the node rebooted is carried out after the reboot", async () => {
  await using both = await HubAndNode.live();
  both.node.script = silentTo("READ");
  const read = both.driver.read(LAMP, LEVEL, both.attempt());
  const write = both.driver.write(LAMP, SWITCH, true, both.attempt());
  await settle();
  both.node.script = () => undefined;
  both.node.info = { ...both.node.info, boot: 8 };
  both.node.hello();
  expect(await both.clock.until(read)).toMatchObject({ outcome: "unknown" });
  expect(await both.clock.until(write)).toEqual({ kind: "value", value: true });
});

test("a command whose deadline ends in a reboot was not applied", async () => {
  await using both = await HubAndNode.live();
  both.node.info = { ...both.node.info, boot: 8 };
  both.node.hello();
  await settle();
  const result = await both.clock.until(both.driver.write(LAMP, SWITCH, true, both.attempt(2000)));
  expect(result).toMatchObject({ outcome: "not_applied" });
  expect(both.node.got("WRITE")).toEqual([]);
});

test("what is in flight when the line vanishes is unknown, what had not left was not applied", async () => {
  await using both = await HubAndNode.live();
  both.node.script = silentTo("WRITE");
  const first = both.driver.write(LAMP, SWITCH, true, both.attempt());
  const second = both.driver.write(LAMP, LEVEL, 3, both.attempt());
  await settle();
  both.node.detach();
  expect(await first).toMatchObject({ outcome: "unknown" });
  expect(await second).toMatchObject({ outcome: "not_applied" });
});

test("a device that is not connected cannot be asked", async () => {
  await using both = await HubAndNode.live();
  expect(await both.driver.read("02-00-00-00-00-FF", LEVEL, both.attempt())).toMatchObject({
    name: "Device Unreachable",
    outcome: "not_applied",
  });
});
