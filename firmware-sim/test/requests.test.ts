/** What the C node answers: descriptions, reads, writes, refusals, and repetitions that must not act twice. */
import { decodeServices, type Message, type MessageOf } from "@porchlight/shared/wire";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Programs } from "./build.ts";
import { Harness } from "./harness.ts";

let programs: Programs;
const built = new Map<number, string>();
let node: Harness;
beforeAll(async () => {
  programs = await Programs.make();
  for (const limit of [160, 256, 4095])
    built.set(
      limit,
      await programs.build(`harness-${limit}`, ["test/harness.c"], [`PL_FRAME_MAX=${limit}`, "PL_DEVICES_MAX=2"]),
    );
});
afterAll(() => programs[Symbol.asyncDispose]());
beforeEach(async () => {
  node = new Harness(built.get(256) ?? "");
  await node.live();
});
afterEach(() => node[Symbol.asyncDispose]());

const ON = { device: 0, service: "Switch", index: 0, property: "on" } as const;
const own = (property: string) => ({ device: 0, service: "Own", index: 999, property }) as const;
const read = (seq: number, at: object = ON): Message => ({ type: "READ", seq, ...ON, ...at });
const write = (seq: number, value: MessageOf<"WRITE">["value"], at: object = ON): Message => ({
  ...{ type: "WRITE", seq, ...ON, ...at, value },
});
const code = (messages: readonly Message[]) => messages.map((each) => (each.type === "ERROR" ? each.code : each.type));

describe("an answer with a value", () => {
  it("states what the property is when it is sent, also while an older value is being reported (B10)", async () => {
    await node.set(0, true);
    await node.ask("changed 0");
    expect(await node.now()).toMatchObject([{ type: "REPORT", value: true }]);
    await node.set(0, false);
    expect(await node.hear(read(1))).toEqual([{ type: "VALUE", seq: 1, value: false }]);
    expect(await node.hear(write(2, true))).toEqual([{ type: "WRITTEN", seq: 2, value: true }]);
    await node.set(0, false);
    expect(await node.hear(read(3))).toEqual([{ type: "VALUE", seq: 3, value: false }]);
  });
});

describe("descriptions", () => {
  it.each([160, 256, 4095])("are whole, in parts of at most %i bytes", async (limit) => {
    await using other = new Harness(built.get(limit) ?? "");
    await other.live();
    const parts: MessageOf<"DESCRIPTION">[] = [];
    for (let part = 0; part < (parts[0]?.parts ?? 1); part++) {
      const [answer] = await other.hear({ type: "DESCRIBE", seq: 200 + part, device: 0, part });
      if (answer?.type !== "DESCRIPTION") throw new Error(`part ${part}: ${JSON.stringify(answer)}`);
      parts.push(answer);
    }
    expect(parts.length).toBe(limit === 160 ? 3 : limit === 256 ? 2 : 1);
    const { services, about, problems } = decodeServices(parts);
    expect(problems).toEqual([]);
    expect(about).toMatchObject({ manufacturer: "Porchlight", model: "Harness" });
    expect(
      services.map(({ service, index, properties }) => [service, index, properties.map(({ property }) => property)]),
    ).toEqual([
      ["Switch", "0", ["on"]],
      ["LightColor", "0", ["hue", "saturation"]],
      ["Temperature", "7", ["celsius"]],
      ["Button", "0", ["event"]],
      ["Own", "999", ["mode", "speed", "plan", "secret"]],
    ]);
    const properties = services.at(-1)?.properties;
    expect(properties?.[0]).toMatchObject({
      type: "string",
      values: ["eco", "comfort"],
      access: ["read", "write", "notify"],
    });
    expect(properties?.[1]).toMatchObject({ type: "integer", unit: "rpm", min: -5, max: 1500.5, step: 0.5 });
    expect(properties?.[3]).toMatchObject({ type: "string", access: ["write"] });
  });

  it("of a part that is not there, and of a device that is not there, are refused", async () => {
    expect(code(await node.hear({ type: "DESCRIBE", seq: 1, device: 0, part: 9 }))).toEqual([2]);
    expect(code(await node.hear({ type: "DESCRIBE", seq: 2, device: 2, part: 0 }))).toEqual([3]);
    await node.ask("present 1 0");
    expect(code(await node.hear({ type: "DESCRIBE", seq: 3, device: 1, part: 0 }))).toEqual([3]);
  });
});

describe("reads", () => {
  it("say what is so now", async () => {
    await node.set(0, true);
    await node.set(3, 21.3);
    expect(await node.hear(read(1))).toEqual([{ type: "VALUE", seq: 1, value: true }]);
    const celsius = { service: "Temperature", index: 7, property: "celsius" };
    expect(await node.hear(read(2, celsius))).toEqual([{ type: "VALUE", seq: 2, value: 21.3 }]);
    expect(await node.hear(read(3, { device: 1 }))).toEqual([{ type: "VALUE", seq: 3, value: null }]);
  });

  it("are refused by name of what is missing", async () => {
    expect(code(await node.hear(read(1, { device: 2 })))).toEqual([3]);
    expect(code(await node.hear(read(2, { service: "Switc" })))).toEqual([4]);
    expect(code(await node.hear(read(3, { index: 1 })))).toEqual([4]);
    expect(code(await node.hear(read(4, { property: "off" })))).toEqual([5]);
    expect(code(await node.hear(read(5, own("secret"))))).toEqual([6]);
    expect(code(await node.hear(read(6, { service: "Button", property: "event" })))).toEqual([6]);
    await node.ask("code 10");
    expect(code(await node.hear(read(7)))).toEqual([10]);
  });
});

