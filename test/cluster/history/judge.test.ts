/** The judge finds nothing in a history that is true, and each rule catches its own lie: otherwise a run without a violation proves nothing. */
import { expect, test } from "vitest";
import type { Attempt, EventSeen, History, Put } from "./history.ts";
import { judge } from "./judge.ts";
import { judgeSmooth } from "./judge-smooth.ts";

const LAMP = "06-00-00-00-00-00";
const HUB = "cli_1";

const event = (sequence: number, property: string, value: number): EventSeen => ({
  id: `evt_${sequence}`,
  sequence,
  type: "property.changed",
  at: 2000 + sequence,
  change: { device: LAMP, property, value },
});
const put = (value: number, begin: number, more: Partial<Attempt>, kind: Put["kind"] = "put"): Put => ({
  kind,
  device: LAMP,
  property: "LightColor.hue",
  value,
  waitMs: 5000,
  attempts: [{ node: "node-0", begin, ...more }],
});
const ok = (value: number, end: number) => ({ end, status: 200, value, commandId: `cmd_${value}` });

/** Two confirmed PUTs, one without an answer, one that was refused, and a report; all of it sent to a stream and a webhook. */
function truthful(): History {
  const log = [event(1, "LightColor.hue", 10), event(2, "Illuminance.lux", 1), event(3, "LightColor.hue", 20)];
  const all = [...log, { id: "evt_4", sequence: 4, type: "command.completed", at: 9000, commandId: "cmd_10" }];
  const base = { hub: HUB, device: LAMP, property: "LightColor.hue", epoch: 1 };
  return {
    truth: {
      acts: [
        { ...base, commandId: "cmd_10", value: 10, at: 1050 },
        { ...base, commandId: "cmd_20", value: 20, at: 3050 },
      ],
      reports: [{ device: LAMP, property: "Illuminance.lux", value: 1, n: 2, at: 2000, ackedAt: 2010 }],
      connections: [{ hub: HUB, epoch: 1, from: 0, to: 10_000 }],
    },
    puts: [
      put(10, 1000, ok(10, 1100)),
      put(20, 3000, ok(20, 3100)),
      put(30, 5000, {}),
      put(40, 6000, { end: 6010, status: 503, title: "Hub Offline", outcome: "not_sent" }),
    ],
    reads: [
      { node: "node-1", device: LAMP, property: "LightColor.hue", value: 10, begin: 3500, end: 3510, refreshed: false },
      { node: "node-1", device: LAMP, property: "LightColor.hue", value: 20, begin: 3500, end: 3510, refreshed: true },
      { node: "node-1", device: LAMP, property: "Illuminance.lux", value: 0, begin: 100, end: 110, refreshed: false },
    ],
    looks: [
      { node: "node-1", hub: HUB, state: "online", begin: 29_000, end: 29_010 },
      { node: "node-1", hub: HUB, state: "offline", begin: 11_000, end: 11_010 },
    ],
    streams: [{ name: "s", after: 0, events: all, resets: 0 }],
    deliveries: [...all, ...log.slice(0, 1)],
    hookAfter: 0,
    tokens: [{ revokedAt: 1000, uses: [{ node: "node-1", begin: 5900, status: 200 }] }],
    final: {
      log: all,
      commands: [
        { id: "cmd_10", state: "confirmed" },
        { id: "cmd_20", state: "confirmed" },
      ],
      values: [{ node: "node-1", device: LAMP, property: "LightColor.hue", shown: 20, held: 20 }],
    },
  };
}

const act = (value: number, at: number) => ({
  hub: HUB,
  device: LAMP,
  property: "LightColor.hue",
  commandId: `cmd_${value}`,
  value,
  at,
  epoch: 1,
});
const read = (value: number, begin: number, refreshed: boolean) => ({
  node: "node-1",
  device: LAMP,
  property: "LightColor.hue",
  value,
  begin,
  end: begin + 10,
  refreshed,
});

test("a true history has no violation, and is counted", () => {
  const { violations, counts } = judge(truthful());
  expect(violations).toEqual([]);
  expect(counts).toMatchObject({ puts: 4, "put: no answer": 1, "put: 503 Hub Offline not_sent": 1, acts: 2 });
});

