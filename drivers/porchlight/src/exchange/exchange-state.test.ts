import type { Message } from "@porchlight/shared/wire";
import { describe, expect, test } from "vitest";
import {
  beginExchange,
  type ExchangeInput,
  type ExchangeState,
  exchangeTimerAt,
  stepExchange,
  tryTimeout,
} from "./exchange-state.ts";

const RULES = { answer: "VALUE", timeoutMs: 500, acts: false } as const;
/** As of a WRITE, of which each copy counts. */
const ACTS = { ...RULES, acts: true } as const;
const value: Message = { type: "VALUE", seq: 1, value: 3 };
const busy: Message = { type: "ERROR", seq: 1, code: 9, text: "busy" };
const hardware: Message = { type: "ERROR", seq: 1, code: 10, text: "broken" };
const written: Message = { type: "WRITTEN", seq: 1, value: 3 };

function run(...inputs: ExchangeInput[]): ExchangeState {
  return inputs.reduce((state, input) => stepExchange(state, input, RULES), beginExchange(0));
}

function write(...inputs: ExchangeInput[]): ExchangeState {
  return inputs.reduce((state, input) => stepExchange(state, input, ACTS), beginExchange(0));
}

const taken = (at: number): ExchangeInput => ({ kind: "taken", at });
const left = (at: number): ExchangeInput => ({ kind: "left", at });
const time = (at: number, heardAt = -1): ExchangeInput => ({ kind: "time", at, heardAt });
const came = (message: Message, at = 10): ExchangeInput => ({ kind: "came", at, message });

const TABLE: readonly { says: string; inputs: ExchangeInput[]; ends: unknown }[] = [
  {
    says: "an answer ends it",
    inputs: [taken(0), left(1), came(value)],
    ends: { kind: "answered", message: value, repeated: false },
  },
  {
    says: "an answer may overtake the report that the last byte has left",
    inputs: [taken(0), came(value)],
    ends: { kind: "answered", message: value, repeated: false },
  },
  {
    says: "an ERROR ends it",
    inputs: [taken(0), left(1), came(hardware)],
    ends: { kind: "error", code: 10, text: "broken", sent: false },
  },
  {
    says: "silence ends it after three tries",
    inputs: [taken(0), left(0), time(500), taken(500), left(500), time(1000), taken(1000), left(1000), time(1500)],
    ends: { kind: "silence" },
  },
  {
    says: "an answer to the first try ends it although the second is under way",
    inputs: [taken(0), left(0), time(500), taken(500), came(value)],
    ends: { kind: "answered", message: value, repeated: true },
  },
  {
    says: "a node that stays busy is asked four times under four seqs",
    inputs: [
      ...[taken(0), came(busy, 0), time(100), taken(100), came(busy, 100), time(300)],
      ...[taken(300), came(busy, 300), time(700), taken(700), came(busy, 700)],
    ],
    ends: { kind: "busy", sent: false },
  },
  {
    says: "withheld before the first try, nothing was sent",
    inputs: [{ kind: "withheld" }],
    ends: { kind: "withheld", sent: false },
  },
  {
    says: "out of time before a later try, what has been sent is still listened for",
    inputs: [taken(0), left(0), time(500), { kind: "late", at: 500 }, came(value)],
    ends: { kind: "answered", message: value, repeated: false },
  },
  {
    says: "out of time before a later try, and silent for the time of one more: silence",
    inputs: [taken(0), left(0), time(500), { kind: "late", at: 500 }, time(999), time(1000)],
    ends: { kind: "silence" },
  },
  {
    says: "out of time before the first try, nothing was sent",
    inputs: [{ kind: "late", at: 0 }],
    ends: { kind: "withheld", sent: false },
  },
  {
    says: "withheld before a later try, it may have acted",
    inputs: [taken(0), left(0), time(500), { kind: "withheld" }],
    ends: { kind: "withheld", sent: true },
  },
  {
    says: "withheld after ERROR 9, it has not acted: so the node has answered",
    inputs: [taken(0), left(0), came(busy), time(110), { kind: "withheld" }],
    ends: { kind: "withheld", sent: false },
  },
  {
    says: "lost before its bytes were taken, nothing was sent",
    inputs: [{ kind: "lost" }],
    ends: { kind: "lost", sent: false },
  },
  {
    says: "lost while its bytes leave, it may have acted",
    inputs: [taken(0), { kind: "lost" }],
    ends: { kind: "lost", sent: true },
  },
  {
    says: "lost in the pause after ERROR 9, it has not acted",
    inputs: [taken(0), came(busy), { kind: "lost" }],
    ends: { kind: "lost", sent: false },
  },
  {
    says: "a line that takes no bytes ends it untouched",
    inputs: [time(5000)],
    ends: { kind: "withheld", sent: false },
  },
];

