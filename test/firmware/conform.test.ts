/** The C node is proved by `conform` on a clock that stands still, and firmware with one mistake is caught under its number. */
import { readFileSync } from "node:fs";
import { brokenRules, proveNode, type RuleReport, ruleTexts } from "@porchlight/firmware-sim";
import { seededRandom, VirtualClock } from "@porchlight/shared/kernel";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rounds } from "../parts/rounds.ts";
import { Programs } from "./build.ts";
import { Harness } from "./harness.ts";
import { HarnessLine } from "./harness-line.ts";

const DEFINES = ["PL_DEVICES_MAX=2", "WITH_CONFORMANCE"];
const texts = ruleTexts(readFileSync(new URL("../../docs/contract/device-protocol.md", import.meta.url), "utf8"));

let programs: Programs;
beforeAll(async () => {
  programs = await Programs.make();
});
afterAll(() => programs[Symbol.asyncDispose]());

/** Proves a build of the harness. Its first switch is turned and its button pressed by stimuli. */
async function prove(program: string): Promise<RuleReport> {
  await using node = new Harness(program);
  const clock = new VirtualClock();
  await node.boot(100);
  for (const [slot, value] of [false, 210.5, 60, 21.25].entries()) await node.set(slot, value);
  const line = new HarnessLine(node, clock);
  let boot = 9;
  let isOn = false;
  const turn = async () => {
    isOn = !isOn;
    await node.set(0, isOn);
    await node.ask("changed 0");
  };
  const reset = async () => {
    await node.ask(`start ${boot * 77} ${++boot} ${clock.monotonic()}`);
    for (const [slot, value] of [false, 210.5, 60, 21.25].entries()) await node.set(slot, value);
  };
  const proof = proveNode({
    ...{ clock, random: seededRandom(3), link: line, jitter: 10, where: "the harness", texts },
    reset: () => line.do(reset),
    stimuli: [
      { name: "turn", run: () => line.do(turn) },
      { name: "press", run: () => line.do(async () => void (await node.ask("press 0"))) },
    ],
  });
  return await line.until(proof);
}

const failures = ({ results }: RuleReport) =>
  results.flatMap(({ id, verdict }) =>
    verdict.kind === "fail" ? verdict.violations.map(({ what }) => `${id}: ${what}`) : [],
  );

it("porchlight.c keeps every rule that binds a node", async () => {
  const report = await prove(await programs.build("good", ["test/harness.c"], DEFINES));
  expect(failures(report)).toEqual([]);
  const left = report.results.filter(({ verdict }) => verdict.kind === "not_run").map(({ id }) => id);
  expect(left).toEqual([]);
  const notes = new Map(
    report.results.map(({ id, verdict }) => [id, verdict.kind === "pass" ? verdict.note : verdict.kind]),
  );
  expect([notes.get("R2"), notes.get("R5")]).toEqual(["proved by Conformance.acted", "proved by Conformance.acted"]);
});

