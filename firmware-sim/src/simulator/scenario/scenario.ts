/** What a scenario is once read: steps in order, each knowing its line in the file. */
import type { PropertyAddress, Value } from "@porchlight/shared/model";

/** What is looked at: a property of a device, or how a node stands with its hub. */
export type Subject =
  | { readonly of: "property"; readonly device: string; readonly address: PropertyAddress }
  /** `state` is unplugged, greeting or live; `untold` counts reports that no hub has acknowledged. */
  | { readonly of: "node"; readonly node: string; readonly what: "state" | "untold" };

export type Comparison = "=" | "!=" | "<" | "<=" | ">" | ">=";

export type Action =
  /** A line of the simulator's commands. */
  | { readonly do: "command"; readonly line: string }
  | { readonly do: "wait"; readonly ms: number }
  /** It is so now, or comes to be so within the time. */
  | {
      readonly do: "check";
      readonly subject: Subject;
      readonly comparison: Comparison;
      readonly value: Value;
      /** ms; undefined: now. */
      readonly within: number | undefined;
    };

export interface ScenarioStep {
  /** As it stands in the file: `expect light Switch.on true within 5s`. */
  readonly text: string;
  /** Its line in the file, from 1. */
  readonly line: number;
  readonly action: Action;
}

/** Whether a value is as a step says. */
export function holds(is: Value, comparison: Comparison, value: Value): boolean {
  const same = JSON.stringify(is) === JSON.stringify(value);
  if (comparison === "=") return same;
  if (comparison === "!=") return !same;
  if (typeof is !== "number" || typeof value !== "number") return false;
  switch (comparison) {
    case "<":
      return is < value;
    case "<=":
      return is <= value;
    case ">":
      return is > value;
    case ">=":
      return is >= value;
  }
}
