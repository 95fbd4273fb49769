/** The judge of a home gets one lie for each of its rules, and finds it; in a record that can be true it finds nothing. */
import { describe, expect, test } from "vitest";
import type { Ask, Fault, HomeRecord } from "../record.ts";
import { judge } from "./judge.ts";
import {
  act,
  CONFIRMED,
  FAILED,
  ID,
  LAMP,
  look,
  NOT_APPLIED,
  reading,
  record,
  UNKNOWN,
  write,
} from "./record.fixture.ts";
import { storyOf } from "./violation.ts";

/** The rules that were broken, each once. */
const found = (parts: Partial<HomeRecord>): string[] => [
  ...new Set(judge(record(parts)).violations.map(({ rule }) => rule)),
];

describe("nothing is found in", () => {
  const truths: Record<string, Partial<HomeRecord>> = {
    "a confirmed write, done once": { writes: [write([CONFIRMED])], acts: [act(1100)], looks: [look()] },
    "an unknown write, done": { writes: [write([UNKNOWN])], acts: [act(1100)], looks: [look()] },
    "an unknown write, not done": { writes: [write([UNKNOWN])], looks: [FAILED] },
    "a write without an answer, done": { writes: [write([{}])], acts: [act(1100)] },
    "a refused write, not done": { writes: [write([NOT_APPLIED])], looks: [FAILED] },
    "a keyed write that was refused at first and done then": {
      writes: [write([NOT_APPLIED, { ...CONFIRMED, end: 6200, commandId: "cmd_2" }])],
      acts: [act(6100)],
      looks: [FAILED, look({ id: "cmd_2" })],
    },
    "a keyed write that was done by the ask without an answer": {
      writes: [write([{}, { ...CONFIRMED, end: 6200 }])],
      acts: [act(1100)],
      looks: [look()],
    },
    "a keyed write that was done, and whose key could not be looked up in the end": {
      writes: [write([UNKNOWN, { end: 6010, status: 503, title: "Service Unavailable" }])],
      acts: [act(1100)],
      looks: [look()],
    },
    "a write at home, whose ID is for logs": {
      writes: [write([CONFIRMED], { api: "home" })],
      acts: [act(1100)],
    },
    "a queued write, done when its hub was back": {
      writes: [write([{ end: 1100, status: 202, commandId: ID }], { kind: "queued", waitMs: 9000 })],
      acts: [act(9500)],
      looks: [look({ begin: 9600, end: 9610 })],
    },
    "a command that was open and then ended": {
      writes: [write([UNKNOWN])],
      acts: [act(1100)],
      looks: [look({ begin: 4000, end: 4010, state: "sent", outcome: "unknown" }), look()],
    },
    "a confirmed write that a person turned further before it was answered": {
      writes: [write([{ ...CONFIRMED, value: 60.1 }])],
      acts: [act(1100), act(1150, { value: 60.1, by: "person", seq: -1 })],
      looks: [look()],
    },
    "values as they were": {
      writes: [write([CONFIRMED])],
      acts: [act(1100), act(5000, { value: 60.1, by: "person", seq: -1 })],
      looks: [look()],
      readings: [reading(40, 500), reading(40, 1150), reading(7, 1300), reading(7, 5500), reading(60.1, 5600)],
    },
  };
  test.each(Object.entries(truths))("%s", (_name, parts) => expect(found(parts)).toEqual([]));
});

