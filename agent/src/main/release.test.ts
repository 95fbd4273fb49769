/** What a person sees of devices that are let go at `unpair`. */
import { VirtualClock } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import type { ReleaseSummary } from "../ops/index.ts";
import { releaseDevices, sayReset } from "./pair.ts";

const STATE: ReleaseSummary = { isOver: false, text: "Releasing", bound: 2, released: 0, mustBeReset: [] };

async function released(states: readonly Partial<ReleaseSummary>[], isForced = false) {
  const [clock, shown, asked] = [new VirtualClock(), [] as string[], [] as unknown[]];
  const around = { clock, out: (text: string) => void shown.push(text) };
  const ask = async (question: unknown) => {
    asked.push(question);
    return { ...STATE, ...states[Math.min(asked.length, states.length) - 1] };
  };
  const end = await clock.until(releaseDevices(ask, isForced, around));
  return { end, shown, asked };
}

test("each step is shown once, until all are released", async () => {
  const steps = [{}, {}, { released: 1 }, { released: 2, isOver: true }];
  const { end, shown, asked } = await released(steps);
  expect(shown).toEqual([
    "Releasing (0 of 2 released)\n",
    "Releasing (1 of 2 released)\n",
    "Releasing (2 of 2 released)\n",
  ]);
  expect([end.released, asked.length]).toEqual([2, 4]);
});

test("nothing is printed on a hub to which no device is bound", async () => {
  expect((await released([{ bound: 0, isOver: true }])).shown).toEqual([]);
});

test("force is sent to the agent, and devices that must be reset are listed", async () => {
  const mustBeReset = [{ edgeId: "02-00-00-00-00-41", name: "Front door" }, { edgeId: "02-00-00-00-00-42" }];
  const { end, asked } = await released([{ isOver: true, mustBeReset }], true);
  expect(asked).toEqual([{ ask: "release", about: { force: true } }]);
  const printed: string[] = [];
  sayReset(end, { err: (text) => printed.push(text) });
  expect(printed.join("")).toBe(
    "these devices are still bound to this hub; reset each before another hub can use it:\n" +
      "  02-00-00-00-00-41  Front door\n  02-00-00-00-00-42\n",
  );
});
