import type { Value } from "@porchlight/shared/model";
import { decodeServices, type Message, type MessageOf } from "@porchlight/shared/wire";
import { describe, expect, test } from "vitest";
import { KINDS, kindBehaviours } from "../devices/kinds.ts";
import type { TraceEvent } from "./simulated-node.ts";
import { DEFINITION, LIGHT, live } from "./test-node.fixture.ts";

const at = (property: string, service = "LightLevel", device = 0) => ({ device, service, index: 0, property });
const read = (seq: number, address = at("level")): Message => ({ type: "READ", seq, ...address });
const write = (seq: number, value: Value, address = at("level")): Message => ({
  type: "WRITE",
  seq,
  ...address,
  value,
});
const code = (messages: Message[]) =>
  messages.map((message) => (message.type === "ERROR" ? message.code : message.type));

describe("DESCRIBE", () => {
  test("lists a device's services and its own facts", async () => {
    const { hub } = await live();
    const [answer] = await hub.say({ type: "DESCRIBE", seq: 1, device: 0, part: 0 });
    const description = answer as MessageOf<"DESCRIPTION">;
    expect(description).toMatchObject({ device: 0, part: 0, parts: 1, about: { nm: "Porch light" } });
    expect(decodeServices([description])).toMatchObject({ services: KINDS.get("colour-light")?.services, leftOut: 0 });
  });

  test("is cut into parts for a node with small frames", async () => {
    const { hub } = await live({ max: 128 });
    const parts: MessageOf<"DESCRIPTION">[] = [];
    for (let part = 0, of = 1; part < of; part++) {
      const [answer] = await hub.say({ type: "DESCRIBE", seq: part, device: 0, part });
      parts.push(answer as MessageOf<"DESCRIPTION">);
      of = parts[0]?.parts ?? 0;
    }
    expect(parts.length).toBeGreaterThan(1);
    expect(decodeServices(parts).services).toEqual(KINDS.get("colour-light")?.services);
  });

  test("of a part that there is not is malformed", async () => {
    const { hub } = await live();
    expect(code(await hub.say({ type: "DESCRIBE", seq: 1, device: 0, part: 1 }))).toEqual([2]);
  });
});

describe("READ and WRITE", () => {
  test("a READ gives the value, or null when there is none", async () => {
    const { hub } = await live();
    expect(await hub.say(read(1))).toEqual([{ type: "VALUE", seq: 1, value: 40 }]);
    expect(await hub.say(read(2, at("hue", "LightColor")))).toEqual([{ type: "VALUE", seq: 2, value: null }]);
  });

  test("a WRITE is applied, answered with the value as now applied, and not reported", async () => {
    const { clock, hub, node } = await live();
    expect(await hub.say(write(1, 80))).toEqual([{ type: "WRITTEN", seq: 1, value: 80 }]);
    await clock.advance(2000);
    expect([node.device(LIGHT).read("LightLevel.level"), hub.all("REPORT")]).toEqual([80, []]);
  });

  test("an executed WRITE is reported to the recorder once, before it is answered", async () => {
    const events: string[] = [];
    const acted = (edgeId: string, { property }: { property: string }, value: Value) =>
      events.push(`${edgeId} ${property} ${value}`);
    const trace = (event: TraceEvent) => event.direction === "out" && events.push(event.message.type);
    const { hub } = await live({}, { acted, trace });
    events.length = 0;
    for (const request of [write(1, 80), write(1, 80), write(2, 101)]) await hub.say(request);
    expect(events).toEqual([`${LIGHT} level 80`, "WRITTEN", "WRITTEN", "ERROR"]);
  });

  test.each([
    ["an unknown device is 3", read(1, at("level", "LightLevel", 9)), 3],
    ["an unknown service is 4", read(1, at("level", "Fan")), 4],
    ["an unknown index is 4", { ...read(1), index: 1 } as Message, 4],
    ["an unknown property is 5", write(1, 1, at("colour")), 5],
    ["what only notifies is not readable: 6", read(1, at("event", "Button", 1)), 6],
    ["what only reads is not writable: 7", write(1, 50, at("percent", "Battery", 1)), 7],
    ["a value of another type is refused: 8", write(1, "bright"), 8],
    ["a value out of range is refused: 8", write(1, 101), 8],
    ["no value at all is refused: 8", write(1, null), 8],
    ["IDENTIFY of an unknown device is 3", { type: "IDENTIFY", seq: 1, device: 2, seconds: 3 } as Message, 3],
  ])("%s", async (_, request, expected) => {
    const { hub } = await live();
    expect(code(await hub.say(request))).toEqual([expected]);
  });

  test("IDENTIFY blinks for the stated time, and stops at 0", async () => {
    const { clock, hub, node } = await live();
    expect(code(await hub.say({ type: "IDENTIFY", seq: 1, device: 0, seconds: 30 }))).toEqual(["ACK"]);
    await clock.advance(29_999);
    expect(node.device(LIGHT).identifying).toBe(true);
    await clock.advance(1);
    expect(node.device(LIGHT).identifying).toBe(false);
    await hub.say({ type: "IDENTIFY", seq: 2, device: 0, seconds: 30 });
    await hub.say({ type: "IDENTIFY", seq: 3, device: 0, seconds: 0 });
    expect(node.device(LIGHT).identifying).toBe(false);
  });
});

