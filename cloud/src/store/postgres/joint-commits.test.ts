/** When transactions of several ecosystems are made, and who is in them: on a virtual clock, without a database. */
import { VirtualClock } from "@porchlight/shared/kernel";
import { beforeEach, describe, expect, it } from "vitest";
import { ALONE, Job } from "../writes/job.ts";
import { WriteQueue } from "../writes/write-queue.ts";
import type { BriefEnd, JointEnd, JointWork, Taken } from "./joint-commits.ts";
import { JointCommits, reasonsOf } from "./joint-commits.ts";

const MADE: JointEnd = { kind: "made", left: new Set() };
const DONE: BriefEnd = { isDone: true, isSuspect: false };

let clock: VirtualClock;
/** What was begun, in order, with how it is ended. */
let begun: { readonly what: string; readonly end: (how: JointEnd | BriefEnd | undefined) => void }[];
let refused: string[];
let joint: JointCommits;
beforeEach(() => {
  clock = new VirtualClock();
  begun = [];
  refused = [];
  const begin = <E extends JointEnd | BriefEnd | undefined>(what: string, taken: readonly Taken[]) => {
    const { promise, resolve } = Promise.withResolvers<E>();
    const end = (how: JointEnd | BriefEnd | undefined) => resolve(how as E);
    begun.push({ what: `${what} ${taken.map(({ eco }) => eco).join(" ")}`, end });
    return promise;
  };
  const work: JointWork = {
    together: (taken) => begin<JointEnd>("together", taken),
    briefly: (taken) => begin<BriefEnd>("briefly", [taken]),
    alone: (taken) => begin<undefined>("alone", [taken]).then(() => undefined),
    refuseWaiting: (queue) => refused.push(...queue.drain().map(({ eco }) => eco)),
  };
  joint = new JointCommits(clock, work);
});

const settled: string[] = [];
beforeEach(() => void settled.splice(0));
function comes(...ecos: string[]): void {
  for (const eco of ecos) {
    const queue = new WriteQueue();
    queue.push(new Job(eco, ALONE, async () => undefined, 1, { resolve: () => undefined, reject: () => undefined }));
    void joint.turn(eco, queue).then(() => settled.push(eco));
  }
}
const turns = () => new Promise((resolve) => setImmediate(resolve));
async function ends(what: string, how?: JointEnd | BriefEnd): Promise<void> {
  const at = begun.findIndex((one) => one.what === what);
  if (at < 0) throw new Error(`${what} was not begun: ${begun.map((one) => one.what).join(", ")}`);
  const [one] = begun.splice(at, 1);
  one?.end(how);
  await turns();
}
const running = () => begun.map(({ what }) => what);

describe("transactions of several ecosystems", () => {
  it("are made one after another, each with all that came meanwhile", async () => {
    comes("a", "b", "c");
    expect(running()).toEqual(["together a"]);
    await ends("together a", MADE);
    expect(running()).toEqual(["together b c"]);
    await ends("together b c", MADE);
    expect(settled).toEqual(["a", "b", "c"]);
  });

  it("do not wait for one that takes long, and at most three are made at once", async () => {
    for (const [at, eco] of ["a", "b", "c", "d"].entries()) {
      comes(eco);
      expect(running()).toHaveLength(Math.min(at + 1, 3));
      await clock.advance(249);
      comes(`${eco}'`);
      expect(running()).toHaveLength(Math.min(at + 1, 3));
      joint.leave(`${eco}'`);
      await clock.advance(1);
    }
    expect(running()).toEqual(["together a", "together b", "together c"]);
    await ends("together b", MADE);
    expect(running()).toEqual(["together a", "together c", "together d"]);
  });

  it("leave to itself an ecosystem that another transaction holds, and go on", async () => {
    comes("a");
    comes("b", "c");
    await ends("together a", MADE);
    await ends("together b c", { kind: "made", left: new Set(["c"]) });
    expect(running()).toEqual(["alone c"]);
    comes("d");
    expect(running()).toEqual(["alone c", "together d"]);
    await ends("alone c");
    expect(settled).toEqual(["a", "b", "c"]);
    expect(joint.isApart("c")).toBe(false);
  });

  it("are made again ecosystem by ecosystem when one fails: three at once, and the others go on meanwhile", async () => {
    comes("a");
    comes("b", "c", "d", "e");
    await ends("together a", MADE);
    await ends("together b c d e", { kind: "failed" });
    comes("f");
    expect(running()).toEqual(["briefly b", "briefly c", "briefly d", "together f"]);
    await ends("briefly b", DONE);
    await ends("briefly c", { isDone: false, isSuspect: true });
    expect(settled).toEqual(["a", "b"]);
    // It takes as long as it takes, and no other waits for it.
    expect(running()).toEqual(["briefly d", "together f", "briefly e", "alone c"]);
    await ends("briefly d", DONE);
    await ends("briefly e", DONE);
    expect(["b", "c", "d", "e"].filter((eco) => joint.isApart(eco))).toEqual(["c"]);
    await ends("alone c");
    expect(settled).toEqual(["a", "b", "d", "e", "c"]);
    await clock.advance(59_999);
    expect(joint.isApart("c")).toBe(true);
    await clock.advance(1);
    expect(joint.isApart("c")).toBe(false);
  });

  it("that hear nothing of the database end for those that wait behind them, unless another was made meanwhile", async () => {
    const silent: JointEnd = { kind: "refused", silence: new Error("timeout") };
    comes("a");
    await clock.advance(250);
    comes("b", "c");
    await ends("together b", MADE);
    comes("d");
    await ends("together a", silent);
    expect({ refused, running: running() }).toEqual({ refused: [], running: ["together c"] });
    await ends("together c", silent);
    expect({ refused, running: running() }).toEqual({ refused: ["d"], running: [] });
    expect(settled).toEqual(["b", "a", "d", "c"]);
  });
});

it.each([
  ["the one that fails alone", ["a", "B", "c"], ["B"]],
  ["half of them", ["A", "B", "c", "d"], ["A", "B"]],
  ["none when most fail: that is the database", ["A", "B", "C", "d"], []],
  ["none when none fails", ["a", "b"], []],
  ["the only one", ["A"], ["A"]],
])("the reason was %s", (_what, ecos, reasons) => {
  expect(reasonsOf(ecos.map((eco) => ({ eco, isSuspect: eco === eco.toUpperCase() })))).toEqual(reasons);
});
