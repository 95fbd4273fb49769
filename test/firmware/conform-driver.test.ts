/** The agent's driver is proved by `conform --agent` on a clock that stands still, and a driver with one mistake is caught under its number. */
import { readFileSync } from "node:fs";
import { brokenRules, memoryLinks, proveHub, type RuleReport, ruleTexts } from "@porchlight/firmware-sim";
import { seededRandom, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FakeHost } from "../../agent/src/drivers/kit/host/fake-host.fixture.ts";
import { linkDriver } from "../../agent/src/drivers/porchlight/link-driver.ts";
import { DriverBuilds, type Mistake } from "./broken-driver.ts";

const HUB = "02-50-4C-00-00-01";
const texts = ruleTexts(readFileSync(new URL("../../docs/contract/device-protocol.md", import.meta.url), "utf8"));

/** Proves a driver on a line in memory. */
async function prove(driverOf: typeof linkDriver, only?: readonly string[]): Promise<RuleReport> {
  const clock = new VirtualClock();
  const [near, far] = memoryLinks();
  const random = seededRandom(5);
  const host = new FakeHost();
  const stored = new Set<string>();
  host.commit = async (_, { node, boot, seq }) => {
    const isNew = !stored.has(`${node} ${boot} ${seq}`);
    stored.add(`${node} ${boot} ${seq}`);
    return isNew ? "stored" : "repeated";
  };
  const deps = { clock, random, log: silentLog, host, hubEdgeId: HUB };
  await using driver = driverOf({ name: "memory", connect: async () => near, ...deps });
  const proof = proveHub({
    ...{ clock, random: seededRandom(3), link: far, jitter: 0, where: driver.name, texts, only, patience: 10_000 },
  });
  return await clock.until(proof, 3_600_000);
}

const failures = ({ results }: RuleReport) =>
  results.flatMap(({ id, verdict }) =>
    verdict.kind === "fail" ? verdict.violations.map(({ what }) => `${id}: ${what}`) : [],
  );

it("every number of the document has a rule for hubs or a reason, and none has both", async () => {
  const { results } = await prove(linkDriver);
  expect(results.map(({ id }) => id)).toEqual([...texts.keys()]);
});

it("the driver keeps every rule that binds a hub", async () => {
  const report = await prove(linkDriver);
  expect(failures(report)).toEqual([]);
  expect(report.results.filter(({ verdict }) => verdict.kind === "not_run")).toEqual([]);
  expect(report.results.filter(({ verdict }) => verdict.kind === "pass").length).toBeGreaterThan(45);
  expect(report.subject).toBe(`hub ${HUB} on memory`);
});

