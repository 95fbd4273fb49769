/** The C node with a window of several requests, and its check of steps: as many requests at once, none of them carried out twice, and nothing between two steps. */
import { readFileSync } from "node:fs";
import { seededRandom, VirtualClock } from "@porchlight/shared/kernel";
import { limitProblem } from "@porchlight/shared/model";
import { encodeFrame, encodeMessage, type Message, type MessageOf } from "@porchlight/shared/wire";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { brokenRules, proveNode, ruleTexts } from "../src/index.ts";
import { Programs } from "./build.ts";
import { Harness } from "./harness.ts";
import { HarnessLine } from "./harness-line.ts";

const WINDOW = 4;
const texts = ruleTexts(readFileSync(new URL("../../docs/contract/device-protocol.md", import.meta.url), "utf8"));

let programs: Programs;
let windowed: string;
beforeAll(async () => {
  programs = await Programs.make();
  const defines = [`PL_WINDOW=${WINDOW}`, "PL_DEVICES_MAX=2", "WITH_CONFORMANCE", "SPEED_STEP=2"];
  windowed = await programs.build("harness-window", ["test/harness.c"], defines);
});
afterAll(() => programs[Symbol.asyncDispose]());

const hue = { device: 0, service: "LightColor", index: 0, property: "hue" } as const;
const write = (seq: number, value: MessageOf<"WRITE">["value"]): Message => ({ type: "WRITE", seq, ...hue, value });

describe("a window of four", () => {
  it("is in HELLO, and a larger or smaller one than the protocol has does not compile", async () => {
    await using node = new Harness(windowed);
    await node.boot(1);
    expect(await node.now()).toMatchObject([{ type: "HELLO", info: { win: WINDOW } }]);
    for (const size of [0, 9])
      await expect(programs.build("none", ["porchlight.c"], [`PL_WINDOW=${size}`], ["-c"])).rejects.toThrow(
        "PL_WINDOW must be 1 to 8",
      );
  });

  it("answers four requests in their order when they arrive at once", async () => {
    await using node = new Harness(windowed);
    await node.live();
    const frames = [1, 2, 3, 4].flatMap((seq) => [...encodeFrame(encodeMessage(write(seq, seq * 10)))]);
    const received: Message[] = [];
    let rest = Buffer.from(frames).toString("hex");
    // As a loop does it: bytes that are not taken are handed in again when the answer has left.
    for (let turn = 0; turn < 10 && rest !== ""; turn++) {
      const left = Number(await node.ask(`in 0 ${rest}`));
      rest = left === 0 ? "" : rest.slice(-2 * left);
      received.push(...(await node.bytes(new Uint8Array())));
    }
    expect(received.map(({ type, seq }) => `${type} ${seq}`)).toEqual([1, 2, 3, 4].map((seq) => `WRITTEN ${seq}`));
  });

  it("remembers the answers to the last four WRITEs, and carries out an older one again", async () => {
    await using node = new Harness(windowed);
    await node.live();
    for (let seq = 1; seq <= 5; seq++) await node.hear(write(seq, seq * 10));
    expect((await node.state()).acted).toBe(5);
    for (const seq of [3, 2, 5, 4, 2])
      expect(await node.hear(write(seq, seq * 10))).toEqual([{ type: "WRITTEN", seq, value: seq * 10 }]);
    expect((await node.state()).acted).toBe(5);
    // Beyond the window: no hub that keeps to it sends that.
    await node.hear(write(1, 10));
    expect((await node.state()).acted).toBe(6);
  });

  it("forgets all of them at WHO", async () => {
    await using node = new Harness(windowed);
    await node.live();
    for (let seq = 1; seq <= 4; seq++) await node.hear(write(seq, seq * 10));
    await node.hear({ type: "WHO", seq: 0 });
    const [hello] = await node.now();
    await node.hear({ type: "HELLO_ACK", seq: hello?.seq ?? 0, info: { v: 1, hub: "02-50-4C-00-00-01" } });
    for (let seq = 1; seq <= 4; seq++) await node.hear(write(seq, seq * 10));
    expect((await node.state()).acted).toBe(8);
  });

  it("keeps every rule that binds a node", async () => {
    await using node = new Harness(windowed);
    const clock = new VirtualClock();
    await node.boot(100);
    for (const [slot, value] of [false, 210.5, 60, 21.25].entries()) await node.set(slot, value);
    const line = new HarnessLine(node, clock);
    const proof = proveNode({
      clock,
      random: seededRandom(3),
      link: line,
      jitter: 10,
      where: "the harness",
      texts,
      quick: true,
    });
    const report = await line.until(proof);
    expect(brokenRules(report)).toEqual([]);
    const notes = report.results.flatMap(({ id, verdict }) => (verdict.kind === "pass" ? [[id, verdict.note]] : []));
    expect(notes).toContainEqual(["B1", `a window of ${WINDOW}`]);
  });

  it("fails the rule when it remembers three only", async () => {
    const three = await programs.buildBroken(
      "three",
      [
        [
          "if (node->answer_count < PL_WINDOW) node->answer_count++;",
          "if (node->answer_count < PL_WINDOW - 1) node->answer_count++;",
        ],
      ],
      [`PL_WINDOW=${WINDOW}`, "PL_DEVICES_MAX=2"],
    );
    await using node = new Harness(three);
    await node.live();
    for (let seq = 1; seq <= 4; seq++) await node.hear(write(seq, seq * 10));
    await node.hear(write(4, 40));
    expect((await node.state()).acted).toBe(5);
  });
});

