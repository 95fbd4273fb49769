/** B9: an answer that the node has overtaken with a newer statement of the same property is not stored, or is followed by a reading. */
import { settle } from "@porchlight/shared/kernel";
import type { Value } from "@porchlight/shared/model";
import type { HelloInfo, Message } from "@porchlight/shared/wire";
import { expect, test } from "vitest";
import { HubAndNode, LEVEL } from "./hub-and-node.fixture.ts";
import { LAMP } from "./scripted-node.fixture.ts";

const PROPERTY = "LightLevel.level";

/** A hub, and a node that answers READs of the level with what it was when the READ came, as soon as `answer` is called. */
async function samplingEarly(info: Partial<HelloInfo> = {}) {
  const both = await HubAndNode.live(info);
  const sampled: Message[] = [];
  /** How many READs are to be answered late from now on. */
  let late = 0;
  both.node.script = (message) => {
    if (message.type !== "READ" || message.property !== LEVEL.property || late === 0) return undefined;
    late -= 1;
    sampled.push({ type: "VALUE", seq: message.seq, value: both.node.values.get(PROPERTY) ?? null });
    return [];
  };
  const answer = async () => {
    for (const value of sampled.splice(0)) both.node.say(value);
    await settle();
  };
  const answerLate = (count: number) => {
    late = count;
  };
  const turn = async (value: Value) => {
    both.node.values.set(PROPERTY, value);
    both.node.report(PROPERTY, value);
    await settle();
  };
  const write = (value: Value) => both.driver.write(LAMP, LEVEL, value, both.attempt());
  const reads = () => both.node.got("READ").filter(({ property }) => property === LEVEL.property).length;
  return { both, answerLate, answer, turn, write, reads };
}

const learnt = ({ host }: HubAndNode) => host.story.filter((line) => line.startsWith(`learned ${PROPERTY}`));
const unread = ({ host }: HubAndNode) => host.story.filter((line) => line === `unread ${PROPERTY}`);

/** Lets the first copy of the next WRITE be lost: `carried out` or not. */
function loseFirst({ node }: HubAndNode, isCarriedOut: boolean): void {
  const inner = node.script;
  let seen: number | undefined;
  node.script = (message, self) => {
    if (message.type !== "WRITE" || (seen !== undefined && seen !== message.seq)) return inner(message, self);
    if (seen === message.seq) return { type: "WRITTEN", seq: message.seq, value: message.value };
    seen = message.seq;
    if (isCarriedOut) node.values.set(PROPERTY, message.value);
    return [];
  };
}

test("a VALUE of the reading after a repeated WRITE does not replace what later WRITEs have made of the property", async () => {
  const { both, answerLate, answer, write, reads } = await samplingEarly({ win: 2 });
  await using _ = both;
  loseFirst(both, true);
  answerLate(1);
  expect(await both.clock.until(write(10))).toEqual({ kind: "value", value: 10 });
  expect(await both.clock.until(write(20))).toEqual({ kind: "value", value: 20 });
  expect(await both.clock.until(write(30))).toEqual({ kind: "value", value: 30 });
  const before = reads();
  await answer();
  expect(reads()).toBe(before + 1);
  expect(learnt(both).slice(1)).toEqual([`learned ${PROPERTY} 30`]);
});

test("a VALUE of the reading after a silent WRITE does not replace what a later WRITE has made of the property", async () => {
  const { both, answerLate, answer, write } = await samplingEarly({ win: 2 });
  await using _ = both;
  const inner = both.node.script;
  both.node.script = (message, node) => (message.type === "WRITE" ? [] : inner(message, node));
  answerLate(1);
  expect(await both.clock.until(write(10))).toMatchObject({ kind: "failed", outcome: "unknown" });
  await settle();
  both.node.script = inner;
  expect(await both.clock.until(write(20))).toEqual({ kind: "value", value: 20 });
  await answer();
  expect(learnt(both).at(-1)).toBe(`learned ${PROPERTY} 20`);
});

test("a VALUE of a refresh that was sampled before the device was turned by hand is not given: the property is read again", async () => {
  const { both, answerLate, answer, turn, reads } = await samplingEarly();
  await using _ = both;
  const before = reads();
  answerLate(1);
  const refresh = both.driver.read(LAMP, LEVEL, both.attempt());
  await settle();
  await turn(70);
  await answer();
  expect(await both.clock.until(refresh)).toEqual({ kind: "value", value: 70 });
  expect(reads()).toBe(before + 2);
});