describe("a repetition", () => {
  test("of a WRITE is answered again and not carried out again, also after the value has changed", async () => {
    const { hub, node } = await live();
    await hub.say(write(1, 80));
    node.device(LIGHT).turn("LightLevel.level", 5);
    expect(await hub.say(write(1, 80))).toEqual([{ type: "WRITTEN", seq: 1, value: 80 }]);
    expect([node.device(LIGHT).writes.length, node.device(LIGHT).read("LightLevel.level")]).toEqual([1, 5]);
  });

  test("is the same seq with the same body: another body is another request", async () => {
    const { hub, node } = await live();
    await hub.say(write(1, 80));
    expect(await hub.say(write(1, 81))).toEqual([{ type: "WRITTEN", seq: 1, value: 81 }]);
    expect(node.device(LIGHT).writes.map(({ value }) => value)).toEqual([80, 81]);
  });

  test("of what is still being carried out is ignored", async () => {
    const { clock, hub, node } = await live({ win: 2 });
    node.device(LIGHT).fail({ mode: "slow", ms: 700 });
    await hub.say(write(1, 80));
    await clock.advance(500);
    expect(await hub.say(write(1, 80))).toEqual([]);
    await clock.advance(200);
    expect([hub.all("WRITTEN").length, node.device(LIGHT).writes.length]).toEqual([1, 1]);
  });

  test("is known for the last `win` WRITEs and IDENTIFYs", async () => {
    const { hub, node } = await live({ win: 2 });
    for (const seq of [1, 2, 3]) await hub.say(write(seq, seq));
    await hub.say(read(4));
    await hub.say(write(2, 2));
    await hub.say(write(3, 3));
    expect(node.device(LIGHT).writes).toHaveLength(3);
    await hub.say(write(1, 1));
    expect(node.device(LIGHT).writes).toHaveLength(4);
  });

  test.each([
    ["WHO", async ({ hub }: Awaited<ReturnType<typeof live>>) => void (await hub.say({ type: "WHO", seq: 9 }))],
    ["a reboot", async ({ node }: Awaited<ReturnType<typeof live>>) => node.reboot()],
    ["the way back to HELLO", async ({ clock }: Awaited<ReturnType<typeof live>>) => clock.advance(8000)],
  ])("is not known any more after %s, and nothing is done until the node is acknowledged", async (_, happens) => {
    const world = await live();
    await world.hub.say(write(1, 80));
    await happens(world);
    expect(code(await world.hub.say(write(1, 80)))).toEqual([9]);
    expect(code(await world.hub.say({ type: "IDENTIFY", seq: 2, device: 0, seconds: 3 }))).toEqual([9]);
    expect(world.node.device(LIGHT).writes).toHaveLength(1);
    await world.clock.advance(1000);
    await world.hub.acknowledge();
    await world.hub.say(write(1, 80));
    expect(world.node.device(LIGHT).writes).toHaveLength(2);
  });

  test("of what was refused is refused again", async () => {
    const { hub, node } = await live();
    await hub.say(write(1, 101));
    node.device(LIGHT).fail({ mode: "silent" });
    expect(await hub.say(write(1, 101))).toEqual([]);
    node.device(LIGHT).fail({ mode: "none" });
    expect(code(await hub.say(write(1, 101)))).toEqual([8]);
  });
});

