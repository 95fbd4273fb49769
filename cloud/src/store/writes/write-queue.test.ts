import { describe, expect, it } from "vitest";
import { ALONE, Job, type JobKind, type Work } from "./job.ts";
import { WriteQueue } from "./write-queue.ts";

const names = new Map<Job, string>();
const job = (eco: string, name: string, records?: number, kind: JobKind<Work<unknown>, unknown> = ALONE): Job => {
  const caller = { resolve: () => undefined, reject: () => undefined };
  const made = new Job(eco, kind, async () => undefined, records, caller);
  names.set(made, name);
  return made;
};
const taken = (queue: WriteQueue) => queue.next().map((each) => names.get(each));

/** `a1` is the first report of ecosystem a. */
function queueOf(...reports: readonly [string, number][]): WriteQueue {
  const queue = new WriteQueue();
  for (const [name, records] of reports) queue.push(job(name.slice(0, 1), name, records));
  return queue;
}

describe("the next transaction", () => {
  it("has the jobs of callers first, in the order in which they came, and reports behind them", () => {
    const queue = queueOf(["a1", 1]);
    queue.push(job("a", "put"));
    queue.push(job("b", "b1", 1));
    queue.push(job("b", "post"));
    expect(taken(queue)).toEqual(["put", "post", "a1", "b1"]);
    expect(taken(queue)).toEqual([]);
  });

  it("has 200 records at most, in the order of each ecosystem, and ecosystems in turn", () => {
    const queue = queueOf(["a1", 100], ["a2", 100], ["a3", 100], ["a4", 100], ["b1", 1], ["c1", 100]);
    expect(taken(queue)).toEqual(["a1", "b1"]);
    expect(taken(queue)).toEqual(["c1", "a2"]);
    expect(taken(queue)).toEqual(["a3", "a4"]);
    expect(taken(queue)).toEqual([]);
  });

  it("counts one for a report that stores nothing", () => {
    const queue = queueOf(["a1", 0], ["a2", 0], ["b1", 0]);
    const { reports, records } = queue.nextBeside(2);
    expect({ reports: reports.map((waiting) => names.get(waiting)), records }).toEqual({
      reports: ["a1", "b1"],
      records: 2,
    });
    expect(taken(queue)).toEqual(["a2"]);
  });

  it("has 50 records at most where callers wait for it", () => {
    const queue = queueOf(["a1", 30], ["a2", 30], ["b1", 20]);
    queue.push(job("a", "put"));
    expect(taken(queue)).toEqual(["put", "a1", "b1"]);
    expect(taken(queue)).toEqual(["a2"]);
  });

  it("has a larger report every second time, however many callers wait", () => {
    const queue = queueOf(["a1", 1_000], ["b1", 200], ["b2", 200]);
    const puts = Array.from({ length: 500 }, () => "put");
    for (let n = 0; n < 2_000; n++) queue.push(job("a", "put"));
    expect(taken(queue)).toEqual(puts);
    expect(taken(queue)).toEqual([...puts, "a1"]);
    expect(taken(queue)).toEqual(puts);
    expect(taken(queue)).toEqual([...puts, "b1"]);
    expect(taken(queue)).toEqual(["b2"]);
  });

  it("leaves the rest waiting, and gives all of it at the end", () => {
    const queue = queueOf(["a1", 150], ["a2", 150], ["b1", 150]);
    queue.push(job("a", "put"));
    expect(queue.length).toBe(4);
    expect(taken(queue)).toEqual(["put"]);
    expect(taken(queue)).toEqual(["a1"]);
    expect(queue.length).toBe(2);
    expect(queue.drain().map((waiting) => names.get(waiting))).toEqual(["b1", "a2"]);
    expect(queue.length).toBe(0);
  });

  it("beside those of other queues takes jobs before reports, of both as many as there is room for", () => {
    const queue = queueOf(["a1", 5], ["a2", 10], ["a3", 150]);
    const kind = { ...ALONE };
    queue.push(job("a", "open", undefined, kind));
    expect(queue.hasRequests).toBe(false);
    const took = (most: number) => {
      const { jobs, reports, records } = queue.nextBeside(most);
      return [...jobs, ...reports].map((waiting) => names.get(waiting)).concat(`${records}`);
    };
    expect([took(7), took(1), took(20), took(100)]).toEqual([["open", "a1", "6"], ["0"], ["a2", "10"], ["0"]]);
    // The first of a transaction has a larger one every second time.
    queue.push(job("a", "a4", 300));
    const again = [job("a", "open", undefined, kind), job("a", "open", undefined, kind)];
    expect(took(200)).toEqual(["a3", "150"]);
    for (const waiting of again) {
      queue.push(waiting);
      expect(took(200)).toEqual(waiting === again[0] ? ["open", "1"] : ["open", "a4", "301"]);
    }
    queue.push(job("a", "put"));
    expect(queue.hasRequests).toBe(true);
    expect(taken(queue)).toEqual(["put"]);
  });
});
