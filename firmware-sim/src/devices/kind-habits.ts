/** The habits of a ready-made device: what its hardware does always, and what a home does to it. */
import type { Habit } from "./behaviour/habit.ts";
import { readHabits } from "./behaviour/read-habits.ts";
import { behaviourEntry } from "./behaviour/schema.ts";
import type { Kind } from "./kinds.ts";

/** @throws Error when the kind's row does not fit its own services */
export function kindHabits({ services, always = [], lively }: Kind, isLively: boolean): Habit[] {
  const entries = [...always, ...(isLively ? lively : [])].map((entry) => behaviourEntry.parse(entry));
  return readHabits(entries, services, (problem) => {
    throw new Error(problem);
  });
}
