import { expect, test } from "vitest";
import { Statements } from "./statements.ts";

const statements = () => {
  const of = new Statements();
  const asked = (key: string) => {
    const watch = of.watch(key);
    watch.left();
    return watch;
  };
  return { of, asked };
};

test("an answer is overtaken by what the node states of the same property after the request has left", () => {
  const { of, asked } = statements();
  of.add("level");
  const [level, on, other] = [asked("level"), asked("on"), asked("level")];
  of.add("level");
  for (const watch of [level, on]) watch.answered();
  expect([level.isOvertaken, on.isOvertaken, other.isOvertaken]).toEqual([true, false, false]);
});

test("an answer overtakes the other requests of its property that had left before it", () => {
  const { asked } = statements();
  const [first, second] = [asked("level"), asked("level")];
  second.answered();
  const third = asked("level");
  third.answered();
  first.answered();
  expect([first.isOvertaken, second.isOvertaken, third.isOvertaken]).toEqual([true, false, false]);
});

test("what was stated before a new seq left does not overtake its answer", () => {
  const { of, asked } = statements();
  const watch = asked("level");
  of.add("level");
  watch.left();
  watch.answered();
  expect(watch.isOvertaken).toBe(false);
});

test("what is forgotten overtakes nothing, and what comes later does", () => {
  const { of, asked } = statements();
  const [before, after] = [asked("level"), asked("on")];
  of.add("level");
  of.clear();
  of.add("on");
  for (const watch of [before, after]) watch.answered();
  expect([before.isOvertaken, after.isOvertaken]).toEqual([false, true]);
});
