/** The behaviours of a ready-made device: what its hardware does always, and what a home does to it. */
import type { Behaviour } from "./behaviour/behaviour.ts";
import { readBehaviours } from "./behaviour/read-behaviours.ts";
import { behaviourEntry } from "./behaviour/schema.ts";
import type { Kind } from "./kinds.ts";

/** @throws Error when the kind's row does not fit its own services */
export function kindBehaviours({ services, always = [], lively }: Kind, isLively: boolean): Behaviour[] {
  const entries = [...always, ...(isLively ? lively : [])].map((entry) => behaviourEntry.parse(entry));
  return readBehaviours(entries, services, (problem) => {
    throw new Error(problem);
  });
}
