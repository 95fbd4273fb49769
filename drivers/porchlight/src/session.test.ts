import { settle } from "@porchlight/shared/kernel";
import { encodeCbor, encodeFrame } from "@porchlight/shared/wire";
import { expect, test } from "vitest";
import { HubAndNode, SWITCH } from "./hub-and-node.fixture.ts";
import { HUB, LAMP, LAMP_SERVICES, OTHER, silentTo, THIRD } from "./scripted-node.fixture.ts";

test("a hub that opens a link sends WHO every second until a HELLO", async () => {
  await using both = new HubAndNode();
  both.node.script = silentTo("WHO");
  await both.clock.advance(3500);
  expect(both.node.times("WHO")).toEqual([0, 1000, 2000, 3000]);
  both.node.hello();
  await both.clock.advance(3500);
  expect(both.node.got("WHO")).toHaveLength(4);
});

test("HELLO is acknowledged with its seq, the hub's edgeId and the time", async () => {
  await using both = new HubAndNode();
  both.node.script = silentTo("WHO");
  await settle();
  both.node.hello(513);
  await settle();
  const now = Math.floor(both.clock.now() / 1000);
  expect(both.node.got("HELLO_ACK")).toEqual([{ type: "HELLO_ACK", seq: 513, info: { v: 1, hub: HUB, now } }]);
});

test("WHO, HELLO_ACK and DESCRIBE are sent as the protocol page states, to the byte", async () => {
  await using both = new HubAndNode({}, { random: { bytes: () => new Uint8Array(), fraction: () => 6 / 65_536 } });
  await settle();
  // [16, 7]; the CRC of 82 10 07 was worked out by hand with polynomial 1021 and initial FFFF.
  expect(Buffer.from(both.node.bytes[0] ?? []).toString("hex")).toMatch(/^c0821007[0-9a-f]{4}c0$/);
  expect(both.node.got("DESCRIBE")[0]).toEqual({ type: "DESCRIBE", seq: 8, device: 0, part: 0 });
});

test("after HELLO_ACK every device is described, and every readable property is read once", async () => {
  await using both = await HubAndNode.live({ devices: [LAMP, OTHER] });
  expect(both.node.got("DESCRIBE").map(({ device }) => device)).toEqual([0, 1]);
  expect(both.host.arrivals.map(({ edgeId }) => edgeId)).toEqual([LAMP, OTHER]);
  const read = both.node.got("READ").map(({ device, service, property }) => `${device} ${service}.${property}`);
  expect(read.sort()).toEqual(["0 LightLevel.level", "0 Switch.on", "1 LightLevel.level", "1 Switch.on"]);
  expect(both.host.story).toContain("learned LightLevel.level 40");
  expect(both.driver.status().phase).toBe("live");
});

test("a description in parts is asked for part by part and joined", async () => {
  await using both = new HubAndNode({ max: 128 });
  const services = ["0", "1", "2", "3"].flatMap((index) => LAMP_SERVICES.map((service) => ({ ...service, index })));
  both.node.services.set(LAMP, services);
  await both.clock.advance(0);
  expect(both.node.got("DESCRIBE").map(({ part }) => part)).toEqual([0, 1, 2]);
  const described = both.host.arrivals[0]?.description.map(({ service, index }) => `${service}:${index}`);
  expect(described).toEqual([...services.map(({ service, index }) => `${service}:${index}`), "Identify:0"]);
});

test("what a single node says of itself in HELLO is reported of its device", async () => {
  await using both = await HubAndNode.live({ mf: "Acme", fw: "1.2" });
  expect(both.host.arrivals[0]?.about).toEqual({ manufacturer: "Acme", firmware: "1.2" });
});

test("a HELLO with the same boot on a live session is acknowledged and changes nothing else", async () => {
  await using both = await HubAndNode.live();
  const described = both.node.got("DESCRIBE").length;
  both.node.hello();
  await both.clock.advance(10_000);
  expect(both.node.got("HELLO_ACK")).toHaveLength(2);
  expect(both.node.got("DESCRIBE")).toHaveLength(described);
  expect(both.host.story.filter((line) => line.startsWith("left"))).toEqual([]);
});

test("a new boot is described and read afresh, and a device that is as it was stays live", async () => {
  await using both = await HubAndNode.live();
  await both.clock.advance(5000);
  both.node.values.set("Switch.on", true);
  both.node.info = { ...both.node.info, boot: 8 };
  both.node.hello();
  await both.clock.advance(100);
  expect(both.node.got("DESCRIBE")).toHaveLength(2);
  expect(both.host.story.at(-2)).toBe("learned Switch.on true");
  expect(both.host.story.filter((line) => line.startsWith("left"))).toEqual([]);
  expect(both.counters.reboots).toBe(1);
});

