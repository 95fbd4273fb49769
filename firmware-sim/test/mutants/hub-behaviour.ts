/** Mutants of the agent's driver that break section 5: start, requests, reports, life, devices and floods. */
import type { HubMutant } from "./mutant.ts";

const DRIVER = "drivers/porchlight/src";
const LIMITS = "shared/src/wire/limits.ts";
const STATE = `${DRIVER}/session-state.ts`;
const SESSION = `${DRIVER}/session.ts`;
const EXCHANGE = `${DRIVER}/exchange/exchange-state.ts`;
const REPORTS = `${DRIVER}/device/reports.ts`;
const PLACES = `${DRIVER}/node-devices.ts`;
const DEVICES = `${DRIVER}/node-devices.ts`;
const LIFE = `${DRIVER}/device/device-life.ts`;
const STATEMENTS = `${DRIVER}/device/statements.ts`;

const CALLS = 'if (state.kind === "calling") return { state: { ...state, nextWhoAt: at + TIMES.hello }';
const SAME = "if (known && isSameBoot(known, node, seq)) return";
const WINDOW = "const { win, max } = node;";
const READS = "for (const property of described.readable()) {";
const STORED = "this.#deps.acknowledge(report.seq);";
const LATER = 'if (takes === "later") return;';
const CAME = "for (const seat of change.came) this.#begin(seat, at);";
const NO_DEVICE = "    if (edgeId === null) continue;\n    if ((owners";
const DOWN = 'nextWhoAt: at + TIMES.hello, describedAt: state.describedAt },\n    effects: [{ kind: "down"';
const BUSY = "  if (message.code !== ERROR_CODE.busy)";
const NO_ERROR = '  if (message.type !== "ERROR") return state;';
const WORTH = 'if (!hasType(description, value) || valueBreach(value)) return "wrong_type";';

