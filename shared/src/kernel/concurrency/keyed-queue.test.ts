/** Writes to one property happen one after another; writes to others do not wait. */
import { expect, test } from "vitest";
import { sleep } from "../time/clock.ts";
import { VirtualClock } from "../time/virtual-clock.ts";
import { KeyedQueue } from "./jobs.ts";

function scene() {
  const clock = new VirtualClock();
  const queue = new KeyedQueue();
  const story: string[] = [];
  const job = (key: string, name: string, ms: number, failure?: Error) =>
    queue.run(key, async () => {
      story.push(`${name} begins`);
      await sleep(clock, name, ms);
      story.push(`${name} ends`);
      if (failure) throw failure;
      return name;
    });
  return { clock, queue, story, job };
}

test("jobs of one key run one after another, in the order in which they came", async () => {
  const { clock, story, job } = scene();
  const all = Promise.all([job("hue", "slow", 50), job("hue", "quick", 1)]);
  await expect(clock.until(all)).resolves.toEqual(["slow", "quick"]);
  expect(story).toEqual(["slow begins", "slow ends", "quick begins", "quick ends"]);
});

test("a stuck job holds up no job of another key", async () => {
  const { clock, story, job } = scene();
  const stuck = job("hue", "stuck", 1_000_000);
  await clock.until(job("level", "quick", 1));
  expect(story).toEqual(["stuck begins", "quick begins", "quick ends"]);
  await clock.until(stuck, 2_000_000);
});

test("a job that fails fails its own caller only", async () => {
  const { clock, job } = scene();
  const failed = expect(job("hue", "first", 1, new Error("burnt out"))).rejects.toThrow("burnt out");
  await expect(clock.until(job("hue", "second", 1))).resolves.toBe("second");
  await failed;
});

test("a key is forgotten when its last job has ended", async () => {
  const { clock, queue, job } = scene();
  const all = Promise.allSettled([job("a", "1", 1), job("a", "2", 1, new Error()), job("b", "3", 1)]);
  expect(queue.size).toBe(2);
  await clock.until(all);
  expect(queue.size).toBe(0);
});

test("a job that is alone begins at once", () => {
  const { story, job } = scene();
  void job("hue", "only", 1);
  expect(story).toEqual(["only begins"]);
});
