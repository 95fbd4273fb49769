/** Makes the cloud's tables once for all tests of a project that take SQLite: each starts with a copy. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Store } from "@porchlight/cloud/store/index.ts";
import { IdMaker, systemClock, systemRandom } from "@porchlight/shared/kernel";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    /** A database file that has the cloud's tables, and nothing in them. Missing in a project without that set-up. */
    sqliteTemplate?: string;
  }
}

export default async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), "porchlight-tables-"));
  const location = join(folder, "cloud.db");
  const store = await Store.open({ location, clock: systemClock, ids: new IdMaker(systemClock, systemRandom) });
  await store[Symbol.asyncDispose]();
  project.provide("sqliteTemplate", location);
  return () => rmSync(folder, { recursive: true, force: true });
}
