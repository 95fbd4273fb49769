import { expect, it } from "vitest";
import { KeyedSemaphore, Semaphore } from "./jobs.ts";

/** A job that ends when the test ends it. */
function held(started: string[], name: string) {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  return {
    job: () => {
      started.push(name);
      return promise;
    },
    end: () => resolve(name),
    fail: () => reject(new Error(name)),
  };
}
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

it("no more jobs run at once than there are slots, and those that wait begin in order of arrival", async () => {
  const started: string[] = [];
  const jobs = ["a", "b", "c", "d"].map((name) => held(started, name));
  const semaphore = new Semaphore(2);
  const results = jobs.map(({ job }) => semaphore.run(job));
  expect(started).toEqual(["a", "b"]);
  jobs[1]?.end();
  await settled();
  expect(started).toEqual(["a", "b", "c"]);
  for (const { end } of jobs) end();
  expect(await Promise.all(results)).toEqual(["a", "b", "c", "d"]);
});

it("a job that fails gives its slot back", async () => {
  const semaphore = new Semaphore(1);
  const started: string[] = [];
  const [bad, good] = [held(started, "bad"), held(started, "good")];
  const results = [semaphore.run(bad.job), semaphore.run(good.job)];
  bad.fail();
  good.end();
  expect((await Promise.allSettled(results)).map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
});

it("each key has slots of its own, and is forgotten after its last job", async () => {
  const started: string[] = [];
  const jobs = ["a1", "a2", "b1"].map((name) => ({ key: name.charAt(0), ...held(started, name) }));
  const semaphore = new KeyedSemaphore(1);
  const results = jobs.map(({ key, job }) => semaphore.run(key, job));
  expect(started).toEqual(["a1", "b1"]);
  for (const { end } of jobs) end();
  await Promise.all(results);
  expect(semaphore.size).toBe(0);
});
