/** A slow reader costs no more memory than it may. */
import { expect, test } from "vitest";
import { BoundedOutbox } from "./collections.ts";

/** A slow reader costs no more memory than it may. */
test("what would go past the limit is not taken, and what is there stays", () => {
  const outbox = new BoundedOutbox<string>(10);
  expect([outbox.push("a", 6), outbox.push("b", 5), outbox.push("c", 4)]).toEqual([true, false, true]);
  expect([outbox.bytes, outbox.length]).toEqual([10, 2]);
  expect([outbox.shift(), outbox.shift(), outbox.shift()]).toEqual(["a", "c", undefined]);
  expect([outbox.bytes, outbox.length]).toEqual([0, 0]);
});

test("what is taken out makes room again", () => {
  const outbox = new BoundedOutbox<number>(1);
  for (let round = 0; round < 3; round++) {
    expect(outbox.push(round, 1)).toBe(true);
    expect(outbox.shift()).toBe(round);
  }
});

test("many items come out in the order in which they went in, however they are mixed", () => {
  const outbox = new BoundedOutbox<number>(1_000_000);
  const out: (number | undefined)[] = [];
  for (let item = 0; item < 20_000; item++) {
    outbox.push(item, 1);
    if (item % 3 > 0) out.push(outbox.shift());
  }
  while (outbox.length > 0) out.push(outbox.shift());
  expect(out).toEqual(Array.from({ length: 20_000 }, (_, item) => item));
  expect(outbox.bytes).toBe(0);
});

test("cleared, it is as new", () => {
  const outbox = new BoundedOutbox<string>(3);
  outbox.push("a", 3);
  outbox.clear();
  expect([outbox.shift(), outbox.bytes, outbox.push("b", 3)]).toEqual([undefined, 0, true]);
});