/** The first fifteen are tried in every run, all of them in the long one. */
const BROKEN: readonly (readonly [rule: string, mistake: string, from: string, to: string])[] = [
  ["F2", "begins its CRC with 0", "uint16_t crc = 0xFFFF;", "uint16_t crc = 0;"],
  ["F3", "does not escape END", "} else if (next == END || next == ESC) {", "} else if (next == ESC) {"],
  ["F4", "begins no frame with END", "case TX_BEGIN:\n        bytes[count++] = END;", "case TX_BEGIN:"],
  ["F8", "does not look at the CRC", "length < 3 || crc_of(", "length < 3 || 0 && crc_of("],
  [
    "F9",
    "does not look for bytes after the item",
    "is_good(&in, 0, node->tx) && in.at == in.end;",
    "is_good(&in, 0, node->tx);",
  ],
  ["C1", "writes 23 in two bytes", "if (number < 24) {\n    put(out", "if (number < 23) {\n    put(out"],
  [
    "M9",
    "takes an acknowledgement of the last HELLO only",
    "GREETING || !is_hello(node, seq)) return;",
    "GREETING || seq != current_hello(node)) return;",
  ],
  ["M10", "repeats reports every two seconds", "#define REPORT_AGAIN 500u", "#define REPORT_AGAIN 2000u"],
  [
    "W2",
    "calls an unknown type malformed",
    "default: send_error(node, seq, PL_UNKNOWN_TYPE);",
    "default: send_error(node, seq, PL_MALFORMED);",
  ],
  [
    "E1",
    "takes what is out of bounds",
    "else if (!is_allowed(property, &value)) code = PL_VALUE_REFUSED;",
    "else if (!is_allowed(property, &value) && 0) code = 8;",
  ],
  ["R2", "remembers no answer", "  node->has_answer = true;\n", ""],
  [
    "R6",
    "acts before it is acknowledged",
    "  if (node->session != LIVE) send_error(node, seq, PL_BUSY);",
    "  if (0) send_error(node, seq, PL_BUSY);",
  ],
  [
    "R7",
    "forgets that it was busy",
    "  node->has_answer = true;\n",
    "  if (node->session != LIVE) return;\n  node->has_answer = true;\n",
  ],
  ["P8", "reports without a pause", "#define REPORT_SPACING 250u", "#define REPORT_SPACING 0u"],
  ["A2", "is silent for eight seconds", "#define SILENCE 5000u", "#define SILENCE 8000u"],
  ["F6", "takes any byte after ESC", "if (byte != 0xDC && byte != 0xDD) {", "if (0) {"],
  [
    "F7",
    "takes a byte less than it states",
    "node->rx_length == sizeof node->rx)",
    "node->rx_length == sizeof node->rx - 1)",
  ],
  [
    "C5",
    "takes no double",
    "item.major == 7 && item.width >= 2 && float_of",
    "item.major == 7 && item.width == 4 && float_of",
  ],
  ["C8", "takes a key twice", " || is_repeated(first, key, in->end)", ""],
  [
    "W3",
    "calls malformed a hardware failure",
    "uint8_t code = PL_MALFORMED;\n  value",
    "uint8_t code = PL_HARDWARE_FAILURE;\n  value",
  ],
  [
    "R5",
    "remembers through WHO",
    "node->session = GREETING;\n  node->has_answer = false;",
    "node->session = GREETING;",
  ],
  [
    "P2",
    "does not wait for an answer",
    "if (is_repetition && !is_due(node->flying_again_at, now)) return;",
    "if (is_repetition && !is_due(node->flying_again_at, now)) { if (node->event_count == 0 || what == AN_EVENT) return; node->slots[slot].is_waiting = false; is_repetition = false; }",
  ],
  [
    "P7",
    "forgets a report at WHO",
    "node->session = GREETING;\n  node->has",
    "node->session = GREETING;\n  node->flying_what = NOTHING;\n  node->has",
  ],
  ["S1", "never grows patient", "#define HELLO_SLOW 10000u", "#define HELLO_SLOW 1000u"],
  ["S6", "comes back too soon after a refusal", "#define HELLO_REFUSED 60000u", "#define HELLO_REFUSED 5000u"],
  [
    "A1",
    "takes damage for a sign of life",
    "    node->counters.crcs++;\n",
    "    node->counters.crcs++, hear(node, now);\n",
  ],
];

describe("firmware with one mistake is caught:", () => {
  it.each(BROKEN.slice(0, rounds(15, BROKEN.length)))("%s, when it %s", async (rule, _, from, to) => {
    const report = await prove(await programs.buildBroken(`broken-${rule}`, [from, to], DEFINES));
    expect(brokenRules(report)).toContain(rule);
    // What else a mistake breaks is said too, and is never much: the number leads to the mistake.
    expect(brokenRules(report).length, brokenRules(report).join()).toBeLessThanOrEqual(3);
  });
});
