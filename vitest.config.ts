import { defineConfig } from "vitest/config";

// Unit tests stand beside their source; what crosses packages stands under test/.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["{shared,agent,cloud,firmware-sim}/src/**/*.test.ts", "test/architecture/**/*.test.ts"],
        },
      },
      {
        test: {
          name: "system",
          include: ["test/{contracts,faults,journeys,parts,properties,vectors,world}/**/*.test.ts"],
          globalSetup: ["test/parts/postgres-setup.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
