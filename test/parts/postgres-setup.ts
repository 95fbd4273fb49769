/** Starts one PostgreSQL for all tests of a project's run. Where it cannot be had, the tests that need it fail and say so; the others run. */
import type { TestProject } from "vitest/node";
import { startPostgres } from "./postgres.ts";

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  try {
    const postgres = await startPostgres();
    project.provide("postgres", { url: postgres.url });
    return async () => postgres[Symbol.asyncDispose]();
  } catch (error) {
    project.provide("postgres", { cannotBeHad: error instanceof Error ? error.message : String(error) });
    return async () => undefined;
  }
}
