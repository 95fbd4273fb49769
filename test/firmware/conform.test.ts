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
      { name: "press long", run: () => line.do(async () => void (await node.ask("press 3"))) },
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
  ["C8", "takes a key twice", "return pairs < 2 || !has_key_twice(&keys, (size_t)pairs);", "return true;"],
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
  [
    "F8",
    "compares the low byte of the CRC only",
    "crc_of(node->rx, length - 2) != (uint16_t)(node->rx[length - 2] << 8 | node->rx[length - 1])",
    "(crc_of(node->rx, length - 2) & 0xFF) != node->rx[length - 1]",
  ],
  [
    "F8",
    "compares the high byte of the CRC only",
    "crc_of(node->rx, length - 2) != (uint16_t)(node->rx[length - 2] << 8 | node->rx[length - 1])",
    "crc_of(node->rx, length - 2) >> 8 != node->rx[length - 2]",
  ],
  [
    "F5",
    "loses what shares an END with a frame that is too long",
    "  if (state == RX_LONG) node->counters.longs++;",
    "  if (state == RX_LONG) node->counters.longs++, node->rx_state = RX_BAD_ESCAPE;",
  ],
  [
    "E1",
    "cuts the place to eight bits",
    "  if (place >= node->config->count || !node->present[place]) return PL_UNKNOWN_DEVICE;\n  const pl_device *const device",
    "  place = (uint8_t)place;\n  if (place >= node->config->count || !node->present[place]) return PL_UNKNOWN_DEVICE;\n  const pl_device *const device",
  ],
  ["E1", "cuts the index to eight bits", "each->index != index ||", "(uint8_t)each->index != (uint8_t)index ||"],
  [
    "E1",
    "takes a name by its beginning",
    "return strlen(text) == length && memcmp",
    "return strlen(text) >= length && memcmp",
  ],
  [
    "E1",
    "takes a name without its case",
    "return strlen(text) == length && memcmp(text, bytes, length) == 0;",
    "return strlen(text) == length && strncasecmp(text, bytes, length) == 0;",
  ],
  [
    "E1",
    "takes a number for a boolean",
    "  if (property->type != value->type) return false;",
    "  if (property->type == PL_BOOLEAN && value->type == PL_INTEGER) value->type = PL_BOOLEAN, value->as.boolean = value->as.integer != 0;\n  if (property->type != value->type) return false;",
  ],
  [
    "B5",
    "answers a WRITE and does nothing",
    "code = node->config->driver->write(node->config->context, address, &value);",
    "code = PL_OK;",
  ],
  [
    "B5",
    "writes what another property is",
    "code = node->config->driver->write(node->config->context, address, &value);",
    "if (address.place == 1) address.place = 0;\n      code = node->config->driver->write(node->config->context, address, &value);",
  ],
  [
    "B5",
    "says another value than it has",
    "code = node->config->driver->write(node->config->context, address, &value);",
    "code = node->config->driver->write(node->config->context, address, &value);\n      if (value.type == PL_BOOLEAN) value.as.boolean = !value.as.boolean;",
  ],
  ["D4", "states a part too few", "  put_unsigned(out, parts);", "  put_unsigned(out, parts > 1 ? parts - 1 : parts);"],
  [
    "D4",
    "describes itself anew each time",
    "  if (part == 0) put_about_device(out, device->about);",
    '  static pl_about changing = {"a", NULL, NULL, NULL, NULL};\n  if (part == 0) changing.manufacturer = changing.manufacturer[0] == \'a\' ? "b" : "a";\n  if (part == 0) put_about_device(out, device->about ? &changing : NULL);',
  ],
  [
    "M10",
    "gives a report up after five tries",
    "  node->flying_again_at = now + REPORT_AGAIN;\n  writer out;",
    "  static int tries;\n  tries = is_repetition ? tries + 1 : 0;\n  if (tries == 5) { if (what == AN_EVENT) drop_event(node, 0); else node->slots[slot].is_waiting = false; node->flying_what = NOTHING; return; }\n  node->flying_again_at = now + REPORT_AGAIN;\n  writer out;",
  ],
  [
    "P4",
    "keeps three events",
    "if (node->event_count - first >= PL_EVENTS_MAX) {",
    "if (node->event_count - first >= PL_EVENTS_MAX - 1) {",
  ],
  [
    "P4",
    "lets the newest event give way",
    "    drop_event(node, first);\n    node->counters.events++;",
    "    node->counters.events++;\n    return;",
  ],
  [
    "P1",
    "reports nothing of what a WRITE changes besides",
    "  if (node->is_writing && is_same(node->writing, address)) return;",
    "  if (node->is_writing) return;",
  ],
  [
    "F10",
    "is mute after 3,000 frames",
    "    node->counters.frames++;\n    take_message",
    "    if (++node->counters.frames > 3000) return;\n    take_message",
  ],
  [
    "M2",
    "answers with eight bits of the seq",
    "case PING: send_bare(node, PONG, seq); break;",
    "case PING: send_bare(node, PONG, (uint8_t)seq); break;",
  ],
  ["A2", "answers no PING", "case PING: send_bare(node, PONG, seq); break;", "case PING: break;"],
];

describe("firmware with one mistake is caught:", () => {
  it.each(BROKEN.slice(0, rounds(15, BROKEN.length)))("%s, when it %s", async (rule, _, from, to) => {
    const report = await prove(await programs.buildBroken(`broken-${rule}`, [from, to], DEFINES));
    const broken = brokenRules(report);
    expect(broken.slice(0, 3), failures(report).join("\n")).toContain(rule);
    // What else a mistake breaks is said too, and is never much: the number leads to the mistake. Only what harms frames harms all.
    if (!rule.startsWith("F")) expect(broken.length, failures(report).join("\n")).toBeLessThanOrEqual(3);
  });
});