test("a device that a new boot does not list is offline", async () => {
  await using both = await HubAndNode.live({ devices: [LAMP, OTHER] });
  both.node.info = { ...both.node.info, boot: 8, devices: [LAMP] };
  both.node.hello();
  await settle();
  expect(both.driver.has(OTHER)).toBe(false);
  expect(both.driver.has(LAMP)).toBe(true);
});

test("a whole link is described at most once in 5 s, however often its node boots", async () => {
  await using both = await HubAndNode.live();
  for (let boot = 100; boot < 130; boot++) {
    both.node.info = { ...both.node.info, boot };
    both.node.hello();
    await both.clock.advance(500);
  }
  const times = both.node.times("DESCRIBE");
  expect(times.length).toBeGreaterThanOrEqual(3);
  for (const [at, time] of times.entries())
    if (at > 0) expect(time - (times[at - 1] ?? 0)).toBeGreaterThanOrEqual(5000);
});

test("a node that counts no boots has rebooted with every HELLO on a live session, and its reports are forgotten", async () => {
  await using both = await HubAndNode.live({ boot: 0 });
  expect(both.host.forgotten).toEqual([]);
  both.node.hello();
  await both.clock.advance(6000);
  expect(both.host.forgotten).toEqual([LAMP]);
  expect(both.node.got("DESCRIBE")).toHaveLength(2);
});

test("a HELLO that a node without boot counter repeats because HELLO_ACK was late is no reboot", async () => {
  await using both = new HubAndNode({ boot: 0 });
  both.node.script = silentTo("WHO", "DESCRIBE");
  await settle();
  both.node.hello(9);
  both.node.hello(9);
  await settle();
  expect(both.node.got("HELLO_ACK")).toHaveLength(2);
  expect(both.counters.reboots).toBe(0);
});

test("a silent node gets three PINGs, a second apart, after 5 s; then its devices are offline and the hub sends WHO", async () => {
  await using both = await HubAndNode.live();
  const silentSince = both.clock.monotonic();
  both.node.script = () => [];
  await both.clock.advance(7999);
  expect(both.node.times("PING").map((at) => at - silentSince)).toEqual([5000, 6000, 7000]);
  expect(both.driver.has(LAMP)).toBe(true);
  const who = both.node.got("WHO").length;
  await both.clock.advance(1);
  expect(both.driver.has(LAMP)).toBe(false);
  expect(both.host.story.at(-1)).toBe(`left ${LAMP}`);
  expect(both.node.got("WHO")).toHaveLength(who + 1);
  expect(both.opened).toBe(1);
});

test("a node that answers PING stays live for hours and hears one PING in 5 s", async () => {
  await using both = await HubAndNode.live();
  await both.clock.advance(3_600_000);
  expect(both.driver.has(LAMP)).toBe(true);
  expect(both.node.got("PING")).toHaveLength(720);
});

test("a node that comes back with the same boot after a silence is live again", async () => {
  await using both = await HubAndNode.live();
  both.node.script = () => [];
  await both.clock.advance(9000);
  both.node.script = () => undefined;
  await both.clock.advance(2000);
  expect(both.driver.has(LAMP)).toBe(true);
});

test("noise and bad checksums do not count as received", async () => {
  await using both = await HubAndNode.live();
  both.node.script = () => [];
  for (let at = 0; at < 80; at++) {
    both.node.raw(Uint8Array.from([0xc0, 0x82, 0x0b, 0x07, 0x35, 0xbc, 0xc0]));
    await both.clock.advance(100);
  }
  expect(both.driver.has(LAMP)).toBe(false);
  expect(both.counters.badCrc).toBe(80);
});

test("a PING is answered with PONG, and an echo of the hub's own PING is not", async () => {
  await using both = await HubAndNode.live();
  both.node.raw(Uint8Array.from([0xc0, 0x82, 0x0b, 0x07, 0x35, 0xbb, 0xc0]));
  await settle();
  expect(both.node.got("PONG")).toEqual([{ type: "PONG", seq: 7 }]);
  both.node.script = (message) => (message.type === "PING" ? message : undefined);
  await both.clock.advance(5000);
  expect(both.node.got("PONG")).toHaveLength(1);
});

test("a line that only echoes is not taken for a node that lives", async () => {
  await using both = await HubAndNode.live();
  both.node.script = (message) => message;
  await both.clock.advance(8000);
  expect(both.driver.has(LAMP)).toBe(false);
});