describe("a lie is found:", () => {
  const done = { acts: [act(1100)] };
  const lies: Record<string, [string[], Partial<HomeRecord>]> = {
    "it was confirmed, and done twice": [
      ["twice"],
      { writes: [write([CONFIRMED])], acts: [act(1100), act(1150)], looks: [look()] },
    ],
    "it had no answer, and was done twice": [["twice"], { writes: [write([{}])], acts: [act(1100), act(1150)] }],
    "it was confirmed, and never done": [
      ["confirmed, not done", "settled, not done"],
      { writes: [write([CONFIRMED])], looks: [look()] },
    ],
    "it was confirmed before it was done": [
      ["confirmed, not done"],
      { writes: [write([CONFIRMED])], acts: [act(1300)], looks: [look()] },
    ],
    "it was confirmed as another value": [
      ["another value"],
      { writes: [write([{ ...CONFIRMED, value: 8 }])], ...done, looks: [look()] },
    ],
    "it was confirmed as a value that it had before": [
      ["another value"],
      {
        writes: [write([{ ...CONFIRMED, value: 60.1 }])],
        acts: [act(900, { value: 60.1, by: "person", seq: -1 }), act(1100)],
        looks: [look()],
      },
    ],
    "it was answered as not applied, and done": [
      ["done all the same"],
      { writes: [write([NOT_APPLIED])], ...done, looks: [look()] },
    ],
    "it was answered as not sent, and done": [
      ["done all the same"],
      { writes: [write([{ ...UNKNOWN, outcome: "not_sent" }])], ...done, looks: [look()] },
    ],
    "it was rejected, and done": [
      ["done all the same", "settled, done"],
      {
        writes: [write([{ ...UNKNOWN, status: 422, outcome: "rejected" }])],
        ...done,
        looks: [look({ state: "rejected" })],
      },
    ],
    "it failed without an outcome, which means that it was not made, and was done": [
      ["done all the same"],
      { writes: [write([{ end: 1100, status: 503, title: "Service Unavailable" }])], ...done },
    ],
    "it was refused as what can never be sent, and done": [
      ["done all the same"],
      { writes: [write([{ end: 1100, status: 400, title: "Property Value Invalid" }])], ...done },
    ],
    "the last word on its key is that it is not done, and it was": [
      ["done all the same"],
      { writes: [write([{}, { ...NOT_APPLIED, end: 6200 }])], ...done, looks: [look()] },
    ],
    "it was unknown, settled as not done, and was done": [
      ["settled, done"],
      { writes: [write([UNKNOWN])], ...done, looks: [FAILED] },
    ],
    "two commands of one key were confirmed": [
      ["do not agree"],
      {
        writes: [write([CONFIRMED, { ...CONFIRMED, end: 6200, commandId: "cmd_2" }])],
        ...done,
        looks: [look(), look({ id: "cmd_2" })],
      },
    ],
    "it failed, and no answer has its outcome": [
      ["no outcome"],
      { writes: [write([{ end: 1100, status: 502, title: "Device Unreachable" }])] },
    ],
    "it was taken, and no answer has its ID": [
      ["no id"],
      { writes: [write([{ end: 1100, status: 202 }], { kind: "queued" })] },
    ],
    "its ID is not known": [["lost id"], { writes: [write([UNKNOWN])], looks: [look({ status: 404 })] }],
    "its ID could not be asked for": [["lost id"], { writes: [write([UNKNOWN])] }],
    "it never ends": [
      ["not settled"],
      { writes: [write([UNKNOWN])], looks: [look({ state: "sent", outcome: "unknown" })] },
    ],
    "it was confirmed, and is failed in the end": [
      ["told otherwise"],
      {
        writes: [write([CONFIRMED])],
        ...done,
        looks: [FAILED, look({ begin: 9100, end: 9110, state: "failed", outcome: "unknown" })],
      },
    ],
    "it was rejected, and is confirmed in the end": [
      ["settled, not done", "told otherwise"],
      { writes: [write([{ ...UNKNOWN, status: 422, outcome: "rejected" }])], looks: [look()] },
    ],
    "it was done, and no client has asked for it": [["not asked for"], { acts: [act(1100)] }],
    "it was done before it was asked for": [
      ["early"],
      { writes: [write([UNKNOWN])], acts: [act(900)], looks: [look()] },
    ],
    "it was done after its deadline": [["late"], { writes: [write([UNKNOWN])], acts: [act(5100)], looks: [look()] }],
    "a command that had ended was another": [
      ["changed its end"],
      { writes: [write([UNKNOWN])], ...done, looks: [look({ begin: 5000, end: 5010, state: "rejected" }), look()] },
    ],
    "a command that was known was not known": [
      ["changed its end"],
      {
        writes: [write([UNKNOWN])],
        looks: [look({ begin: 5000, end: 5010, state: "sent" }), look({ begin: 6000, end: 6010, status: 404 }), FAILED],
      },
    ],
    "a value was read that it never had": [["never had"], { readings: [reading(9, 500)] }],
    "a value was read that it had later": [
      ["never had"],
      { writes: [write([{}])], ...done, readings: [reading(7, 1000)] },
    ],
    "a value was read that is older than an answered one": [
      ["older than told"],
      { writes: [write([CONFIRMED])], ...done, looks: [look()], readings: [reading(40, 1300)] },
    ],
    "a value was refreshed that is older than one answered long before": [
      ["older than told"],
      { writes: [write([CONFIRMED])], ...done, looks: [look()], readings: [reading(40, 5000, { refreshed: true })] },
    ],
    "a value was read at home that is older than one answered there": [
      ["older than told"],
      { writes: [write([CONFIRMED], { api: "home" })], ...done, readings: [reading(40, 1300, { api: "home" })] },
    ],
    "another value is shown in the end": [
      ["shown wrong"],
      { finalValues: [{ ...LAMP, shownBy: "home", shown: 7, held: 40 }] },
    ],
    "something never came to rest": [["no rest"], { awaited: ["every device is online: it never was"] }],
  };
  test.each(Object.entries(lies))("%s", (_name, [rules, parts]) => {
    if (parts.looks?.some((each) => each.state === "failed" && each.outcome === "unknown"))
      expect(found(parts)).toEqual(expect.arrayContaining(rules));
    else expect(found(parts).toSorted()).toEqual(rules.toSorted());
  });
});