describe("a device that misbehaves", () => {
  test("silent: it neither acts nor answers", async () => {
    const { hub, node } = await live();
    node.device(LIGHT).fail({ mode: "silent" });
    expect([await hub.say(write(1, 80)), await hub.say(read(2))]).toEqual([[], []]);
    expect(node.device(LIGHT).writes).toEqual([]);
  });

  test("mute: it acts once and does not answer", async () => {
    const { hub, node } = await live();
    node.device(LIGHT).fail({ mode: "mute" });
    for (let tries = 0; tries < 3; tries++) expect(await hub.say(write(1, 80))).toEqual([]);
    expect(node.device(LIGHT).writes).toHaveLength(1);
    node.device(LIGHT).fail({ mode: "none" });
    expect(code(await hub.say(write(1, 80)))).toEqual(["WRITTEN"]);
    expect(node.device(LIGHT).writes).toHaveLength(1);
  });

  test("slow: it answers at once what waits when it is slow no more, and only once", async () => {
    const { clock, hub, node } = await live();
    node.fail(node.device(LIGHT), { mode: "slow", ms: 60_000 });
    expect(await hub.say(write(1, 80))).toEqual([]);
    node.fail(node.device(LIGHT), { mode: "slow", ms: 50_000 });
    expect(node.underWay).toBe(1);
    node.fail(node.device(LIGHT), { mode: "none" });
    await clock.advance(1);
    expect(hub.all("WRITTEN")).toEqual([{ type: "WRITTEN", seq: 1, value: 80 }]);
    await clock.advance(60_000);
    expect([hub.all("WRITTEN").length, node.device(LIGHT).writes.length]).toEqual([1, 1]);
  });

  test("slow: it answers late, and a reboot before that leaves nothing done", async () => {
    const { clock, hub, node } = await live();
    node.device(LIGHT).fail({ mode: "slow", ms: 400 });
    await hub.say(write(1, 80));
    await clock.advance(399);
    expect(hub.all("WRITTEN")).toEqual([]);
    await clock.advance(1);
    expect(hub.all("WRITTEN")).toHaveLength(1);
    await hub.say(write(2, 90));
    node.reboot();
    await clock.advance(1000);
    expect(node.device(LIGHT).writes.map(({ value }) => value)).toEqual([80]);
  });

  test("wrong: its values are of another type than described", async () => {
    const { clock, hub, node } = await live();
    node.device(LIGHT).fail({ mode: "wrong" });
    expect(await hub.say(read(1))).toEqual([{ type: "VALUE", seq: 1, value: "12" }]);
    expect(await hub.say(write(2, 80))).toEqual([{ type: "WRITTEN", seq: 2, value: "12" }]);
    node.device(LIGHT).turn("Switch.on", true);
    await clock.advance(0);
    expect(hub.last("REPORT").value).toBe("on");
  });

  test.each([
    ["refuse", write(1, 80), 8],
    ["refuse", read(1), "VALUE"],
    ["broken", write(1, 80), 10],
    ["broken", read(1), 10],
    ["broken", { type: "IDENTIFY", seq: 1, device: 0, seconds: 1 } as Message, 10],
  ] as const)("%s", async (mode, request, expected) => {
    const { hub, node } = await live();
    node.device(LIGHT).fail({ mode });
    expect(code(await hub.say(request))).toEqual([expected]);
  });

  test("busy: ERROR 9 is remembered of what acts, so that only another seq succeeds later; a READ may be repeated", async () => {
    const { hub, node } = await live();
    node.device(LIGHT).fail({ mode: "busy", times: 1 });
    expect(code(await hub.say(write(1, 80)))).toEqual([9]);
    expect(code(await hub.say(write(1, 80)))).toEqual([9]);
    expect(code(await hub.say(write(2, 80)))).toEqual(["WRITTEN"]);
    expect(node.device(LIGHT).writes).toHaveLength(1);
    node.device(LIGHT).fail({ mode: "busy", times: 1 });
    expect(code(await hub.say(read(3)))).toEqual([9]);
    expect(code(await hub.say(read(3)))).toEqual(["VALUE"]);
  });

  test("a WRITE that came before the HELLO_ACK is never carried out, however often it comes", async () => {
    const { hub, node } = await live();
    await hub.say({ type: "WHO", seq: 50 });
    expect(code(await hub.say(write(1, 80)))).toEqual([9]);
    await hub.say({ type: "HELLO_ACK", seq: hub.last("HELLO").seq, info: { v: 1, hub: "02-50-4C-00-00-01" } });
    expect(code(await hub.say(write(1, 80)))).toEqual([9]);
    expect(node.device(LIGHT).writes).toEqual([]);
    expect(code(await hub.say(write(2, 80)))).toEqual(["WRITTEN"]);
  });

  test("a WRITE that was one too many at once is never carried out either", async () => {
    const { clock, hub, node } = await live({ win: 1 });
    node.device(LIGHT).fail({ mode: "slow", ms: 400 });
    await hub.say(write(1, 80));
    expect(code(await hub.say(write(2, 90)))).toEqual([9]);
    await clock.advance(400);
    expect(code(await hub.say(write(2, 90)))).toEqual([9]);
    expect(node.device(LIGHT).writes.map(({ value }) => value)).toEqual([80]);
  });

  test("a node that carries out as many requests as it takes is busy, but answers PING", async () => {
    const { clock, hub, node } = await live({ win: 2 });
    node.device(LIGHT).fail({ mode: "slow", ms: 400 });
    await hub.say(write(1, 80));
    await hub.say(read(2));
    expect(code(await hub.say(read(3)))).toEqual([9]);
    expect(code(await hub.say({ type: "PING", seq: 4 }))).toEqual(["PONG"]);
    await clock.advance(400);
    expect([hub.all("WRITTEN").length, hub.all("VALUE").length]).toEqual([1, 1]);
  });
});

