/** Rows that say where the processor time of a benchmark goes, part by part, when profiles are asked for. */
import type { Program } from "../../parts/program.ts";
import { processorSeconds } from "../parts.ts";
import { printPart } from "../report.ts";
import { PROFILES, profileOf } from "./session.ts";
import { sharesOf } from "./shares.ts";

/** What is less of the main thread's time is told together. */
const LEAST = 0.01;

/** Does the work once more for each program and looks at that one meanwhile; does nothing unless profiles are asked for. */
export async function explain(
  what: string,
  programs: Readonly<Record<string, Program>>,
  work: () => Promise<number>,
): Promise<void> {
  if (!PROFILES) return;
  for (const [name, program] of Object.entries(programs)) await watched(`${what}: ${name}`, program, work);
}

/**
 * Does the work, and looks at the program meanwhile when profiles are asked for.
 * @param work settles with how many times the thing was done
 */
export async function watched(what: string, program: Program, work: () => Promise<number>): Promise<number> {
  if (!PROFILES) return work();
  const before = processorSeconds(program.pid);
  const { profile, result: count } = await profileOf(program, work);
  const processorUs = ((processorSeconds(program.pid) - before) * 1e6) / count;
  const { busyMs, parts } = sharesOf(profile);
  const us = (busyMs * 1000) / count;
  printPart(what, "processor time of all its threads", processorUs);
  printPart(what, "time of its main thread", us, 1);
  let rest = 0;
  for (const [part, share] of parts) {
    if (share < LEAST) rest += share;
    else printPart(what, part, share * us, share);
  }
  printPart(what, "all others", rest * us, rest);
  return count;
}