describe("an ID that is not found", () => {
  const REFUSED: Partial<Ask> = { end: 1200, status: 503, title: "Hub Offline", outcome: "not_sent", commandId: ID };
  const fault = (name: string, target: string, from: number, to: number) => ({
    track: "cloud",
    name,
    target,
    from,
    to,
  });
  const lost = (ask: Partial<Ask>, ...faults: Fault[]) =>
    found({ writes: [write([ask])], looks: [look({ status: 400 })], faults });

  test("is counted when the store took nothing, and a node was killed that kept the end for it", () => {
    const faults = [fault("kill", "PostgreSQL", 1100, 2000), fault("kill", "node-1", 3000, 4000)];
    expect(lost(REFUSED, ...faults)).toEqual([]);
    const whole = record({ writes: [write([REFUSED])], looks: [look({ status: 400 })], faults });
    expect(judge(whole).counts["IDs lost with the node that kept them"]).toBe(1);
  });

  test("is never good of a write that was confirmed", () => {
    const faults = [fault("kill", "PostgreSQL", 1100, 2000), fault("kill", "node-1", 3000, 4000)];
    const looks = [look({ status: 400 })];
    expect(found({ writes: [write([CONFIRMED])], acts: [act(1100)], looks, faults })).toEqual(["lost id"]);
  });

  test.each<[string, Partial<Ask>, Fault[]]>([
    ["no node was killed", REFUSED, [fault("kill", "PostgreSQL", 1100, 2000)]],
    ["a node stood still", REFUSED, [fault("kill", "PostgreSQL", 1100, 2000), fault("stop", "node-1", 3000, 4000)]],
    [
      "a node was killed long after",
      REFUSED,
      [fault("kill", "PostgreSQL", 1100, 2000), fault("kill", "node-1", 12_100, 13_000)],
    ],
    ["the store was well", REFUSED, [fault("kill", "PostgreSQL", 1300, 2000), fault("kill", "node-1", 3000, 4000)]],
    ["NATS was killed", REFUSED, [fault("kill", "PostgreSQL", 1100, 2000), fault("kill", "NATS", 3000, 4000)]],
  ])("is a lie when %s", (_why, ask, faults) => expect(lost(ask, ...faults)).toEqual(["lost id"]));
});

test("a violation is described with answers, commands, acts, frames and faults", () => {
  const frames = [
    { at: 1090, line: "lamp", to: "device", text: '{"type":"WRITE","value":7}', fate: "passed" } as const,
  ];
  const faults = [{ track: "hub", name: "kill", target: "agent", from: 1050, to: 1060 }];
  const lie = record({ writes: [write([NOT_APPLIED])], acts: [act(1100)], looks: [look()], frames, faults });
  const [violation] = judge(lie).violations;
  if (!violation) throw new Error("the lie was not found");
  expect(storyOf(violation, lie, 1000)).toEqual([
    "0.000 s  asked cloud",
    "0.050 s  hub: kill agent for 10 ms",
    '0.090 s  line lamp to device: {"type":"WRITE","value":7} passed',
    "0.100 s  the device did it (seq 1, boot 1)",
    "2.000 s  answered 504 Hub Timeout not_applied cmd_1 (asked 2000 ms before)",
    "8.010 s  looked at cmd_1: 200 confirmed",
  ]);
});

test("a value that cannot be is described with the changes of the property around it", () => {
  const lie = record({
    writes: [write([CONFIRMED])],
    acts: [act(1100)],
    looks: [look()],
    readings: [reading(40, 1300)],
  });
  const [violation] = judge(lie).violations;
  if (!violation) throw new Error("the lie was not found");
  expect(storyOf(violation, lie, 1000)).toEqual(["0.100 s  it became 7 (write)", "0.200 s  7 was confirmed (cloud)"]);
});
