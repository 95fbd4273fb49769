/** A topic that says more than a hub must look at. */
import { VirtualClock } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import { TopicPace } from "./topic-pace.ts";

interface Stated {
  readonly topic: string;
  readonly at: number;
}

function paced() {
  const clock = new VirtualClock();
  const taken: Stated[] = [];
  const counts = { replaced: 0 };
  const replaced = () => {
    counts.replaced += 1;
  };
  const pace = new TopicPace<Stated>({
    intervalMs: 50,
    burst: 100,
    clock,
    take: (stated) => taken.push(stated),
    replaced,
  });
  const flood = (topic: string, many: number) => {
    for (let at = 1; at <= many; at += 1) pace.take({ topic, at });
  };
  return { clock, pace, taken, counts, flood };
}

test("a hundred messages at once are all looked at, in their order", () => {
  const { taken, counts, flood } = paced();
  flood("a", 100);
  expect(taken.map(({ at }) => at)).toEqual(Array.from({ length: 100 }, (_, at) => at + 1));
  expect(counts.replaced).toBe(0);
});

test("of more than that the newest is looked at, and the others are counted", async () => {
  const { clock, taken, counts, flood } = paced();
  flood("a", 1000);
  expect(taken).toHaveLength(100);
  await clock.advance(50);
  expect(taken.at(-1)).toEqual({ topic: "a", at: 1000 });
  expect([taken.length, counts.replaced]).toEqual([101, 899]);
});

test("in the long run twenty of a topic are looked at in a second", async () => {
  const { clock, taken, flood } = paced();
  flood("a", 100);
  for (let ms = 0; ms < 10_000; ms += 1) {
    flood("a", 1);
    await clock.advance(1);
  }
  expect(taken.length).toBe(100 + 200);
});

test("another topic does not wait", () => {
  const { taken, flood } = paced();
  flood("a", 1000);
  flood("b", 1);
  expect(taken.at(-1)).toEqual({ topic: "b", at: 1 });
});

test("a topic that was silent for a while may say a hundred at once again", async () => {
  const { clock, taken, counts, flood } = paced();
  flood("a", 100);
  await clock.advance(5000);
  flood("a", 100);
  expect([taken.length, counts.replaced]).toEqual([200, 0]);
});

test("topics without end share one pace in the end", () => {
  const { pace, taken, counts } = paced();
  for (let at = 0; at < 40_000; at += 1) pace.take({ topic: `t${at}`, at });
  expect([taken.length, counts.replaced]).toEqual([30_100, 9899]);
  pace.take({ topic: "t0", at: 1 });
  expect(taken.at(-1)).toEqual({ topic: "t0", at: 1 });
});

test("what waits is not looked at once its topic is forgotten, or the connection is gone", async () => {
  const { clock, pace, taken, flood } = paced();
  for (const topic of ["a", "b"]) flood(topic, 101);
  pace.forget(["a"]);
  pace.clear();
  await clock.advance(1000);
  expect([taken.length, clock.pending()]).toEqual([200, []]);
});