describe("a request", () => {
  test.each(TABLE)("$says", ({ inputs, ends }) => {
    expect(run(...inputs)).toEqual({ kind: "ended", end: ends });
  });

  test("goes on waiting for what is of the wrong type for its seq", () => {
    expect(run(taken(0), left(0), came(written)).kind).toBe("waiting");
  });

  test("does not take the answer to a seq that has never left", () => {
    expect(run(came(value)).kind).toBe("ready");
  });

  test("has no failed try before 500 ms have passed since its last byte left and since the last byte came", () => {
    expect(run(taken(0), left(100), time(599)).kind).toBe("waiting");
    expect(run(taken(0), left(100), time(600)).kind).toBe("ready");
    expect(run(taken(0), left(100), time(600, 400)).kind).toBe("waiting");
    expect(run(taken(0), left(100), time(900, 400)).kind).toBe("ready");
  });

  test("is tried again within 1.5 s more on a line on which other bytes never stop", () => {
    expect(run(taken(0), left(0), time(1999, 1998)).kind).toBe("waiting");
    expect(run(taken(0), left(0), time(2000, 1999)).kind).toBe("ready");
    const serial = { ...RULES, timeoutMs: tryTimeout(115_200) };
    const busy = [taken(0), left(0)].reduce((state, input) => stepExchange(state, input, serial), beginExchange(0));
    expect(exchangeTimerAt(busy, 10_000, serial)).toBeLessThan(2500);
  });

  test("whose bytes the line does not take is given ten times as long as a try", () => {
    expect(run(taken(0), time(4999)).kind).toBe("leaving");
    expect(run(taken(0), time(5000)).kind).toBe("ready");
  });

  test("waits 100, 200 and 400 ms after ERROR 9", () => {
    const first = run(taken(0), came(busy, 0));
    expect(exchangeTimerAt(first, 0, RULES)).toBe(100);
    const second = run(taken(0), came(busy, 0), time(100), taken(100), came(busy, 100));
    expect(exchangeTimerAt(second, 0, RULES)).toBe(300);
    const third = run(
      taken(0),
      came(busy, 0),
      time(100),
      taken(100),
      came(busy, 100),
      time(300),
      taken(300),
      came(busy, 300),
    );
    expect(exchangeTimerAt(third, 0, RULES)).toBe(700);
  });

  test("ends once: later events change nothing", () => {
    const ended = run(taken(0), came(value));
    expect(stepExchange(ended, { kind: "lost" }, RULES)).toBe(ended);
  });
});

test("a try on a serial line is longer by the largest frame's time at its baud rate", () => {
  expect(tryTimeout()).toBe(500);
  expect(tryTimeout(115_200)).toBeCloseTo(500 + (4097 * 10_000) / 115_200, 3);
  expect(tryTimeout(9600)).toBeGreaterThan(4700);
});