/** A driver with each of these is caught under the number. */
const BROKEN: readonly (Mistake & { readonly rule: string; readonly mistake: string })[] = [
  {
    rule: "F6",
    mistake: "takes any byte after ESC",
    file: "shared/src/wire/framing.ts",
    from: "  return undefined;\n}\n",
    to: "  return byte;\n}\n",
  },
  {
    rule: "F8",
    mistake: "does not look at the CRC",
    file: "shared/src/wire/framing.ts",
    from: "if (crc16(this.#buffer, end) !== sent)",
    to: "if (sent < 0)",
  },
  {
    rule: "S3",
    mistake: "calls every three seconds",
    file: "agent/src/drivers/porchlight/session/session-state.ts",
    from: 'if (state.kind === "calling") return { state: { ...state, nextWhoAt: at + TIMES.hello }',
    to: 'if (state.kind === "calling") return { state: { ...state, nextWhoAt: at + 3 * TIMES.hello }',
  },
  {
    rule: "S4",
    mistake: "reads the first property only",
    file: "agent/src/drivers/porchlight/device/device-life.ts",
    from: "for (const property of described.readable()) {",
    to: "for (const property of described.readable().slice(0, 1)) {",
  },
  {
    rule: "S5",
    mistake: "describes afresh at every HELLO",
    file: "agent/src/drivers/porchlight/session/session-state.ts",
    from: "if (known && isSameBoot(known, node, seq)) return",
    to: "if (known && isSameBoot(known, node, seq) && at < 0) return",
  },
  {
    rule: "M2",
    mistake: "counts its seqs up by two",
    file: "agent/src/drivers/porchlight/exchange/seqs.ts",
    from: "return nextSeq(this.#last);",
    to: "return nextSeq(nextSeq(this.#last));",
  },
  {
    rule: "M6",
    mistake: "refuses another version as malformed",
    file: "agent/src/drivers/porchlight/session/session-state.ts",
    from: 'return refuse(state, input.at, input.seq, ERROR_CODE.versionNotSupported, "version not supported");',
    to: 'return refuse(state, input.at, input.seq, ERROR_CODE.malformed, "version not supported");',
  },
  {
    rule: "B1",
    mistake: "does not look at the window",
    file: "agent/src/drivers/porchlight/session/session.ts",
    from: "const { win, max } = node;",
    to: "const [win, { max }] = [8, node];",
  },
  {
    rule: "B2",
    mistake: "asks again after 300 ms",
    file: "agent/src/drivers/porchlight/exchange/exchange-state.ts",
    from: "return TIMES.tryFails + ",
    to: "return 300 + ",
  },
  {
    rule: "B4",
    mistake: "asks a busy node at once",
    file: "shared/src/wire/limits.ts",
    from: "[100, 200, 400]",
    to: "[1, 1, 1]",
  },
  {
    rule: "P10",
    mistake: "acknowledges before the device is described",
    file: "agent/src/drivers/porchlight/device/reports.ts",
    from: 'if (takes === "later") return;',
    to: 'if (takes === "later") return this.#deps.acknowledge(report.seq);',
  },
  {
    rule: "P9",
    mistake: "leaves a repetition without ACK",
    file: "agent/src/drivers/porchlight/device/reports.ts",
    from: "this.#deps.acknowledge(report.seq);",
    to: 'if (result === "stored") this.#deps.acknowledge(report.seq);',
  },
  {
    rule: "W3",
    mistake: "ignores what is malformed",
    file: "agent/src/drivers/porchlight/line/incoming.ts",
    from: 'if (!mayCome(body.type, "node") || !isRequest(body.type)) return IGNORE;',
    to: "return IGNORE;",
  },
  {
    rule: "W4",
    mistake: "answers the echo of its own PING",
    file: "agent/src/drivers/porchlight/line/incoming.ts",
    from: ' || (message.type === "PING" && isOwnPing(message.seq))',
    to: ' || (message.type === "PING" && isOwnPing(message.seq) && false)',
  },
  {
    rule: "A1",
    mistake: "takes damage for a sign of life",
    file: "agent/src/drivers/porchlight/line/line.ts",
    from: '    if (event.kind === "damage") {\n',
    to: '    if (event.kind === "damage") {\n      this.#heardFrameAt = this.#heardByteAt;\n',
  },
  {
    rule: "A2",
    mistake: "is silent for eight seconds",
    file: "shared/src/wire/limits.ts",
    from: "silence: 5000,",
    to: "silence: 8000,",
  },
  {
    rule: "V4",
    mistake: "stores a value of any type",
    file: "agent/src/drivers/kit/values/property-value.ts",
    from: 'if (!hasType(description, value) || valueBreach(value)) return "wrong_type";',
    to: 'if (!hasType(description, value)) return "good";',
  },
  {
    rule: "X1",
    mistake: "describes a link as often as it boots",
    file: "shared/src/wire/limits.ts",
    from: "describeSpacing: 5000,",
    to: "describeSpacing: 100,",
  },
  {
    rule: "X2",
    mistake: "takes every report",
    file: "shared/src/wire/limits.ts",
    from: "REPORT_BURST = 200;",
    to: "REPORT_BURST = 2000;",
  },
  {
    rule: "M2",
    mistake: "answers PING under another seq",
    file: "agent/src/drivers/porchlight/session/session.ts",
    from: 'this.#line.send({ type: "PONG", seq: message.seq });',
    to: 'this.#line.send({ type: "PONG", seq: message.seq & 0xff });',
  },
  {
    rule: "M2",
    mistake: "acknowledges HELLO under another seq",
    file: "agent/src/drivers/porchlight/session/session.ts",
    from: 'type: "HELLO_ACK", seq: effect.seq, info',
    to: 'type: "HELLO_ACK", seq: (effect.seq + 1) & 0xffff, info',
  },
  {
    rule: "M11",
    mistake: "tells the time in milliseconds",
    file: "agent/src/drivers/porchlight/session/session.ts",
    from: "Math.floor(this.#deps.clock.now() / 1000)",
    to: "Math.floor(this.#deps.clock.now())",
  },
  {
    rule: "W5",
    mistake: "refuses malformed answers",
    file: "agent/src/drivers/porchlight/line/incoming.ts",
    from: 'if (!mayCome(body.type, "node") || !isRequest(body.type)) return IGNORE;',
    to: 'if (!mayCome(body.type, "node")) return IGNORE;',
  },
  {
    rule: "B2",
    mistake: "does not lengthen a try by what arrives",
    file: "agent/src/drivers/porchlight/exchange/exchange-state.ts",
    from: "Math.max(state.leftAt, heardAt) + timeoutMs",
    to: "state.leftAt + timeoutMs",
  },
  {
    rule: "X2",
    mistake: "takes ten reports a second",
    file: "shared/src/wire/limits.ts",
    from: "REPORT_RATE = 50;",
    to: "REPORT_RATE = 10;",
  },
  {
    rule: "X2",
    mistake: "takes two hundred reports a second",
    file: "shared/src/wire/limits.ts",
    from: "REPORT_RATE = 50;",
    to: "REPORT_RATE = 200;",
  },
];

describe("a driver with one mistake is caught:", () => {
  let builds: DriverBuilds;
  beforeAll(async () => {
    builds = await DriverBuilds.make();
  });
  afterAll(() => builds[Symbol.asyncDispose]());

  it.each(BROKEN)("$rule, when it $mistake", async ({ rule, ...mistake }) => {
    const report = await prove(await builds.broken(mistake));
    expect(brokenRules(report)).toContain(rule);
    // What else a mistake breaks is said too, and is never much: the number leads to the mistake.
    expect(brokenRules(report).length, failures(report).join("\n")).toBeLessThanOrEqual(6);
  });
});
