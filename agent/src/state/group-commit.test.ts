import { settle, VirtualClock } from "@porchlight/shared/kernel";
import { describe, expect, test } from "vitest";
import { GroupCommit, StoreClosed } from "./group-commit.ts";

/** A transaction log in memory: what was committed, in which groups; `poison` makes a commit fail. */
function bench() {
  const clock = new VirtualClock();
  const commits: string[][] = [];
  let open: string[] = [];
  const poison = new Set<string>();
  const groups = new GroupCommit((work) => {
    open = [];
    work();
    const bad = open.find((name) => poison.has(name));
    if (bad) throw new Error(`the disk refuses ${bad}`);
    commits.push(open);
  }, clock);
  const job = (name: string) => () => {
    open.push(name);
    return name;
  };
  return { clock, commits, poison, groups, job };
}

describe("group commit", () => {
  test("jobs within 50 ms are one commit, and no job is answered before it", async () => {
    const { clock, commits, groups, job } = bench();
    const answered: string[] = [];
    for (const name of ["a", "b", "c"]) void groups.run(50, job(name)).then((result) => answered.push(result));
    await clock.advance(49);
    expect([commits, answered]).toEqual([[], []]);
    await clock.advance(1);
    expect(commits).toEqual([["a", "b", "c"]]);
    expect(answered).toEqual(["a", "b", "c"]);
  });

  test("jobs that cannot wait share the commit of their turn, and take with them what waits", async () => {
    const { clock, commits, groups, job } = bench();
    void groups.run(50, job("report"));
    void groups.run(0, job("begin 1"));
    void groups.run(0, job("begin 2"));
    expect(commits).toEqual([]);
    await settle();
    expect(commits).toEqual([["report", "begin 1", "begin 2"]]);
    await clock.advance(100);
    expect(commits).toHaveLength(1);
  });

  test("a job that may wait long does not make one that may wait less wait longer", async () => {
    const { clock, commits, groups, job } = bench();
    void groups.run(1000, job("acknowledge"));
    void groups.run(50, job("report"));
    await clock.advance(50);
    expect(commits).toEqual([["acknowledge", "report"]]);
  });

  test("a job that fails is rejected, and its neighbours are committed all the same", async () => {
    const { clock, commits, poison, groups, job } = bench();
    poison.add("bad");
    const results = Promise.allSettled(["good", "bad", "fine"].map((name) => groups.run(50, job(name))));
    const settled = await clock.until(results);
    expect(commits).toEqual([["good"], ["fine"]]);
    expect(settled.map((result) => result.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  });

  test("a commit that fails once is tried again, each job alone", async () => {
    const { clock, commits, poison, groups, job } = bench();
    poison.add("a");
    let runs = 0;
    const committed = groups.run(50, () => {
      if (++runs === 2) poison.clear();
      return job("a")();
    });
    expect(await clock.until(committed)).toBe("a");
    expect(commits).toEqual([["a"]]);
  });

  test("a flood is committed in groups of at most 500, in order", async () => {
    const { clock, commits, groups, job } = bench();
    const all = Array.from({ length: 1200 }, (_, place) => groups.run(50, job(String(place))));
    await clock.until(Promise.all(all));
    expect(commits.map((group) => group.length)).toEqual([500, 500, 200]);
    expect(commits.flat()).toEqual(Array.from({ length: 1200 }, (_, place) => String(place)));
  });

  test("closing commits what waits; killing commits nothing; both take nothing more", async () => {
    const orderly = bench();
    const kept = orderly.groups.run(50, orderly.job("a"));
    orderly.groups.close();
    expect(await kept).toBe("a");
    await expect(orderly.groups.run(0, orderly.job("late"))).rejects.toThrow(StoreClosed);

    const killed = bench();
    const lost = killed.groups.run(50, killed.job("a"));
    killed.groups.abandon();
    await expect(lost).rejects.toThrow(StoreClosed);
    await killed.clock.advance(100);
    expect(killed.commits).toEqual([]);
  });
});
