import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { COMPILED } from "./test/parts/compiled.ts";
import { TEST_MS, WAIT_MS } from "./test/parts/limits.ts";
import { LongFirst } from "./test/parts/long-first.ts";

// Unit tests stand beside their source; what crosses packages stands under test/. Project `postgres` runs tests of the cloud a
// second time, on the other store: those that wait for what they see, not for turns of the loop on a clock that stands still.
const ON_BOTH_STORES = [
  "cloud/src/app.test.ts",
  "cloud/src/access/**/{authenticate,idempotency-keys,reference-depth,references}.test.ts",
  "cloud/src/http/**/{check-order,idempotency,openapi,page,rate-limits,server}.test.ts",
  "cloud/src/{http/routes,places,scenes,store}/**/*.test.ts",
  "cloud/src/accounts/erasures.test.ts",
  "cloud/src/main/key-commands.test.ts",
  "cloud/src/{alerts,events,history,mail,ops,sinks}/**/*.test.ts",
  "cloud/src/exports/*.test.ts",
  "cloud/src/streams/event-log.test.ts",
  "cloud/src/devices/**/{apply-records,inventory,unconfirmed}.test.ts",
  "cloud/src/tunnels/**/{node-lease,two-nodes}.test.ts",
  "cloud/src/webhooks/**/sending.test.ts",
];

// What two nodes do to one database: only PostgreSQL has two.
const ON_POSTGRES = ["cloud/src/**/*.nodes.test.ts"];

// Beside their source too, but with real processes, which take their time.
const OF_PROGRAMS = ["{agent,cloud,firmware-sim}/src/main.test.ts", "firmware-sim/src/main/play.test.ts"];

const LIMITS = { testTimeout: TEST_MS, hookTimeout: TEST_MS, expect: { poll: { timeout: WAIT_MS } } };

export default defineConfig({
  test: {
    // Of itself it leaves one core out, and on two cores works with one.
    maxWorkers: Math.max(2, availableParallelism()),
    sequence: { sequencer: LongFirst },
    projects: [
      {
        test: {
          name: "unit",
          // No module keeps state, so files share what one of them has loaded.
          isolate: false,
          env: COMPILED,
          globalSetup: ["test/parts/sqlite-setup.ts"],
          include: [
            "{shared,agent,cloud,console,driver-matter,firmware-sim,matter-bridge,portal,sdk}/src/**/*.test.ts",
            "test/architecture/**/*.test.ts",
            "examples/*/src/**/*.test.ts",
          ],
          exclude: [...OF_PROGRAMS, ...ON_POSTGRES, "**/node_modules/**"],
          ...LIMITS,
        },
      },
      {
        test: {
          name: "postgres",
          isolate: false,
          include: [...ON_BOTH_STORES, ...ON_POSTGRES],
          // Copies of an SQLite database, whichever store there is.
          exclude: ["cloud/src/store/opening/backup.test.ts", "**/node_modules/**"],
          globalSetup: ["test/parts/postgres-setup.ts"],
          ...LIMITS,
        },
      },
      {
        test: {
          name: "system",
          isolate: false,
          // For every program that a test starts, whether by `Program` or by itself.
          env: COMPILED,
          include: [
            ...OF_PROGRAMS,
            "test/{browser,cluster,console,contracts,faults,first-start,firmware,journeys,packages,parts,properties,vectors,world}/**/*.test.ts",
          ],
          globalSetup: [
            ...["test/parts/postgres-setup.ts", "test/parts/sqlite-setup.ts", "test/parts/portal-setup.mjs"],
            "test/parts/programs-setup.ts",
          ],
          ...LIMITS,
        },
      },
    ],
  },
});