export const HUB_BEHAVIOUR_MUTANTS: readonly HubMutant[] = [
  [
    "E2",
    "asks again after a code of a later version",
    EXCHANGE,
    [BUSY, "  if (message.code !== ERROR_CODE.busy && message.code <= 12)"],
  ],
  [
    "E2",
    "ignores a code of a later version",
    EXCHANGE,
    [NO_ERROR, '  if (message.type !== "ERROR" || message.code > 12) return state;'],
  ],
  ["S3", "calls every three seconds", STATE, [CALLS, CALLS.replace("TIMES", "3 * TIMES")]],
  ["S3", "calls once", STATE, [CALLS, CALLS.replace("TIMES", "3600 * TIMES")]],
  ["S4", "reads the first property only", LIFE, [READS, "for (const property of described.readable().slice(0, 1)) {"]],
  [
    "S4",
    "reads every property twice",
    LIFE,
    [READS, "for (const property of [...described.readable(), ...described.readable()]) {"],
  ],
  [
    "S5",
    "describes afresh at every HELLO",
    STATE,
    [SAME, "if (known && isSameBoot(known, node, seq) && at < 0) return"],
  ],
  [
    "S5",
    "takes boot 0 for the same boot",
    STATE,
    ['return node.boot !== 0 || (known.kind === "describing" && known.helloSeq === seq);', "return seq >= 0;"],
  ],
  ["S7", "repeats to a new boot what it asked the old one", SESSION, ["    before?.lose();\n  }", "  }"]],
  [
    "S7",
    "takes every boot for the same",
    STATE,
    ["known.node.id !== node.id || known.node.boot !== node.boot", "known.node.id !== node.id"],
  ],
  ["B1", "does not look at the window", SESSION, [WINDOW, "const [win, { max }] = [8, node];"]],
  [
    "B1",
    "asks one more at once than the window has",
    SESSION,
    [WINDOW, "const [win, { max }] = [node.win + 1, node];"],
  ],
  ["B2", "asks again after 300 ms", EXCHANGE, ["return TIMES.tryFails + ", "return 300 + "]],
  [
    "B2",
    "does not lengthen a try by what arrives",
    EXCHANGE,
    ["Math.max(state.leftAt, heardAt) + timeoutMs", "state.leftAt + timeoutMs"],
  ],
  ["B2", "asks four times", LIMITS, ["export const TRIES = 3;", "export const TRIES = 4;"]],
  ["B4", "asks a busy node at once", LIMITS, ["[100, 200, 400]", "[1, 1, 1]"]],
  ["B4", "asks a busy node twice more", LIMITS, ["[100, 200, 400]", "[100, 200]"]],
  [
    "S5",
    "sends a WRITE again after a HELLO",
    SESSION,
    ["        this.#exchanges?.hello();\n        break;", "        break;"],
  ],
  [
    "B7",
    "sends a WRITE under a new seq that may have been carried out before a HELLO",
    EXCHANGE,
    [" || (inDoubt && isForgotten)", ""],
  ],
  [
    "B7",
    "takes ERROR 9 to the second copy of a WRITE for the answer to both",
    EXCHANGE,
    ["  if (!acts || copies === 0) return", "  if (copies >= 0) return"],
  ],
  [
    "B9",
    "takes the last VALUE that comes for the newest",
    STATEMENTS,
    ["watch.isOvertaken = (this.#latest.get(key) ?? 0) > since;", "watch.isOvertaken = since < 0;"],
  ],
  [
    "B9",
    "does not see that a REPORT has overtaken an answer",
    REPORTS,
    ["    life.statements.add(addressKey(property.address));\n", ""],
  ],
  ["B9", "reads again as long as it is overtaken", STATEMENTS, ["READS_AGAIN = 3;", "READS_AGAIN = 30;"]],
  [
    "B9",
    "takes a WRITTEN that was overtaken for what is so now",
    `${DRIVER}/device/device-commands.ts`,
    ["!(end.repeated || watch.isOvertaken)", "!end.repeated"],
  ],
  ["P9", "leaves a repetition without ACK", REPORTS, [STORED, `if (result === "stored") ${STORED}`]],
  ["P9", "acknowledges every report twice", REPORTS, [STORED, `${STORED}\n      ${STORED}`]],
  ["P10", "acknowledges before the device is described", REPORTS, [LATER, `if (takes === "later") return ${STORED}`]],
  [
    "P10",
    "calls an unknown service an unknown property",
    REPORTS,
    ['ERROR_CODE.unknownService, "unknown service"', 'ERROR_CODE.unknownProperty, "unknown service"'],
  ],
  [
    "A1",
    "takes damage for a sign of life",
    `${DRIVER}/line/line.ts`,
    [
      '    if (event.kind === "damage") {\n',
      '    if (event.kind === "damage") {\n      this.#heardFrameAt = this.#heardByteAt;\n',
    ],
  ],
  [
    "A1",
    "takes the echo of its PING for a sign of life",
    SESSION,
    [
      '    if (incoming.kind === "ignore") {\n',
      '    if (incoming.kind === "ignore") {\n      this.#line.nodeLives();\n',
    ],
  ],
  ["A2", "is silent for eight seconds", LIMITS, ["silence: 5000,", "silence: 8000,"]],
  ["A2", "gives up after two PINGs", LIMITS, ["export const PINGS = 3;", "export const PINGS = 2;"]],
  ["A2", "sends PING until the link is closed", STATE, ["  if (pings < PINGS) {", "  if (pings < 1000) {"]],
  [
    "A3",
    "calls no more when the link is down",
    STATE,
    [DOWN, DOWN.replace("TIMES.hello", "3_600_000")],
    ['silent: true }, { kind: "who" }],', "silent: true }],"],
  ],
  [
    "A3",
    "describes nothing when the link is back",
    STATE,
    [
      "  // A description that is planned and has not begun",
      '  if (state.kind === "calling" && Number.isFinite(state.describedAt))\n    return { state: { kind: "live", node, helloSeq: seq, life: alive(at), describedAt: at }, effects: [acknowledge] };\n  // A description that is planned and has not begun',
    ],
  ],
  [
    "V1",
    "takes reports of a device that has left",
    PLACES,
    [
      NO_DEVICE,
      `    const former = before.seats.get(place);\n    if (edgeId === null && former !== undefined) seats.set(place, former);\n${NO_DEVICE}`,
    ],
  ],
  [
    "V1",
    "lets all devices go when one leaves",
    DEVICES,
    [
      "    for (const { edgeId } of change.left) this.#leave(edgeId);",
      "    if (change.left.length > 0) for (const edgeId of [...this.#lives.keys()]) this.#leave(edgeId);",
    ],
  ],
  [
    "V2",
    "describes every device after CHANGED",
    DEVICES,
    [CAME, "for (const [place, edgeId] of change.seating.seats) this.#begin({ place, edgeId }, at);"],
  ],
  ["V2", "describes no device that comes", DEVICES, [CAME, ""]],
  ["V3", "takes a device twice", PLACES, ["    if (seated.has(edgeId)) continue;\n", ""]],
  ["V3", "takes its own ID for a device", PLACES, ["new Set<string>([hubEdgeId]);", "new Set<string>();"]],
  [
    "V4",
    "stores a value of any type",
    "driver-kit/src/values/property-value.ts",
    [WORTH, 'if (!hasType(description, value)) return "good";'],
  ],
  [
    "V4",
    "refuses what is out of range",
    REPORTS,
    ['    if (worth === "wrong_type") {\n      counters', '    if (worth !== "good") {\n      counters'],
  ],
  ["X1", "describes a link as often as it boots", LIMITS, ["describeSpacing: 5000,", "describeSpacing: 100,"]],
  ["X1", "describes a link again after three seconds", LIMITS, ["describeSpacing: 5000,", "describeSpacing: 3000,"]],
  ["X2", "takes every report", LIMITS, ["REPORT_BURST = 200;", "REPORT_BURST = 2000;"]],
  ["X2", "takes ten reports a second", LIMITS, ["REPORT_RATE = 50;", "REPORT_RATE = 10;"]],
  ["X2", "takes two hundred reports a second", LIMITS, ["REPORT_RATE = 50;", "REPORT_RATE = 200;"]],
];
