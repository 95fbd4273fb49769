/** The simulator's own nodes keep every rule of the document, on a clock that stands still, and the document and the rules agree on their numbers. */
import { readFileSync } from "node:fs";
import { seededRandom, VirtualClock } from "@porchlight/shared/kernel";
import { encodeCbor, encodeFrame } from "@porchlight/shared/wire";
import { describe, expect, test } from "vitest";
import type { NodeDefinition } from "../../simulator/devices/definition.ts";
import { memoryLinks } from "../../simulator/links/memory-link.ts";
import { SimulatedNode } from "../../simulator/node/simulated-node.ts";
import { DEFINITION, LIGHT, TEST_BUTTON } from "../../simulator/node/test-node.fixture.ts";
import { NODE_RULES, proveNode, Silence, UNPROVED } from "./prove-node.ts";
import { brokenRules, type Result, type RuleReport, ruleTexts, sumOf } from "./rule.ts";

const texts = ruleTexts(readFileSync(new URL("../../../../docs/contract/device-protocol.md", import.meta.url), "utf8"));

interface Proof {
  readonly definition?: Partial<NodeDefinition>;
  readonly only?: readonly string[];
  readonly quick?: boolean;
  readonly stimulated?: boolean;
}

async function prove({ definition = {}, only, quick, stimulated = true }: Proof = {}): Promise<RuleReport> {
  const clock = new VirtualClock();
  const node = SimulatedNode.start({ clock, random: seededRandom(7), definition: { ...DEFINITION, ...definition } });
  const connect = () => {
    const [near, far] = memoryLinks();
    node.attach(near);
    return far;
  };
  const turn = () => node.device(LIGHT).turn("Switch.on", node.device(LIGHT).read("Switch.on") !== true);
  const stimuli = [
    { name: "turn", run: async () => turn() },
    { name: "press", run: async () => node.device(TEST_BUTTON).press("Button.event", "press") },
  ];
  const proof = proveNode({
    ...{ clock, random: seededRandom(3), link: connect(), jitter: 0, where: "memory", texts, only, quick },
    connect: async () => connect(),
    reset: async () => node.reboot(),
    stimuli: stimulated ? stimuli : [],
  });
  return clock.until(proof, 3_600_000);
}

const failures = ({ results }: RuleReport) =>
  results.flatMap(({ id, verdict }) =>
    verdict.kind === "fail" ? verdict.violations.map(({ what }) => `${id}: ${what}`) : [],
  );
const verdictOf = ({ results }: RuleReport, id: string): Result["verdict"] | undefined =>
  results.find((result) => result.id === id)?.verdict;

describe("the simulator's own node", () => {
  test("keeps every rule, with something to report and a second line", async () => {
    const report = await prove();
    expect(failures(report)).toEqual([]);
    expect(sumOf(report)).toMatchObject({ fail: 0, not_run: 0 });
    const left = report.results.flatMap(({ id, verdict }) => (verdict.kind === "not_applicable" ? [id] : []));
    expect(left.sort()).toEqual(Object.keys(UNPROVED).sort());
  });

  test("that can tell its boots not apart may repeat a report after a HELLO", async () => {
    expect(failures(await prove({ definition: { boot: "none" } }))).toEqual([]);
  });

  test.each([
    ["with a window of four and small frames", { win: 4, max: 128 }],
    ["that can tell its boots not apart", { boot: "none" }],
    ["that fronts nothing", { devices: [] }],
  ] as const)("%s keeps them too", async (_, definition) => {
    const stimulated = !("devices" in definition);
    expect(
      failures(
        await prove({
          definition: stimulated ? definition : { ...definition, devices: [] },
          quick: true,
          stimulated: false,
        }),
      ),
    ).toEqual([]);
  });
});

test("every number of the document has a rule or a reason, and none has both", () => {
  const ruled = NODE_RULES.map(({ id }) => id);
  expect([...ruled, ...Object.keys(UNPROVED)].sort()).toEqual([...texts.keys()].sort());
  expect(new Set(ruled).size).toBe(ruled.length);
  for (const [id, text] of texts) expect(text.length, id).toBeGreaterThan(20);
});

test("a quick run lists what it left out", async () => {
  const report = await prove({ quick: true, only: ["S1", "F1"] });
  expect(report.results.map(({ id }) => id)).toEqual(["F1", "S1"]);
  expect(verdictOf(report, "S1")).toEqual({
    kind: "not_run",
    reason: "left out of a quick run: it takes 95 s with S6, while F10 runs beside them",
  });
});

test("without anything that happens at the device its reports are not judged", async () => {
  const report = await prove({ stimulated: false, only: ["P3", "P7"] });
  expect(report.results.map(({ verdict }) => verdict.kind)).toEqual(["not_applicable", "not_applicable"]);
  expect(brokenRules(report)).toEqual([]);
});

test("what a boot loader prints before the first frame is not held against the firmware", async () => {
  const clock = new VirtualClock();
  const [near, link] = memoryLinks();
  await using node = SimulatedNode.start({ clock, random: seededRandom(7), definition: DEFINITION });
  await near.write(
    Buffer.concat([Uint8Array.of(0xc0, 1, 0xc0), Buffer.from("ets Jul 29 2019 \u00c0 rst:0x1\r\n\u00db", "latin1")]),
  );
  node.attach(near);
  const proof = proveNode({
    ...{ clock, random: seededRandom(3), link, jitter: 0, where: "memory", texts, quick: true },
  });
  expect(failures(await clock.until(proof))).toEqual([]);
});

test("a line without a device is distinguished from a device that breaks rules", async () => {
  const clock = new VirtualClock();
  const [link] = memoryLinks();
  const proof = proveNode({ ...{ clock, random: seededRandom(3), link, jitter: 0, where: "memory", texts } });
  await expect(clock.until(proof)).rejects.toBeInstanceOf(Silence);
});

test.each([
  ["echoes everything, as a loose plug does", (bytes: Uint8Array) => bytes],
  ["answers with noise", () => seededRandom(5).bytes(300)],
  ["answers with what is no message", () => encodeFrame(encodeCbor({ a: [1, null] }))],
] as const)("a line that %s breaks rules, and the proof comes to its end", async (_, answer) => {
  const clock = new VirtualClock();
  const [link, far] = memoryLinks();
  far.listen(
    (bytes) => void far.write(answer(bytes)).catch(() => undefined),
    () => undefined,
  );
  const report = await clock.until(
    proveNode({ ...{ clock, random: seededRandom(3), link, jitter: 0, where: "memory", texts } }),
  );
  expect(brokenRules(report)).not.toEqual([]);
  expect(sumOf(report).pass).toBe(0);
});
