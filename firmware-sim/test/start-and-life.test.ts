/** How the C node greets its hub and keeps in touch: sections Start and Life of the device protocol, on a clock that stands still. */
import type { Message } from "@porchlight/shared/wire";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Programs } from "./build.ts";
import { Harness } from "./harness.ts";

const HUB = { v: 1, hub: "02-50-4C-00-00-01" } as const;

let programs: Programs;
let program: string;
let node: Harness;
beforeAll(async () => {
  programs = await Programs.make();
  program = await programs.build("harness", ["test/harness.c"], ["PL_DEVICES_MAX=2"]);
});
afterAll(() => programs[Symbol.asyncDispose]());
beforeEach(() => {
  node = new Harness(program);
});
afterEach(() => node[Symbol.asyncDispose]());

const types = (messages: readonly Message[]) => messages.map(({ type }) => type);

describe("the start", () => {
  it("sends HELLO at once, with all that it is", async () => {
    await node.boot(41, 3);
    expect(await node.now()).toEqual([
      {
        type: "HELLO",
        seq: 42,
        info: {
          ...{ v: 1, id: "02-00-00-00-00-01", devices: ["02-00-00-00-00-01", "02-00-00-00-00-02"], boot: 3 },
          ...{ max: 256, win: 1, mf: "Porchlight", mo: "Harness", fw: "1.0.0", sn: "A-7" },
        },
      },
    ]);
  });

  it("repeats it every second under the same seq, after a minute every 10 s", async () => {
    await node.boot(41);
    const first = await node.pass(60_500);
    expect(first).toHaveLength(61);
    expect(new Set(first.map(({ seq }) => seq)).size).toBe(1);
    expect(await node.pass(30_000)).toHaveLength(3);
  });

  it("is live after an acknowledgement of its own HELLO, and of no other seq", async () => {
    await node.boot(41);
    await node.now();
    await node.hear({ type: "HELLO_ACK", seq: 41, info: HUB });
    expect((await node.state()).live).toBe(false);
    await node.hear({ type: "HELLO_ACK", seq: 42, info: HUB });
    expect((await node.state()).live).toBe(true);
    expect(await node.pass(3_000)).toEqual([]);
  });

  it("is acknowledged by an answer to any HELLO of this boot", async () => {
    const first = await node.live();
    await node.hear({ type: "WHO", seq: 0 });
    await node.now();
    await node.hear({ type: "HELLO_ACK", seq: first, info: HUB });
    expect((await node.state()).live).toBe(true);
  });

  it("answers WHO with HELLO, before and after it is live", async () => {
    await node.boot(41);
    await node.now();
    await node.hear({ type: "WHO", seq: 0 });
    expect(await node.now()).toMatchObject([{ type: "HELLO", seq: 42 }]);
    await node.hear({ type: "HELLO_ACK", seq: 42, info: HUB });
    await node.hear({ type: "WHO", seq: 1 });
    expect((await node.state()).live).toBe(false);
    expect(await node.now()).toMatchObject([{ type: "HELLO", seq: 43 }]);
  });

  it("is patient again when a WHO shows that a hub is there", async () => {
    await node.boot(41);
    await node.pass(80_000);
    await node.hear({ type: "WHO", seq: 0 });
    expect(await node.pass(5_000)).toHaveLength(5);
  });

  it.each([11, 12])("does not repeat a HELLO refused with %i for a minute, unless a WHO asks", async (code) => {
    await node.boot(41);
    await node.now();
    await node.hear({ type: "ERROR", seq: 42, code, text: "" });
    expect(await node.pass(59_900)).toEqual([]);
    expect(types(await node.pass(200))).toEqual(["HELLO"]);
    await node.hear({ type: "ERROR", seq: 42, code, text: "" });
    await node.hear({ type: "WHO", seq: 0 });
    expect(types(await node.now())).toEqual(["HELLO"]);
  });

  it("goes on with HELLO after any other error", async () => {
    await node.boot(41);
    await node.now();
    await node.hear({ type: "ERROR", seq: 42, code: 2, text: "" });
    expect(types(await node.pass(1_000))).toEqual(["HELLO"]);
  });

  it("sends nothing but PONG and answers until it is acknowledged", async () => {
    await node.boot(41);
    await node.now();
    await node.ask("changed 0");
    await node.ask("press 0");
    await node.ask("present 1 0");
    expect(types(await node.hear({ type: "PING", seq: 7 }))).toEqual(["PONG"]);
    expect(types(await node.hear({ type: "DESCRIBE", seq: 8, device: 0, part: 0 }))).toEqual(["DESCRIPTION"]);
    expect(new Set(types(await node.pass(5_000)))).toEqual(new Set(["HELLO"]));
  });

  it("acts on nothing until it is acknowledged: it could be what an earlier boot has done already", async () => {
    await node.boot(41);
    await node.now();
    const write = { device: 0, service: "Switch", index: 0, property: "on", value: true };
    expect(await node.hear({ type: "WRITE", seq: 5, ...write })).toMatchObject([{ type: "ERROR", seq: 5, code: 9 }]);
    expect(await node.hear({ type: "IDENTIFY", seq: 6, device: 0, seconds: 3 })).toMatchObject([{ code: 9 }]);
    expect((await node.state()).acted).toBe(0);
  });

  it("is back at HELLO on a new connection, and forgets what was half sent and half received", async () => {
    await node.live();
    await node.ask("in 0 C0820B");
    await node.ask("reconnected 0");
    expect(types(await node.now())).toEqual(["HELLO"]);
    expect(types(await node.hear({ type: "PING", seq: 7 }))).toEqual(["PONG"]);
  });
});

