/** Starts one PostgreSQL for all tests of a project's run. Where it cannot be had, the tests that need it fail and report it; the others run. */
import { Store } from "@porchlight/cloud/store/index.ts";
import { IdMaker, systemClock, systemRandom } from "@porchlight/shared/kernel";
import type { TestProject } from "vitest/node";
import { administer, startPostgres } from "./postgres.ts";
import { databaseUrl } from "./postgres-server.ts";

const TEMPLATE = "porchlight_template";

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  try {
    // No test takes the machine's power away.
    const postgres = await startPostgres({ durable: false });
    await administer(postgres.url, `create database ${TEMPLATE}`);
    const location = databaseUrl(new URL(postgres.url).searchParams.get("host") ?? "", TEMPLATE);
    const store = await Store.open({ location, clock: systemClock, ids: new IdMaker(systemClock, systemRandom) });
    await store[Symbol.asyncDispose]();
    project.provide("postgres", { url: postgres.url, template: TEMPLATE });
    return async () => postgres[Symbol.asyncDispose]();
  } catch (error) {
    project.provide("postgres", { cannotBeHad: error instanceof Error ? error.message : String(error) });
    return async () => undefined;
  }
}
