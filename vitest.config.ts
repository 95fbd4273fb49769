import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { COMPILED } from "./test/parts/compiled.ts";
import { TEST_MS, WAIT_MS } from "./test/parts/limits.ts";
import { LongFirst } from "./test/parts/long-first.ts";
import { IS_AT_LENGTH } from "./test/parts/rounds.ts";

// Unit tests stand beside their source, tests of a whole package in its test/; what crosses packages stands under test/. Project `postgres` runs tests of the cloud a
// second time, on the other store: those that wait for what they see, not for turns of the loop on a clock that stands still.
// In every run what differs there: the store itself, each of its statements, order, jobs that share a transaction, what is carried out at
// most once, leases, and what has been wrong on one store only.
const ON_BOTH_STORES = [
  "cloud/src/every-statement.test.ts",
  "cloud/src/poison.test.ts",
  "cloud/src/access/**/{authenticate,idempotency-keys,references}.test.ts",
  "cloud/src/http/**/{deferred-writes,deletion,event-log,idempotency,page}.test.ts",
  "cloud/src/{events,store}/**/*.test.ts",
  "cloud/src/exports/every-table.test.ts",
  "cloud/src/history/{recording,set-aside}.test.ts",
  "cloud/src/ops/{audit-chain,storage-use}.test.ts",
  "cloud/src/places/erase.test.ts",
  "cloud/src/scenes/{hub-scenes,scene-calls}.test.ts",
  "cloud/src/streams/event-log.test.ts",
  "cloud/src/devices/**/{apply-records,inventory,unconfirmed}.test.ts",
  "cloud/src/tunnels/**/{node-lease,two-nodes}.test.ts",
  "cloud/src/webhooks/**/sending.test.ts",
];

// At length all that can: what the service decides above its store.
const ON_BOTH_STORES_AT_LENGTH = [
  "cloud/src/app.test.ts",
  "cloud/src/access/**/reference-depth.test.ts",
  "cloud/src/http/**/{check-order,openapi,rate-limits,server}.test.ts",
  "cloud/src/{http/routes,places,scenes}/**/*.test.ts",
  "cloud/src/accounts/erasures.test.ts",
  "cloud/src/main/key-commands.test.ts",
  "cloud/src/{alerts,history,mail,ops,sinks}/**/*.test.ts",
  "cloud/src/exports/*.test.ts",
];

// What two nodes do to one database: only PostgreSQL has two.
const ON_POSTGRES = ["cloud/src/**/*.nodes.test.ts"];

// Variations of what every run proves (`test/parts/rounds.ts`).
const ONLY_AT_LENGTH = IS_AT_LENGTH ? [] : ["**/*.long.test.ts"];

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
            "{shared,agent,cloud,console,driver-kit,firmware-sim,matter-bridge,portal,sdk}/src/**/*.test.ts",
            "drivers/*/src/**/*.test.ts",
            "test/architecture/**/*.test.ts",
            "examples/*/src/**/*.test.ts",
          ],
          exclude: [...OF_PROGRAMS, ...ON_POSTGRES, ...ONLY_AT_LENGTH, "**/node_modules/**"],
          ...LIMITS,
        },
      },
      {
        test: {
          name: "postgres",
          isolate: false,
          include: [...ON_BOTH_STORES, ...(IS_AT_LENGTH ? ON_BOTH_STORES_AT_LENGTH : []), ...ON_POSTGRES],
          // Copies of an SQLite database, whichever store there is.
          exclude: ["cloud/src/store/backup.test.ts", "**/node_modules/**"],
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
            "{console,firmware-sim,packaging,portal}/test/**/*.test.ts",
            "test/{cluster,contracts,faults,first-start,journeys,parts,properties,vectors,world}/**/*.test.ts",
          ],
          exclude: [...ONLY_AT_LENGTH, "**/node_modules/**"],
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