test("a node of another version gets ERROR 11, one that is not admitted ERROR 12, and no WHO after that", async () => {
  await using both = new HubAndNode({}, { admits: (id) => id === OTHER });
  await both.clock.advance(3000);
  expect(both.node.got("ERROR").map(({ code }) => code)).toEqual([12]);
  expect(both.node.got("WHO")).toHaveLength(1);
  both.node.info = { ...both.node.info, v: 2 };
  both.node.hello(77);
  await settle();
  expect(both.node.answersTo(77)).toMatchObject([{ code: 11 }]);
  both.node.info = { ...both.node.info, v: 1, id: OTHER };
  both.node.hello();
  await settle();
  expect(both.driver.has(LAMP)).toBe(true);
});

test("an unknown type is answered with ERROR 1, a malformed request with ERROR 2, what the hub has to send not at all", async () => {
  await using both = await HubAndNode.live();
  const heard = both.node.heard.length;
  // [99, 5]; [1, 6]; [9, 7, 0]; [5, 8] and [2, 9]: READ and HELLO_ACK are the hub's to send; [6, 10]: an answer.
  for (const items of [
    [99, 5],
    [1, 6],
    [9, 7, 0],
    [5, 8],
    [2, 9],
    [6, 10],
  ])
    both.node.raw(encodeFrame(encodeCbor(items)));
  await settle();
  const answers = both.node.heard.slice(heard).map(({ message }) => message);
  expect(answers).toMatchObject([
    { type: "ERROR", seq: 5, code: 1 },
    { type: "ERROR", seq: 6, code: 2 },
    { type: "ERROR", seq: 7, code: 2 },
  ]);
  expect(both.counters).toMatchObject({ unknownType: 1, malformed: 2, ignored: 3 });
});

test("CHANGED describes and reads what came, and what left is offline", async () => {
  await using both = await HubAndNode.live({ devices: [LAMP, OTHER] });
  both.node.info = { ...both.node.info, devices: [LAMP, null, THIRD] };
  both.node.say({ type: "CHANGED", seq: 90, devices: [LAMP, null, THIRD] });
  await settle();
  expect(both.node.answersTo(90)).toEqual([{ type: "ACK", seq: 90 }]);
  await both.clock.advance(10);
  expect(both.driver.has(OTHER)).toBe(false);
  expect(both.driver.has(THIRD)).toBe(true);
  expect(both.node.got("DESCRIBE").map(({ device }) => device)).toEqual([0, 1, 2]);
});

test("a CHANGED that gives the place of one device to another is refused and moves nothing", async () => {
  await using both = await HubAndNode.live({ devices: [LAMP, OTHER] });
  both.node.say({ type: "CHANGED", seq: 90, devices: [OTHER, LAMP] });
  await settle();
  expect(both.node.answersTo(90)).toMatchObject([{ type: "ERROR", code: 2 }]);
  expect(both.driver.has(LAMP)).toBe(true);
});

test("duplicates in a list and the hub's own edgeId are ignored", async () => {
  await using both = await HubAndNode.live({ devices: [LAMP, HUB, LAMP, OTHER] });
  expect(both.host.arrivals.map(({ edgeId }) => edgeId)).toEqual([LAMP, OTHER]);
  expect(both.node.got("DESCRIBE").map(({ device }) => device)).toEqual([0, 3]);
});

test("a device whose description changed leaves and comes back", async () => {
  await using both = await HubAndNode.live();
  await both.clock.advance(6000);
  both.node.services.set(LAMP, LAMP_SERVICES.slice(0, 1));
  both.node.info = { ...both.node.info, boot: 8 };
  both.node.hello();
  await both.clock.advance(10);
  expect(both.host.story.filter((line) => /^(arrived|left)/.test(line))).toEqual([
    `arrived ${LAMP}`,
    `left ${LAMP}`,
    `arrived ${LAMP}`,
  ]);
});

test("a device that cannot be described is not live, is asked again, and holds no other up", async () => {
  await using both = new HubAndNode({ devices: [LAMP, OTHER] });
  both.node.script = (message) =>
    message.type === "DESCRIBE" && message.device === 0
      ? { type: "ERROR", seq: message.seq, code: 10, text: "" }
      : undefined;
  await both.clock.advance(100);
  expect(both.driver.has(LAMP)).toBe(false);
  expect(both.driver.has(OTHER)).toBe(true);
  both.node.script = () => undefined;
  await both.clock.advance(5000);
  expect(both.driver.has(LAMP)).toBe(true);
});

test("a property that never answers keeps commands waiting until its three tries are over, and no longer", async () => {
  await using both = new HubAndNode({ win: 2 });
  both.node.script = silentTo("READ");
  await both.clock.advance(0);
  const write = both.driver.write(LAMP, SWITCH, true, both.attempt());
  expect(await both.clock.until(write)).toEqual({ kind: "value", value: true });
  expect(both.node.times("WRITE")).toEqual([1500]);
});