describe("a WRITE that needs seconds", () => {
  test("is answered when it is accepted, with the value aimed at, and its progress is reported", async () => {
    const cover = KINDS.get("cover");
    const edgeId = "02-50-4C-51-00-09";
    const position = { service: "Cover", index: "0", property: "position" };
    const { clock, hub, node } = await live({
      devices: [
        ...DEFINITION.devices,
        {
          edgeId,
          services: cover?.services ?? [],
          values: [[position, 100]],
          behaviours: cover && kindBehaviours(cover, false),
        },
      ],
    });
    const request: Message = {
      type: "WRITE",
      seq: 1,
      device: 2,
      service: "Cover",
      index: 0,
      property: "position",
      value: 70,
    };
    expect(await hub.say(request)).toEqual([{ type: "WRITTEN", seq: 1, value: 70 }]);
    for (let ms = 0; ms < 3000; ms += 100) {
      for (const { seq } of hub.all("REPORT").slice(-1)) await hub.say({ type: "ACK", seq });
      await clock.advance(100);
    }
    const reported = hub.all("REPORT").map(({ property, value }) => `${property} ${value}`);
    expect(reported).toEqual(["movement closing", "position 90", "position 80", "position 70", "movement stopped"]);
    expect(node.device(edgeId).writes).toHaveLength(1);
  });
});
