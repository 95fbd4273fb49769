/**
 * Tests that are there at length only (`npm run test:long`): variations of what their file, or another that it names, proves in every run.
 * Otherwise they are not registered, for a skipped test counts as failed. Its own file because `rounds.ts` is read outside of vitest, too.
 */
import { describe, it } from "vitest";
import { IS_AT_LENGTH } from "./rounds.ts";

/** @param limit ms */
export function itAtLength(name: string, run: () => Promise<void> | void, limit?: number): void {
  if (IS_AT_LENGTH) it(name, run, limit);
}

export function describeAtLength(name: string, register: () => void): void {
  if (IS_AT_LENGTH) describe(name, register);
}
