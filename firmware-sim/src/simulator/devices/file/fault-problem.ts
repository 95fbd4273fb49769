/** What is wrong with the words of a fault. */
import type { ReadFault } from "../../faults/fault-words.ts";
import { unknownWord } from "./suggestion.ts";

/** @param place of what it is a fault, when it is one of something else */
export function faultProblem(text: string, read: ReadFault, place: string): string {
  if (read.kind === "unknown") return unknownWord("fault", read.word, read.known);
  return read.kind === "problem" ? read.problem : `fault ${text} is of ${place}`;
}