test("commands go before what the hub asks by itself", async () => {
  await using both = await HubAndNode.live({ devices: [LAMP, OTHER, THIRD] });
  both.node.script = silentTo("READ");
  void both.driver.read(LAMP, SWITCH, both.attempt());
  both.node.say({ type: "CHANGED", seq: 90, devices: [LAMP, null, THIRD] });
  both.node.say({ type: "CHANGED", seq: 91, devices: [LAMP, OTHER, THIRD] });
  await settle();
  void both.driver.write(THIRD, SWITCH, true, both.attempt());
  await settle();
  const heard = both.node.heard.length;
  both.node.say({ type: "VALUE", seq: both.node.got("READ").at(-1)?.seq ?? 0, value: true });
  await settle();
  expect(both.node.heard.slice(heard).map(({ message }) => message.type)).toEqual(["WRITE", "DESCRIBE", "READ"]);
});

test("a good checksum is a sign of life with any content", async () => {
  await using both = await HubAndNode.live();
  both.node.script = () => [];
  const body = Uint8Array.of(0x5f);
  for (let second = 0; second < 20; second++) {
    both.node.raw(encodeFrame(body));
    await both.clock.advance(1000);
  }
  expect(both.driver.has(LAMP)).toBe(true);
  expect(both.node.got("PING")).toEqual([]);
});

test("a vanished line takes its devices offline at once, and is opened again when it is back", async () => {
  await using both = await HubAndNode.live();
  both.isThere = false;
  both.node.detach();
  await settle();
  expect(both.driver.has(LAMP)).toBe(false);
  expect(both.driver.status().phase).toBe("closed");
  await both.clock.advance(3000);
  both.isThere = true;
  await both.clock.advance(250);
  expect(both.driver.has(LAMP)).toBe(true);
});

test("a host that throws costs the line, which is opened anew, and not the hub", async () => {
  await using both = await HubAndNode.live({ boot: 0 });
  both.host.forgetReports = () => {
    throw new Error("the disk is full");
  };
  both.node.hello();
  await both.clock.advance(250);
  expect(both.opened).toBe(2);
  expect(both.driver.has(LAMP)).toBe(true);
});

test("a host that throws when a device leaves does not keep the others from leaving", async () => {
  await using both = await HubAndNode.live({ devices: [LAMP, OTHER] });
  const left: string[] = [];
  both.host.left = (edgeId) => {
    left.push(edgeId);
    throw new Error("the disk is full");
  };
  both.node.detach();
  await settle();
  expect(left).toEqual([LAMP, OTHER]);
});

test("what contradicts itself in a description is left out, counted, and the rest is used", async () => {
  await using both = new HubAndNode();
  both.node.script = (message) =>
    message.type === "DESCRIBE"
      ? {
          type: "DESCRIPTION",
          seq: message.seq,
          device: 0,
          part: 0,
          parts: 1,
          services: [{ s: "Switch", i: 0, p: ["on", { n: "odd", t: "number", a: 1, lo: 2, hi: 1 }] }],
        }
      : undefined;
  await both.clock.advance(0);
  const [service] = both.host.arrivals[0]?.description ?? [];
  expect(service?.properties.map(({ property }) => property)).toEqual(["on"]);
  expect(both.counters.leftOut).toBe(1);
});

test("of a description in more than 64 parts the first 64 are used", async () => {
  await using both = new HubAndNode();
  both.node.script = (message) => {
    if (message.type !== "DESCRIBE") return undefined;
    const { seq, device, part } = message;
    return {
      type: "DESCRIPTION",
      seq,
      device,
      part,
      parts: 100,
      services: [{ s: `S${part % 60}`, i: 0, p: [{ n: `p${part}`, t: "boolean", a: 4 }] }],
    };
  };
  await both.clock.advance(0);
  expect(both.node.got("DESCRIBE")).toHaveLength(64);
  expect(both.counters.leftOut).toBe(36);
  expect(both.driver.has(LAMP)).toBe(true);
});

test.each([
  ["max", 127],
  ["max", 4096],
  ["win", 0],
  ["win", 9],
])("a HELLO whose %s is %i is malformed", async (key, value) => {
  await using both = new HubAndNode();
  both.node.script = silentTo("WHO");
  await settle();
  both.node.info = { ...both.node.info, [key]: value };
  both.node.hello(55);
  await settle();
  expect(both.node.answersTo(55)).toMatchObject([{ type: "ERROR", code: 2 }]);
});

test("a driver that ends takes its devices offline and leaves no timer behind", async () => {
  const both = await HubAndNode.live();
  await both[Symbol.asyncDispose]();
  expect(both.host.story.at(-1)).toBe(`left ${LAMP}`);
  expect(both.clock.pending()).toEqual([]);
});
