/** Scenario files: what may stand in them, which mistakes are named, and how they are played. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { VirtualClock } from "@porchlight/shared/kernel";
import { decodeBody, encodeFrame, encodeMessage, FrameReader, type Message } from "@porchlight/shared/wire";
import { expect, test } from "vitest";
import { readDefinitions } from "./devices/read-definitions.ts";
import { memoryLinks } from "./links/memory-link.ts";
import { PacedClock } from "./paced-clock.ts";
import { fastStage, holds, liveStage, type Played, playScenario } from "./play-scenario.ts";
import { readScenario } from "./read-step.ts";
import { Simulator } from "./simulator.ts";

const HOME = fileURLToPath(new URL("../../examples/home.yaml", import.meta.url));

function definitions() {
  const read = readDefinitions(readFileSync(HOME, "utf8"));
  if (read.kind === "problems") throw new Error(read.problems.join("\n"));
  return read.nodes;
}

const steps = (...lines: string[]) => `steps:\n${lines.map((line) => `  - ${line}\n`).join("")}`;

function problemsOf(text: string): readonly string[] {
  const read = readScenario(text, definitions());
  return read.kind === "problems" ? read.problems : [];
}

async function played(text: string, options: { hub?: boolean } = {}) {
  const read = readScenario(text, definitions());
  if (read.kind === "problems") throw new Error(read.problems.join("\n"));
  const clock = new VirtualClock();
  await using simulator = await Simulator.start({
    ...{ clock, seed: 3, definitions: definitions() },
    openPort: (_definition, attach) => {
      const [near, far] = memoryLinks();
      attach(near);
      if (options.hub) greet(far);
      return { path: "memory", close: () => near.close() };
    },
  });
  const reported: Played[] = [];
  const outcome = await playScenario(read.steps, simulator, fastStage(clock), (step) => reported.push(step));
  return {
    outcome,
    reported: reported.map(({ step, outcome: { kind } }) => [step.text, kind]),
    at: reported.at(-1)?.at,
  };
}

/** A hub that acknowledges everything. */
function greet(link: ReturnType<typeof memoryLinks>[1]): void {
  const reader = new FrameReader(4095);
  const say = (message: Message) => void link.write(encodeFrame(encodeMessage(message)));
  link.listen(
    (bytes) => {
      for (const event of reader.push(bytes)) {
        const body = event.kind === "frame" ? decodeBody(event.body) : undefined;
        if (body?.kind !== "message") continue;
        const { type, seq } = body.message;
        if (type === "HELLO") say({ type: "HELLO_ACK", seq, info: { v: 1, hub: "02-50-4C-00-00-01" } });
        if (type === "REPORT") say({ type: "ACK", seq });
      }
    },
    () => undefined,
  );
}

test("a scenario is played in order, on the clock of the devices", async () => {
  const text = steps(
    "assert: light Switch.on true",
    "set: light LightLevel.level 12",
    "expect: Porch light LightLevel.level 12 within 1s",
    "wait: 2min",
    "assert: light LightLevel.level < 13",
    "press: Bedside button Button.event press",
  );
  const { outcome, reported, at } = await played(text);
  expect(outcome).toEqual({ kind: "ok" });
  expect(reported.at(-1)).toEqual(["press Bedside button Button.event press", "ok"]);
  expect(at).toBe(120_000);
});

test("an assertion that is not so ends it: what follows is not played", async () => {
  const { outcome, reported } = await played(steps("assert: light Switch.on false", "wait: 1s"));
  expect(outcome).toEqual({ kind: "failed", why: "Switch:0.on is true" });
  expect(reported).toEqual([["assert light Switch.on false", "failed"]]);
});

test("what does not come about in its time is timed out, at that time", async () => {
  const { outcome, at } = await played(steps("expect: light Switch.on false within 5s"));
  expect([outcome, at]).toEqual([{ kind: "timed_out", why: "Switch:0.on is true" }, 5000]);
});

test("a node is seen to meet its hub, to lose it, and to tell it all in the end", async () => {
  const text = steps(
    "expect: light state live within 3s",
    "unplug: light",
    "assert: light state unplugged",
    "set: light Switch.on false",
    "assert: light untold 1",
    "plug: light",
    "expect: light untold 0 within 3s",
    "reboot: light",
    "expect: light state live within 3s",
  );
  expect((await played(text, { hub: true })).outcome).toEqual({ kind: "ok" });
});

