/** What is a finding, what is none, and how little is left of it. */
import { type Body, decodeBody, FrameReader } from "@porchlight/shared/wire";
import { expect, test } from "vitest";
import type { FuzzOutcome } from "./fuzz.ts";
import { type Ill, type Mistake, SickBoard } from "./sick-board.fixture.ts";

const is = (stated: Body, type: string) => stated.kind === "message" && stated.message.type === type;
/** At an IDENTIFY that asks for longer than a day or so. */
const atLongIdentify =
  (ill: Ill): Mistake =>
  (stated) =>
    stated.kind === "message" && stated.message.type === "IDENTIFY" && stated.message.seconds > 65_535
      ? ill
      : undefined;

/** What the inputs of a finding say. */
function statedIn(outcome: FuzzOutcome): string[] {
  if (outcome.kind !== "finding") throw new Error(`there is no finding: ${outcome.kind}`);
  return outcome.inputs.map((input) => {
    const [event] = new FrameReader(4095).push(input);
    const body = event?.kind === "frame" ? decodeBody(event.body) : undefined;
    return body?.kind === "message" ? body.message.type : (body?.kind ?? "damage");
  });
}

const bytesOf = (outcome: FuzzOutcome) =>
  outcome.kind === "finding" ? outcome.inputs.map((input) => Buffer.from(input).toString("hex")) : [];

test("a board without a mistake answers to the end", async () => {
  const { result, peer } = new SickBoard(() => undefined).fuzz(1);
  expect(await result).toEqual({ sent: 4000, outcome: { kind: "answers" } });
  expect(peer.sightings).toEqual({ closed: 0, recovered: 0 });
});

test("what hangs a board by itself is narrowed down to a handful of bytes, the same for the same seed", async () => {
  const runs = [5, 5].map(async (seed) => (await new SickBoard(atLongIdentify("dead")).fuzz(seed).result).outcome);
  const [outcome, again] = await Promise.all(runs);
  if (!outcome || !again) throw new Error("there are two runs");
  expect(outcome).toMatchObject({ kind: "finding", finding: { kind: "hangs" }, narrowed: "minimised" });
  expect(statedIn(outcome)).toEqual(["IDENTIFY"]);
  expect(bytesOf(outcome)[0]?.length).toBeLessThanOrEqual(2 * 20);
  expect(bytesOf(again)).toEqual(bytesOf(outcome));
});

test("what hangs it only after something else is narrowed down to the two, in their order", async () => {
  const board = new SickBoard((stated, seen) => {
    if (is(stated, "DESCRIBE") && seen.has("IDENTIFY")) return "dead";
    if (is(stated, "IDENTIFY")) seen.add("IDENTIFY");
    return undefined;
  });
  const { outcome } = await board.fuzz(2).result;
  expect(outcome).toMatchObject({ kind: "finding", finding: { kind: "hangs" }, narrowed: "minimised" });
  expect(statedIn(outcome)).toEqual(["IDENTIFY", "DESCRIBE"]);
});

test("a finding at a board that cannot be reset lists all inputs since its last answer", async () => {
  const { outcome } = await new SickBoard(atLongIdentify("dead")).fuzz(5, {}, false).result;
  expect(outcome).toMatchObject({ kind: "finding", finding: { kind: "hangs" }, narrowed: "needs_reset" });
  expect(outcome.kind === "finding" && outcome.inputs.length).toBe(50);
});

test("a board that boots by itself is a finding, and needs no reset to be narrowed down", async () => {
  const { outcome } = await new SickBoard(atLongIdentify("reboots")).fuzz(5, {}, false).result;
  expect(outcome).toMatchObject({ kind: "finding", finding: { kind: "rebooted" }, narrowed: "minimised" });
  expect(statedIn(outcome)).toEqual(["IDENTIFY"]);
});

test("a board that closes its line and takes another is not called hung: it is counted", async () => {
  const { peer, result } = new SickBoard(atLongIdentify("closes")).fuzz(5);
  expect((await result).outcome).toEqual({ kind: "answers" });
  expect(peer.sightings.closed).toBeGreaterThan(0);
});

test("a board that is silent for some seconds, and answers on a fresh line, is not called hung: it is counted", async () => {
  const { peer, result } = new SickBoard(atLongIdentify("mute")).fuzz(5, { frames: 1000 });
  expect((await result).outcome).toEqual({ kind: "answers" });
  expect(peer.sightings.recovered).toBeGreaterThan(0);
});

test("a board whose line closes and does not come back is gone", async () => {
  const { outcome } = await new SickBoard(atLongIdentify("leaves")).fuzz(5, {}, false).result;
  expect(outcome).toMatchObject({ kind: "finding", finding: { kind: "gone", reason: "no such port" } });
});

test("a line without answers is distinguished from a hanging board, and nothing is sent", async () => {
  const { result } = new SickBoard(() => "dead").fuzz(5);
  expect(await result).toEqual({ sent: 0, outcome: { kind: "silent" } });
});

test("what does it only once is reported with all that was reported, since it cannot be narrowed down", async () => {
  let times = 0;
  const once: Mistake = (stated, seen) => {
    const ill = atLongIdentify("dead")(stated, seen);
    if (ill !== undefined) times += 1;
    return times === 1 ? ill : undefined;
  };
  const { outcome } = await new SickBoard(once).fuzz(5).result;
  expect(outcome).toMatchObject({ kind: "finding", narrowed: "not_again" });
});

test("narrowing down ends in time, with the smallest so far", async () => {
  const { outcome } = await new SickBoard(atLongIdentify("dead")).fuzz(5, { minimise: { ms: 3_600_000, tries: 4 } })
    .result;
  expect(outcome).toMatchObject({ kind: "finding", narrowed: "cut_short" });
  const left = outcome.kind === "finding" ? outcome.inputs.length : 0;
  expect(left).toBeGreaterThan(1);
  expect(left).toBeLessThan(50);
});

test("it stops in time, and at once on request, with how far it came", async () => {
  const board = new SickBoard(() => undefined);
  const slow = { onProgress: () => void board.clock.timer("nothing", 0, () => undefined) };
  expect((await board.fuzz(1, { ...slow, ms: 0 }).result).outcome).toEqual({ kind: "out_of_time" });
  const stop = new AbortController();
  const reported = { signal: stop.signal, onProgress: (sent: number) => sent === 500 && stop.abort() };
  expect(await new SickBoard(() => undefined).fuzz(1, reported).result).toEqual({
    sent: 500,
    outcome: { kind: "stopped" },
  });
});

test("who stops while it is narrowed down has what was found so far", async () => {
  const stop = new AbortController();
  const board = new SickBoard(atLongIdentify("dead"));
  const { peer, result } = board.fuzz(5, {
    signal: stop.signal,
    onFinding: () => void board.clock.timer("ctrl-c", 20_300, end),
  });
  let stoppedAt = 0;
  const end = () => {
    stoppedAt = board.clock.monotonic();
    stop.abort();
    peer.close();
  };
  const { outcome } = await result;
  expect(outcome).toMatchObject({ kind: "finding", finding: { kind: "hangs" }, narrowed: "cut_short" });
  expect(board.clock.monotonic()).toBe(stoppedAt);
});