describe("writes", () => {
  it("are applied, and answered with what now applies", async () => {
    expect(await node.hear(write(1, true))).toEqual([{ type: "WRITTEN", seq: 1, value: true }]);
    expect(await node.hear(read(2))).toEqual([{ type: "VALUE", seq: 2, value: true }]);
    expect(await node.hear(write(3, 210.5, { service: "LightColor", property: "hue" }))).toMatchObject([
      { value: 210.5 },
    ]);
    expect(await node.hear(write(4, "comfort", own("mode")))).toMatchObject([{ value: "comfort" }]);
    expect(await node.hear(write(5, { at: [7, { b: null }] }, own("plan")))).toMatchObject([
      { value: { at: [7, { b: null }] } },
    ]);
    expect((await node.state()).acted).toBe(4);
  });

  it.each([
    ["of another type", 1, ON],
    ["null", null, ON],
    ["below the least", -1, { service: "LightColor", property: "hue" }],
    ["above the largest", 360.01, { service: "LightColor", property: "hue" }],
    ["not one of the allowed", "ec", own("mode")],
    ["not whole where whole is wanted", 0.5, own("speed")],
  ])("of a value %s are refused without asking the hardware", async (_why, value, at) => {
    expect(code(await node.hear(write(1, value, at)))).toEqual([8]);
    expect((await node.state()).acted).toBe(0);
  });

  it("to what cannot be written are refused", async () => {
    expect(code(await node.hear(write(1, 5, { service: "Temperature", index: 7, property: "celsius" })))).toEqual([7]);
  });

  it.each([8, 10])(
    "that the hardware answers with %i are reported so, and a repetition is too, without asking again",
    async (answer) => {
      await node.ask(`code ${answer}`);
      expect(code(await node.hear(write(1, true)))).toEqual([answer]);
      await node.ask("code 0");
      expect(code(await node.hear(write(1, true)))).toEqual([answer]);
      expect((await node.state()).acted).toBe(1);
    },
  );
});

describe("repetitions", () => {
  it("of a write are answered alike and act once", async () => {
    const first = await node.hear(write(7, true));
    await node.set(0, false);
    expect(await node.hear(write(7, true))).toEqual(first);
    expect((await node.state()).acted).toBe(1);
  });

  it("are the same seq with the same body: another value is another write", async () => {
    await node.hear(write(7, true));
    expect(await node.hear(write(7, false))).toMatchObject([{ type: "WRITTEN", value: false }]);
    expect((await node.state()).acted).toBe(2);
  });

  it("of an IDENTIFY act once", async () => {
    for (let time = 0; time < 2; time++)
      expect(await node.hear({ type: "IDENTIFY", seq: 9, device: 1, seconds: 30 })).toEqual([{ type: "ACK", seq: 9 }]);
    expect((await node.state()).acted).toBe(1);
  });

  it("of what was busy are answered so again, and another seq is carried out", async () => {
    await node.ask("code 9");
    expect(code(await node.hear(write(7, true)))).toEqual([9]);
    await node.ask("code 0");
    expect(code(await node.hear(write(7, true)))).toEqual([9]);
    expect((await node.state()).acted).toBe(1);
    expect(await node.hear(write(8, true))).toMatchObject([{ type: "WRITTEN" }]);
    expect((await node.state()).acted).toBe(2);
  });

  it("of what came before the HELLO_ACK are never carried out", async () => {
    await node.hear({ type: "WHO", seq: 0 });
    const [hello] = await node.now();
    expect(code(await node.hear(write(7, true)))).toEqual([9]);
    await node.hear({ type: "HELLO_ACK", seq: hello?.seq ?? 0, info: { v: 1, hub: "02-50-4C-00-00-01" } });
    expect(code(await node.hear(write(7, true)))).toEqual([9]);
    expect((await node.state()).acted).toBe(0);
  });

  it("are not forgotten over a read, and are at WHO", async () => {
    await node.hear(write(7, true));
    await node.hear(read(8));
    await node.hear(write(7, true));
    expect((await node.state()).acted).toBe(1);
    await node.hear({ type: "WHO", seq: 0 });
    const [hello] = await node.now();
    await node.hear({ type: "HELLO_ACK", seq: hello?.seq ?? 0, info: { v: 1, hub: "02-50-4C-00-00-01" } });
    await node.hear(write(7, true));
    expect((await node.state()).acted).toBe(2);
  });
});
