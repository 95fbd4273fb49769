/** Which rules run when: one after the other, beside one that waits, and several by one course of events. */
import { VirtualClock } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import { Broken, type Rule } from "./rule.ts";
import { Course } from "./rules/refusal.ts";
import { type Provable, runRules } from "./run.ts";

class FakeBench implements Provable {
  readonly clock = new VirtualClock();
  readonly story: string[] = [];
  meanwhile = async (): Promise<void> => undefined;

  takeViolations() {
    return [];
  }

  async tidy(): Promise<void> {}
}

type FakeRule = Rule<FakeBench>;

const texts = new Map(["F1", "F10", "S1", "S6"].map((id) => [id, `What ${id} says.`]));
const run = (rules: readonly FakeRule[], bench: FakeBench, quick = false) =>
  runRules(rules, bench, { texts, quick, unproved: {} });

function reported(id: string, more: Partial<FakeRule> = {}): FakeRule {
  return {
    id,
    looksAt: id,
    async run({ story }) {
      story.push(id);
      return undefined;
    },
    ...more,
  };
}

const NOISE = reported("F10", { runsBeside: true });
const WAITS = reported("S6", {
  takes: "a minute",
  async run(bench) {
    bench.story.push("S6 waits");
    await bench.meanwhile();
    bench.story.push("S6 goes on");
    return undefined;
  },
});

test("what disturbs no one runs while another rule waits, once", async () => {
  const bench = new FakeBench();
  const { results } = await run([reported("F1"), WAITS, NOISE], bench);
  expect(bench.story).toEqual(["F1", "S6 waits", "F10", "S6 goes on"]);
  expect(results.map(({ id, verdict }) => `${id} ${verdict.kind}`)).toEqual(["F1 pass", "F10 pass", "S6 pass"]);
});

test("it runs by itself when no person waits, as in a quick run", async () => {
  const bench = new FakeBench();
  const { results } = await run([WAITS, NOISE], bench, true);
  expect(bench.story).toEqual(["F10"]);
  expect(results.map(({ id, verdict }) => `${id} ${verdict.kind}`)).toEqual(["F10 pass", "S6 not_run"]);
});

test("a course is gone through once for all its rules, and each has its own verdict", async () => {
  const bench = new FakeBench();
  const course = new Course<FakeBench>(async ({ story }, findings) => {
    story.push("the course");
    findings.broken("S6", "It came back.", []);
    findings.broken("S6", "It came back again.", []);
    await findings.judge("S1", async () => undefined);
  });
  const by = (id: string) =>
    reported(id, {
      async run(each) {
        await course.verdict(each, id);
        return undefined;
      },
    });
  const { results } = await run([by("S1"), by("S6")], bench);
  expect(bench.story).toEqual(["the course"]);
  expect(results.map(({ id, verdict }) => `${id} ${verdict.kind}`)).toEqual(["S1 pass", "S6 fail"]);
  expect(results[1]?.verdict).toMatchObject({ violations: [{ what: "It came back." }] });
});

test("a course that ends early judges what it has seen, and gives the others the reason", async () => {
  const course = new Course<FakeBench>(async (_, findings) => {
    findings.broken("S1", "It was late.", []);
    throw new Broken("No PONG came.");
  });
  const by = (id: string) => reported(id, { run: (bench) => course.verdict(bench, id).then(() => undefined) });
  const { results } = await run([by("S1"), by("S6")], new FakeBench());
  expect(results.map(({ verdict }) => verdict)).toMatchObject([
    { kind: "fail", violations: [{ what: "It was late." }] },
    { kind: "not_applicable", reason: "No PONG came." },
  ]);
});
