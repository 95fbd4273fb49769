import { VirtualClock } from "@porchlight/shared/kernel";
import { describe, expect, test } from "vitest";
import { StateQuestions } from "./state-questions.ts";

function asking() {
  const clock = new VirtualClock();
  let sent = 0;
  const questions = new StateQuestions(clock, () => {
    sent += 1;
  });
  return { clock, questions, sent: () => sent };
}

describe("a second state of an entity after a question", () => {
  test("is taken when it is the same, or comes long after the answer", async () => {
    const { clock, questions, sent } = asking();
    questions.ask("pump");
    expect([questions.reported("pump", { state: true }), questions.reported("pump", { state: true })]).toEqual([
      true,
      true,
    ]);
    await clock.advance(5001);
    expect([questions.reported("pump", { state: false }), sent()]).toEqual([true, 1]);
  });

  test("is left aside when it is another one: the device is asked again, and its answer is taken", () => {
    const { questions, sent } = asking();
    questions.ask("pump");
    expect(questions.reported("pump", { state: true })).toBe(true);
    expect([questions.reported("pump", { state: false }), sent()]).toEqual([false, 2]);
    expect([questions.reported("pump", { state: true }), sent()]).toEqual([true, 2]);
  });

  test("counts at last for a device that contradicts itself without end", () => {
    const { questions, sent } = asking();
    questions.ask("pump");
    const taken = Array.from({ length: 8 }, (_, at) => questions.reported("pump", { state: at }));
    expect(taken).toEqual([true, false, true, false, true, false, true, true]);
    expect(sent()).toBe(4);
  });
});