test("a PUT without an answer may have been carried out, and one with a key may be tried again", () => {
  const history = truthful();
  history.truth.acts.push(act(30, 5500));
  const [, , lost] = history.puts;
  lost?.attempts.push({ node: "node-1", begin: 5600, ...ok(30, 5700) });
  const log = [...history.final.log, event(5, "LightColor.hue", 30)];
  const commands = [...history.final.commands, { id: "cmd_30", state: "confirmed" }];
  const values = history.final.values.map((one) => ({ ...one, shown: 30, held: 30 }));
  const streams = history.streams.map((stream) => ({ ...stream, events: log }));
  const more = { streams, deliveries: [...log], final: { log, commands, values } };
  expect(judge({ ...history, ...more }).violations).toEqual([]);
});

type Lie = readonly [what: string, violation: string, falsify: (history: History) => Partial<History> | undefined];

const LIES: readonly Lie[] = [
  ["carried out twice", "was carried out 2 times", ({ truth }) => void truth.acts.push(act(10, 1060))],
  [
    "confirmed and not carried out",
    "was confirmed, and not carried out by then",
    ({ truth }) => ({ truth: { ...truth, acts: truth.acts.slice(1) } }),
  ],
  [
    "confirmed as another value",
    "was confirmed as 11",
    ({ puts }) => void Object.assign(puts[0]?.attempts[0] ?? {}, { value: 11 }),
  ],
  [
    "carried out after not_sent",
    "told that it does not happen, and carried out",
    ({ truth }) => void truth.acts.push(act(40, 6500)),
  ],
  ["carried out after its deadline", "ms after its deadline", ({ truth }) => void truth.acts.push(act(30, 11_500))],
  ["carried out before it was asked", "before it was asked for", ({ truth }) => void truth.acts.push(act(30, 4000))],
  ["carried out unasked", "nobody has asked for it", ({ truth }) => void truth.acts.push(act(99, 6500))],
  [
    "a failure without an outcome",
    "and no outcome",
    ({ puts }) => void puts.push(put(50, 7000, { end: 7010, status: 500, title: "Internal Error" })),
  ],
  [
    "a confirmed command that the store has otherwise",
    "is sent in the store",
    ({ final }) => ({ final: { ...final, commands: final.commands.map((one) => ({ ...one, state: "sent" })) } }),
  ],
  [
    "an unknown command that is never settled",
    "was never settled",
    (history) => {
      const failed = { end: 7010, status: 504, title: "Hub Timeout", outcome: "unknown", commandId: "cmd_50" };
      history.puts.push(put(50, 7000, failed));
      const { final } = history;
      return { final: { ...final, commands: [...final.commands, { id: "cmd_50", state: "sent" }] } };
    },
  ],
  [
    "a deferred command that is lost",
    "was taken, and is not known",
    ({ puts }) => void puts.push(put(50, 7000, { end: 7010, status: 202, commandId: "cmd_50" }, "deferred")),
  ],
  ["a value that never was", "which it never had", ({ reads }) => void reads.push(read(77, 3500, false))],
  [
    "a value read before it was",
    "which it never had until then",
    ({ reads }) => void reads.push(read(20, 2000, false)),
  ],
  ["a stale read", "was acknowledged", ({ reads }) => void reads.push(read(10, 4200, false))],
  ["a refresh from the cache", "was there", ({ reads }) => void reads.push(read(10, 6200, true))],
  [
    "a final value that is not the device's",
    "node-1 shows 10",
    ({ final }) => ({ final: { ...final, values: final.values.map((one) => ({ ...one, shown: 10 })) } }),
  ],
  [
    "a gap in the log",
    "the log has 3 where 2 is due",
    ({ final }) => ({ final: { ...final, log: final.log.filter(({ sequence }) => sequence !== 2) } }),
  ],
  [
    "an acknowledged report that is lost",
    "was acknowledged, and is not in the log",
    ({ truth }) =>
      void truth.reports.push({ device: LAMP, property: "Illuminance.lux", value: 2, n: 4, at: 4000, ackedAt: 4010 }),
  ],
  [
    "a report that is there twice",
    "is in the log 2 times",
    ({ final }) => ({ final: { ...final, log: [...final.log, event(5, "Illuminance.lux", 1)] } }),
  ],
  [
    "a confirmed write that the log lacks",
    "was confirmed, and is not in the log",
    ({ final }) => ({ final: { ...final, log: final.log.filter(({ change }) => change?.value !== 20) } }),
  ],
  [
    "an old write logged after a newer one",
    "after what the hub did later",
    ({ truth }) => ({ truth: { ...truth, acts: [act(20, 900), act(10, 1050)] } }),
  ],
  [
    "a command completed twice",
    "was completed twice",
    ({ final }) => ({ final: { ...final, log: [...final.log, { ...final.log[3], sequence: 5 } as EventSeen] } }),
  ],
  [
    "a command reported as unconfirmed twice",
    "was unconfirmed twice",
    ({ final }) => {
      const repeated = { id: "evt_5", type: "command.unconfirmed", at: 9100, unconfirmedId: "cmd_40" };
      return { final: { ...final, log: [...final.log, { ...repeated, sequence: 5 }, { ...repeated, sequence: 6 }] } };
    },
  ],
  [
    "an event left out on a stream",
    "had 3 after 1",
    ({ streams }) => ({ streams: streams.map((one) => ({ ...one, events: one.events.filter((_, at) => at !== 1) })) }),
  ],
  [
    "an event sent twice on a stream",
    "had 1 after 1",
    ({ streams }) => ({
      streams: streams.map((one) => ({ ...one, events: [...one.events.slice(0, 1), ...one.events] })),
    }),
  ],
  [
    "a stream that falls silent",
    "ends at 2, the log at 4",
    ({ streams }) => ({ streams: streams.map((one) => ({ ...one, events: one.events.slice(0, 2) })) }),
  ],
  [
    "a stream that sends what is not in the log",
    "which the log has not",
    ({ streams }) => ({
      streams: streams.map((one) => ({ ...one, events: one.events.map((event) => ({ ...event, id: "evt_x" })) })),
    }),
  ],
  [
    "a stream that is reset",
    "was reset",
    ({ streams }) => ({ streams: streams.map((one) => ({ ...one, resets: 1 })) }),
  ],
  ["an event that no webhook had", "was never delivered", ({ deliveries }) => ({ deliveries: deliveries.slice(1, 4) })],
  [
    "events of a device delivered out of turn",
    "was delivered after 3",
    ({ deliveries }) => ({ deliveries: [...deliveries].reverse() }),
  ],
  [
    "a hub shown online long after it was gone",
    "ms after it was really gone",
    ({ looks }) => void looks.push({ node: "node-1", hub: HUB, state: "online", begin: 30_500, end: 30_510 }),
  ],
  [
    "a hub shown offline while it works",
    "acted before and after by connection 1",
    ({ looks }) => void looks.push({ node: "node-1", hub: HUB, state: "offline", begin: 2000, end: 2010 }),
  ],
  [
    "a revoked token that is taken",
    "a revoked token was taken",
    ({ tokens }) => void tokens[0]?.uses.push({ node: "node-1", begin: 6100, status: 200 }),
  ],
];

test.for(LIES)("%s is found", ([_what, violation, falsify]) => {
  const history = truthful();
  const falsified = { ...history, ...falsify(history) };
  expect(judge(falsified).violations.join("\n")).toContain(violation);
});

test("a restart that a caller notices is found, and callers that asked one node alone are left out", () => {
  const { puts } = truthful();
  expect(judgeSmooth({ puts })).toEqual([]);
  const [first] = puts;
  first?.attempts.push({ node: "balancer", begin: 1, end: 2, status: 503, title: "Service Unavailable" });
  first?.attempts.push({ node: "balancer", begin: 3 });
  expect(judgeSmooth({ puts }).map((violation) => /: ([^:]+)\)$/.exec(violation)?.[1])).toEqual([
    "503 Service Unavailable",
    "no answer",
  ]);
});

test("a confirmed write whose answer was lost may be overtaken by a later write, which then is in the log alone", () => {
  const history = truthful();
  const events = [event(1, "Illuminance.lux", 1), event(2, "LightColor.hue", 20)];
  const streams = history.streams.map((stream) => ({ ...stream, events }));
  const final = { ...history.final, log: events };
  expect(judge({ ...history, streams, deliveries: events, final }).violations).toEqual([]);
});