test("a WRITTEN that is 250 ms late while the device is turned by hand completes its request, and the property is read", async () => {
  const { both, turn, write } = await samplingEarly();
  await using _ = both;
  both.node.script = (message, node) => {
    if (message.type !== "WRITE") return undefined;
    node.values.set(PROPERTY, message.value);
    both.clock.timer("WRITTEN", 250, () => node.say({ type: "WRITTEN", seq: message.seq, value: message.value }));
    return [];
  };
  const written = write(10);
  await both.clock.advance(100);
  await turn(70);
  expect(await both.clock.until(written)).toEqual({ kind: "value", value: 10 });
  await settle();
  expect(both.host.story.slice(-2)).toEqual([`reported ${PROPERTY} 70`, `learned ${PROPERTY} 70`]);
});

test("a property whose every VALUE is overtaken is read again three times, and then counts as not read", async () => {
  const { both, answerLate, answer, turn, reads } = await samplingEarly();
  await using _ = both;
  answerLate(100);
  const before = reads();
  const refresh = both.driver.read(LAMP, LEVEL, both.attempt());
  for (let value = 1; value < 10; value++) {
    await settle();
    await turn(value);
    await answer();
  }
  expect(await both.clock.until(refresh)).toMatchObject({ kind: "failed", outcome: "unknown" });
  expect(reads()).toBe(before + 4);
  expect(unread(both)).toHaveLength(1);
});

test("a property that the hub reads by itself, and whose every VALUE is overtaken, counts as not read after four readings", async () => {
  const both = new HubAndNode();
  await using _ = both;
  const reads = new Set<number>();
  both.node.script = (message, node) => {
    if (message.type !== "READ" || message.property !== LEVEL.property) return undefined;
    reads.add(message.seq);
    node.report(PROPERTY, reads.size);
    return { type: "VALUE", seq: message.seq, value: 40 };
  };
  await both.clock.advance(1000);
  expect(reads.size).toBe(4);
  expect(learnt(both)).toEqual([]);
  expect(unread(both)).toHaveLength(1);
});

test("an answer that came before the other statement is stored as it is", async () => {
  const { both, turn, reads } = await samplingEarly();
  await using _ = both;
  await turn(60);
  const before = reads();
  expect(await both.clock.until(both.driver.read(LAMP, LEVEL, both.attempt()))).toEqual({ kind: "value", value: 60 });
  expect(reads()).toBe(before + 1);
});

test("a report of another property overtakes nothing", async () => {
  const { both, answerLate, answer, reads } = await samplingEarly();
  await using _ = both;
  const before = reads();
  answerLate(1);
  const refresh = both.driver.read(LAMP, LEVEL, both.attempt());
  await settle();
  both.node.report("Switch.on", true);
  await settle();
  await answer();
  expect(await both.clock.until(refresh)).toEqual({ kind: "value", value: 40 });
  expect(reads()).toBe(before + 1);
});

test("a READ that was answered with ERROR 9 is overtaken only by what is stated after its new seq has left", async () => {
  const { both, turn, reads } = await samplingEarly();
  await using _ = both;
  let busy = 1;
  both.node.script = ({ type, seq }) =>
    type === "READ" && busy-- > 0 ? { type: "ERROR", seq, code: 9, text: "" } : undefined;
  const before = reads();
  const refresh = both.driver.read(LAMP, LEVEL, both.attempt());
  await settle();
  await turn(70);
  expect(await both.clock.until(refresh)).toEqual({ kind: "value", value: 70 });
  expect(reads()).toBe(before + 2);
});

test("a VALUE that was sampled before a WRITE of unknown outcome does not say what the WRITE has done", async () => {
  const { both, answerLate, answer, write } = await samplingEarly({ win: 2 });
  await using _ = both;
  const inner = both.node.script;
  both.node.script = (message, node) => {
    if (message.type !== "WRITE") return inner(message, node);
    node.values.set(PROPERTY, message.value);
    return [];
  };
  const silent = write(10);
  await both.clock.advance(1400);
  both.node.values.set(PROPERTY, 40);
  answerLate(1);
  const refresh = both.driver.read(LAMP, LEVEL, both.attempt());
  await settle();
  both.node.values.set(PROPERTY, 10);
  expect(await both.clock.until(silent)).toMatchObject({ outcome: "unknown" });
  await answer();
  expect(await both.clock.until(refresh)).toEqual({ kind: "value", value: 10 });
});
