/** What a damaged line does to frames, however their bytes arrive, and that it leaves a healthy one alone. */
import { seededRandom, settle, VirtualClock } from "@porchlight/shared/kernel";
import { encodeFrame, encodeMessage } from "@porchlight/shared/wire";
import { expect, test } from "vitest";
import type { NodeFaults } from "./fault-words.ts";
import { damagedLink, mangle, type Passing } from "./line-damage.ts";
import { memoryLinks } from "./links/memory-link.ts";

const frame = (seq: number) => encodeFrame(encodeMessage({ type: "PING", seq }));

function line(faults: NodeFaults) {
  const clock = new VirtualClock();
  const [near, hub] = memoryLinks();
  const state = { faults, dark: false };
  const seen: Passing[] = [];
  const node = damagedLink(near, {
    clock,
    random: { hub: seededRandom(1), node: seededRandom(2) },
    faults: () => state.faults,
    isDark: () => state.dark,
    watch: (passing) => seen.push(passing),
    onClosed: () => undefined,
  });
  const atNode: number[][] = [];
  const atHub: number[][] = [];
  node.listen(
    (bytes) => atNode.push([...bytes]),
    () => undefined,
  );
  hub.listen(
    (bytes) => atHub.push([...bytes]),
    () => undefined,
  );
  return { clock, node, hub, state, seen, atNode, atHub };
}

const bytes = (pieces: readonly (readonly number[])[]) => pieces.flat();

test("without faults bytes pass as they are and at once, whole frames or not", async () => {
  const { node, hub, atNode, atHub } = line({});
  await hub.write(Uint8Array.of(1, 2));
  await node.write(Uint8Array.of(3));
  await settle();
  expect([atNode, atHub]).toEqual([[[1, 2]], [[3]]]);
});

test.each([
  ["drop", { drop: 1 }, []],
  ["duplicate", { duplicate: 1 }, [...frame(7), ...frame(7)]],
] as const)("%s does what it says to every frame", async (_, faults, arriving) => {
  const { node, atHub } = line(faults);
  await node.write(frame(7));
  await settle();
  expect(bytes(atHub)).toEqual(arriving);
});

test("corrupt turns one bit round, and half leaves a beginning", () => {
  const whole = frame(1234);
  const [corrupt = whole] = mangle(whole, { corrupt: 1 }, seededRandom(5));
  const wrong = [...corrupt].map((byte, at) => byte ^ (whole[at] ?? 0)).filter((bits) => bits !== 0);
  expect([corrupt.length, wrong.length, Math.log2(wrong[0] ?? 0) % 1]).toEqual([whole.length, 1, 0]);
  const [half = whole] = mangle(whole, { half: 1 }, seededRandom(5));
  expect([half.length > 0, half.length < whole.length]).toEqual([true, true]);
  expect([...half]).toEqual([...whole.subarray(0, half.length)]);
});

test("faults fall on the same frames however the bytes of the hub arrive", async () => {
  const stream = Uint8Array.from(Array.from({ length: 50 }, (_, seq) => [...frame(seq)]).flat());
  const arrived = async (size: number) => {
    const { hub, atNode } = line({ drop: 0.2, corrupt: 0.2, half: 0.1, duplicate: 0.1 });
    for (let at = 0; at < stream.length; at += size) await hub.write(stream.subarray(at, at + size));
    await settle();
    return bytes(atNode);
  };
  const whole = await arrived(stream.length);
  expect(whole).not.toEqual([...stream]);
  expect([await arrived(1), await arrived(7)]).toEqual([whole, whole]);
});

test("delay makes frames late by at most its limit, and none overtakes another", async () => {
  const { clock, node, atHub, seen } = line({ delay: 300 });
  for (let seq = 0; seq < 20; seq++) await node.write(frame(seq));
  await settle();
  expect(atHub.length).toBeLessThan(20);
  await clock.advance(300);
  expect(atHub).toEqual(Array.from({ length: 20 }, (_, seq) => [...frame(seq)]));
  expect(new Set(seen.map(({ at }) => at)).size).toBeGreaterThan(1);
});

test("what waits is still in front of what comes after the fault is gone", async () => {
  const { clock, node, state, atHub } = line({ delay: 300 });
  await node.write(frame(1));
  state.faults = {};
  await node.write(frame(2));
  await clock.advance(300);
  expect(bytes(atHub)).toEqual([...frame(1), ...frame(2)]);
});

test("without power nothing passes, either way", async () => {
  const { node, hub, state, atNode, atHub } = line({});
  state.dark = true;
  await node.write(frame(1));
  await hub.write(frame(2));
  await settle();
  expect([atNode, atHub]).toEqual([[], []]);
});