describe("a request that acts, of which several copies have left when ERROR 9 comes", () => {
  /** Two copies have left, at 0 and at 500. */
  const TWO = [taken(0), left(0), time(500), taken(500), left(500)];
  /** All answers of one seq: the first of two copies is turned away, the other stays silent. */
  const doubt = (at: number) => [
    ...[taken(at), left(at), time(at + 500), taken(at + 500), left(at + 500)],
    ...[came(busy, at + 500), time(at + 1000)],
  ];

  test("waits for an answer to each of them before it asks again", () => {
    const one = write(...TWO, came(busy, 510));
    expect(one).toMatchObject({ kind: "settling", copies: 1 });
    expect(exchangeTimerAt(one, 510, ACTS)).toBe(1010);
    expect(write(...TWO, came(busy, 510), came(busy, 520))).toMatchObject({
      kind: "pausing",
      until: 620,
      inDoubt: false,
    });
  });

  test("is settled by the copy that was carried out all the same", () => {
    const end = { kind: "answered", message: value, repeated: true };
    expect(write(...TWO, came(busy, 510), came(value, 520))).toEqual({ kind: "ended", end });
  });

  test("asks again when a copy stays unanswered for the time of a try, and takes what is answered then", () => {
    expect(write(...TWO, came(busy, 510), time(1009, 510)).kind).toBe("settling");
    const asked = [...TWO, came(busy, 510), time(1010, 510), time(1110)];
    expect(write(...asked)).toMatchObject({ kind: "ready", tries: 1, copies: 0, inDoubt: true });
    const end = { kind: "answered", message: value, repeated: true };
    expect(write(...asked, taken(1110), left(1110), came(value, 1120))).toEqual({ kind: "ended", end });
  });

  test.each<{ says: string; inputs: ExchangeInput[]; ends: object }>([
    {
      says: "stays busy",
      inputs: [...doubt(0), time(1100), ...doubt(1100), time(2300), ...doubt(2300), time(3700), ...doubt(3700)],
      ends: { kind: "busy", sent: true },
    },
    {
      says: "is refused under another seq",
      inputs: [...doubt(0), time(1100), taken(1100), left(1100), came(hardware, 1110)],
      ends: { kind: "error", code: 10, text: "broken", sent: true },
    },
    {
      says: "has no time left for another",
      inputs: [...doubt(0), time(1100), { kind: "late", at: 1100 }],
      ends: { kind: "withheld", sent: true },
    },
    {
      says: "has lost its line in the pause",
      inputs: [...doubt(0), { kind: "lost" }],
      ends: { kind: "lost", sent: true },
    },
    {
      says: "has lost its line while it waited for the other copy",
      inputs: [...TWO, came(busy, 510), { kind: "lost" }],
      ends: { kind: "lost", sent: true },
    },
  ])("may have acted when a copy stayed unanswered and it $says", ({ inputs, ends }) => {
    expect(write(...inputs)).toEqual({ kind: "ended", end: ends });
  });

  test("a request that only reads does not wait: its copies change nothing", () => {
    expect(run(...TWO, came(busy, 510))).toMatchObject({ kind: "pausing", until: 610 });
  });
});

describe("a request that acts, of which a copy has left when the node sends HELLO in the same boot", () => {
  const hello = (at: number): ExchangeInput => ({ kind: "hello", at });
  const ONE = [taken(0), left(0)];
  const TWO = [...ONE, time(500), taken(500), left(500)];

  test.each<{ says: string; inputs: ExchangeInput[]; ends: object }>([
    {
      says: "is not sent again: without an answer it may have acted",
      inputs: [...ONE, hello(100), time(500)],
      ends: { kind: "silence" },
    },
    {
      says: "takes an answer that comes after it",
      inputs: [...ONE, hello(100), came(value, 200)],
      ends: { kind: "answered", message: value, repeated: false },
    },
    {
      says: "is not sent again after ERROR 9 to one copy, while the other stays unanswered",
      inputs: [...TWO, hello(510), came(busy, 520), time(1020)],
      ends: { kind: "busy", sent: true },
    },
    {
      says: "is not sent again when the HELLO comes between ERROR 9 and the end of the wait for the other copy",
      inputs: [...TWO, came(busy, 510), hello(520), time(1020)],
      ends: { kind: "busy", sent: true },
    },
    {
      says: "is not sent again when the HELLO comes in the pause, and a copy is unanswered",
      inputs: [...TWO, came(busy, 510), time(1010), hello(1020)],
      ends: { kind: "busy", sent: true },
    },
    {
      says: "is not sent under its new seq when the HELLO comes before that leaves, and a copy is unanswered",
      inputs: [...TWO, came(busy, 510), time(1010), time(1110), hello(1120)],
      ends: { kind: "busy", sent: true },
    },
    {
      says: "whose second copy waits for the line waits for an answer, and no copy leaves",
      inputs: [...ONE, time(500), hello(510), taken(520), time(1010)],
      ends: { kind: "silence" },
    },
  ])("$says", ({ inputs, ends }) => {
    expect(write(...inputs)).toEqual({ kind: "ended", end: ends });
  });

  test("is sent under a new seq when each copy was answered with ERROR 9", () => {
    expect(write(...TWO, hello(510), came(busy, 520), came(busy, 530), time(630))).toMatchObject({
      ...{ kind: "ready", copies: 0, inDoubt: false, isForgotten: false },
    });
  });

  test("is untouched when no copy has left", () => {
    expect(write(hello(10), ...ONE, time(500)).kind).toBe("ready");
    expect(write(taken(0), came(busy, 10), hello(20)).kind).toBe("pausing");
  });

  test("is sent again when it only reads", () => {
    expect(run(...ONE, hello(100), time(500)).kind).toBe("ready");
  });
});