describe("life", () => {
  it("asks after 5 s of silence, and is content with any good frame", async () => {
    await node.live();
    expect(await node.pass(4_900)).toEqual([]);
    const [ping] = await node.pass(200);
    expect(ping?.type).toBe("PING");
    await node.hear({ type: "PONG", seq: ping?.seq ?? 0 });
    expect(await node.pass(4_900)).toEqual([]);
  });

  it("is back at HELLO of the same boot after three unanswered, under a seq of its own", async () => {
    const hello = await node.live();
    const stated = await node.pass(8_100);
    expect(types(stated)).toEqual(["PING", "PING", "PING", "HELLO"]);
    expect(new Set([hello, ...stated.map(({ seq }) => seq)]).size).toBe(5);
    expect(stated.at(-1)).toMatchObject({ info: { boot: 9 } });
  });

  it("is not kept alive by its own echo", async () => {
    await node.live();
    const stated: Message[] = [];
    for (let at = 0; at < 90; at++) {
      const now = await node.pass(100);
      for (const message of now) if (message.type === "PING") await node.hear(message);
      stated.push(...now);
    }
    expect(types(stated)).toContain("HELLO");
  });

  it("answers a PING of the hub's that is no echo", async () => {
    await node.live();
    expect(await node.hear({ type: "PING", seq: 4_000 })).toEqual([{ type: "PONG", seq: 4_000 }]);
  });

  it("takes nothing that is a node's to send", async () => {
    await node.live();
    const report = { device: 0, service: "Switch", index: 0, property: "on", value: true };
    expect(await node.hear({ type: "REPORT", seq: 1, ...report })).toEqual([]);
    expect(await node.hear({ type: "CHANGED", seq: 2, devices: [] })).toEqual([]);
    expect(await node.hear({ type: "VALUE", seq: 3, value: 1 })).toEqual([]);
  });

  it("takes bytes while it sends, and never loses a request for it", async () => {
    await node.live();
    const ping = "C0820B0735BBC0";
    expect(await node.ask(`in 0 ${ping}${ping}`), "bytes not taken while the first answer waits").toBe("1");
    expect(await node.ask("out")).toBe("C0820C07AC2CC0");
    expect(await node.ask("in 0 C0")).toBe("0");
    expect(await node.ask("out")).toBe("C0820C07AC2CC0");
  });
});
