import type { HelloInfo } from "@porchlight/shared/wire";
import { expect, test } from "vitest";
import { openSession, type SessionInput, type SessionState, sessionTimerAt, stepSession } from "./session-state.ts";

const NODE: HelloInfo = { v: 1, id: "02-00-00-00-00-0A", devices: [], boot: 7, max: 1024, win: 1 };
const hello = (at: number, node = NODE, seq = 1): SessionInput => ({ kind: "hello", at, seq, node, admitted: true });
const time = (at: number, heardAt = Number.NEGATIVE_INFINITY): SessionInput => ({ kind: "time", at, heardAt });

function run(...inputs: SessionInput[]): { state: SessionState; effects: string[] } {
  let state = openSession(0);
  let effects: string[] = [];
  for (const input of inputs) {
    const step = stepSession(state, input);
    state = step.state;
    effects = step.effects.map((effect) => (effect.kind === "begin" ? `begin at ${effect.at}` : effect.kind));
  }
  return { state, effects };
}

test.each<{ says: string; inputs: SessionInput[]; kind: SessionState["kind"]; effects: string[] }>([
  { says: "an open line calls at once", inputs: [time(0)], kind: "calling", effects: ["who"] },
  { says: "it does not call again within the second", inputs: [time(0), time(999)], kind: "calling", effects: [] },
  { says: "it calls again after a second", inputs: [time(0), time(1000)], kind: "calling", effects: ["who"] },
  {
    says: "a HELLO begins the describing",
    inputs: [hello(10)],
    kind: "describing",
    effects: ["acknowledge", "begin at 10"],
  },
  { says: "described, it is live", inputs: [hello(10), { kind: "described" }], kind: "live", effects: [] },
  {
    says: "the same boot is acknowledged",
    inputs: [hello(10), hello(20)],
    kind: "describing",
    effects: ["same_boot", "acknowledge"],
  },
  {
    says: "another boot begins afresh, 5 s after the last describing",
    inputs: [hello(10), hello(20, { ...NODE, boot: 8 })],
    kind: "describing",
    effects: ["acknowledge", "begin at 5010"],
  },
  {
    says: "a third boot does not push the describing further away",
    inputs: [hello(10), hello(20, { ...NODE, boot: 8 }), hello(4000, { ...NODE, boot: 9 })],
    kind: "describing",
    effects: ["acknowledge", "begin at 5010"],
  },
  {
    says: "another node on the same line begins afresh although its boot has the same number",
    inputs: [hello(10), hello(6000, { ...NODE, id: "02-00-00-00-00-0B" })],
    kind: "describing",
    effects: ["acknowledge", "begin at 6000"],
  },
  {
    says: "boot 0 on a live session is a reboot that voids reports",
    inputs: [hello(10, { ...NODE, boot: 0 }), { kind: "described" }, hello(9000, { ...NODE, boot: 0 })],
    kind: "describing",
    effects: ["forget_reports", "acknowledge", "begin at 9000"],
  },
  {
    says: "boot 0 under another seq is a reboot even while it is described",
    inputs: [hello(10, { ...NODE, boot: 0 }), hello(9000, { ...NODE, boot: 0 }, 2)],
    kind: "describing",
    effects: ["forget_reports", "acknowledge", "begin at 9000"],
  },
  {
    says: "another version is refused",
    inputs: [{ kind: "other_version", at: 0, seq: 4 }],
    kind: "refused",
    effects: ["refuse"],
  },
  {
    says: "a live node that comes back in another version is gone",
    inputs: [hello(10), { kind: "other_version", at: 20, seq: 4 }],
    kind: "refused",
    effects: ["down", "refuse"],
  },
  { says: "5 s of silence ask for a PING", inputs: [hello(0), time(5000)], kind: "describing", effects: ["ping"] },
  { says: "less do not", inputs: [hello(0), time(4999)], kind: "describing", effects: [] },
  {
    says: "two unanswered PINGs are not enough",
    inputs: [hello(0), time(5000), time(6000), time(7000)],
    kind: "describing",
    effects: ["ping"],
  },
  {
    says: "three are: the link is down, and the hub calls",
    inputs: [hello(0), time(5000), time(6000), time(7000), time(8000)],
    kind: "calling",
    effects: ["down", "who"],
  },
  {
    says: "anything heard in between starts the count again",
    inputs: [hello(0), time(5000), time(6000), time(7000), time(8000, 7500)],
    kind: "describing",
    effects: [],
  },
])("$says", ({ inputs, kind, effects }) => {
  const result = run(...inputs);
  expect(result.state.kind).toBe(kind);
  expect(result.effects).toEqual(effects);
});

test("the clock is looked at when the next WHO, PING or end is due, and not before", () => {
  expect(sessionTimerAt(run(time(0)).state, Number.NEGATIVE_INFINITY)).toBe(1000);
  const joined = run(hello(10)).state;
  expect(sessionTimerAt(joined, 400)).toBe(5400);
  expect(sessionTimerAt(run(hello(0), time(5000)).state, 0)).toBe(6000);
});

test("a link that went down by silence does not describe again within the 5 s either", () => {
  const down: SessionInput[] = [
    hello(0),
    hello(4000, { ...NODE, boot: 8 }),
    time(9000),
    time(10_000),
    time(11_000),
    time(12_000),
  ];
  expect(run(...down, hello(12_100)).effects).toEqual(["acknowledge", "begin at 12100"]);
});
