// The programs that are built as one executable, each with its options for V8.

/**
 * A hub has little memory and much time (docs/benchmarks.md). What is called often is compiled by the optimizing compilers, yet not before it
 * was called ten times as often as V8 would have it.
 */
const FRUGAL = [
  "--max-semi-space-size=1",
  "--optimize-for-size",
  // No threads beside: they would each have memory of their own.
  "--v8-pool-size=0",
  "--invocation-count-for-maglev=4000",
  "--invocation-count-for-maglev-osr=4000",
  "--invocation-count-for-turbofan=20000",
  "--invocation-count-for-osr=20000",
];

/** `package`: the folder of its sources. `name`: what it is called where it is installed. */
export const AGENT = { package: "agent", name: "porchlight-agent", v8: FRUGAL };

/** It runs for a moment, and what counts is how soon it begins. */
export const CONSOLE = { package: "console", name: "porchlight", v8: [] };

/** It runs on servers. The files that it serves lie beside it (`scripts/images/cloud-files.mjs`). */
export const CLOUD = { package: "cloud", name: "porchlight-cloud", v8: [] };