test("a fault is set and taken away", async () => {
  const text = steps("fault: light slow 300", "fault: bridge drop 0.5", "fault: light none");
  expect((await played(text)).outcome).toEqual({ kind: "ok" });
});

test("a step that the simulator refuses fails with its reason", async () => {
  const { outcome } = await played(steps("leave: Hall switch", "come: Hall switch", "announce: light"));
  expect(outcome.kind).toBe("ok");
  expect((await played(steps("noise: light"))).outcome).toMatchObject({ kind: "failed" });
});

test.each([
  ["exepct: light Switch.on true within 5s", 'line 2: step "exepct" is not known: did you mean "expect"?'],
  ["set: ligth Switch.on true", 'line 2: set: device "ligth" is not known: did you mean "light"?'],
  ["set: light Switch.no true", 'line 2: set: property "Switch.no" is not known: did you mean "Switch.on"?'],
  ["set: light Switch.on 12", "line 2: set: on is of type boolean."],
  ["set: light Switch.on", "line 2: set: a value is missing"],
  ["press: light Switch.on true", "line 2: press: Switch.on has a value: set it"],
  ["set: Bedside button Button.event press", "line 2: set: Button.event can only notify: press it"],
  ["expect: light Switch.on true", "line 2: expect: say how long, such as within 5s; assert is for now"],
  ["expect: light Switch.on maybe within 5s", 'line 2: expect: Switch.on is of type boolean: it is never "maybe"'],
  ["assert: light Switch.on true within 5s", "line 2: assert: it looks at once; expect … within waits"],
  ["wait: 5", 'line 2: wait: "5" is no time: say 300ms, 5s, 2min or 1h'],
  ["wait: soon", 'line 2: wait: "soon" is no time: say 300ms, 5s, 2min or 1h'],
  ["unplug: brigde", 'line 2: unplug: node "brigde" is not known: did you mean "bridge"?'],
  ["fault: light slwo 3", 'line 2: fault: fault "slwo" is not known: did you mean "slow"?'],
  ["just words", "line 2: a step is one verb and its words, such as wait: 2s"],
  ["set: [light, Switch.on]", "line 2: set: its words must stand on the same line"],
])("the mistake in %j is named with its line", (line, problem) => expect(problemsOf(steps(line))).toEqual([problem]));

test("every mistake is named at once", () => {
  expect(problemsOf("nmae: x\nsteps:\n  - wait: 1s\n\n  - wiat: 1s\n  - set: light\n")).toEqual([
    expect.stringContaining('line 1: key "nmae" is not known: did you mean "name"?'),
    expect.stringContaining('line 5: step "wiat" is not known: did you mean "wait"?'),
    expect.stringContaining("line 6: set: property"),
  ]);
  expect(problemsOf("name: nothing\n")).toEqual(["line 1: steps is missing"]);
  expect(problemsOf("steps: [\n")).toEqual([expect.stringMatching(/line/)]);
});

test.each([
  [1, "<", 2, true],
  [2, "<=", 2, true],
  [3, ">", 3, false],
  [3, ">=", 3, true],
  ["a", "<", 2, false],
  [null, "=", null, true],
  [{ a: [1] }, "=", { a: [1] }, true],
  [true, "!=", false, true],
] as const)("%j %s %j is %s", (is, comparison, value, so) => expect(holds(is, comparison, value)).toBe(so));

test("with a hub on the line the scenario's times are those of the devices' clock", async () => {
  const real = new VirtualClock();
  const life = new PacedClock(real, 10);
  const stage = liveStage(life, real);
  await real.until(stage.pass(5000));
  expect([real.monotonic(), stage.elapsed]).toEqual([500, 5000]);
  let isSo = false;
  real.timer("it comes about", 100, () => {
    isSo = true;
  });
  expect(await real.until(stage.comesTrue(() => isSo, 2000))).toBe(true);
  expect(await real.until(stage.comesTrue(() => false, 2000))).toBe(false);
  expect(real.monotonic()).toBe(800);
});