describe("a step", () => {
  it("is counted from the least value, and a value between two steps is refused without asking the hardware", async () => {
    await using node = new Harness(windowed);
    await node.live();
    const speed = { device: 0, service: "Own", index: 999, property: "speed" } as const;
    // From -5 in steps of 2.
    for (const [seq, value] of [-5, -3, 1, 1499].entries())
      expect(await node.hear({ type: "WRITE", seq, ...speed, value })).toEqual([{ type: "WRITTEN", seq, value }]);
    const { acted } = await node.state();
    for (const [seq, value] of [-4, 0, 1500].entries())
      expect(await node.hear({ type: "WRITE", seq: 100 + seq, ...speed, value })).toMatchObject([
        { type: "ERROR", code: 8 },
      ]);
    expect((await node.state()).acted).toBe(acted);
  });

  it("is judged as the service judges it", async () => {
    await using node = new Harness(windowed);
    const finite = { noNaN: true, noDefaultInfinity: true };
    const distance = fc.oneof(
      fc.double({ ...finite, min: -1e6, max: 1e6 }),
      fc.integer({ min: -2000, max: 2000 }).map((n) => n / 10),
      fc.double(finite),
    );
    await fc.assert(
      fc.asyncProperty(distance, fc.constantFrom(0.1, 0.25, 0.5, 1, 3, 1e-9, 1e300), async (value, step) => {
        const isGood = limitProblem({ step }, value) === undefined;
        expect([value, step, await node.ask(`step ${value} ${step}`)]).toEqual([value, step, isGood ? "1" : "0"]);
      }),
      // Where doubles have no fractions any more, and just below.
      {
        numRuns: 300,
        examples: [
          [2 ** 52 + 1, 1],
          [2 ** 52 - 0.5, 1],
          [-(2 ** 53) + 1, 1],
          [-(2 ** 52) + 1, 0.5],
        ],
      },
    );
  });

  it("that is not above zero is a mistake of the tables", async () => {
    const zero = await programs.build("zero", ["test/harness.c"], ["SPEED_STEP=0", "PL_DEVICES_MAX=2"]);
    await using node = new Harness(zero);
    // PL_BAD_BOUNDS
    expect(await node.ask("start 1 1 0")).toBe("5");
  });
});
