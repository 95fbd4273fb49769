/** A seed repeats exactly: a failing run is of use only when the next run of its seed is the same one. */
import { seededRandom } from "@porchlight/shared/kernel";
import { expect, it } from "vitest";
import { casesOf } from "../parts/rounds.ts";
import { chaos } from "./chaos.ts";
import { FAULTS } from "./faults.ts";
import { World } from "./world.ts";

const VIRTUAL_MS = 20_000;
/** The cloud is the program whose start would read files; each of its starts is a moment at which two runs could part. */
const RESTARTS = Object.fromEntries(Object.entries(FAULTS).filter(([name]) => name.startsWith("kill the cloud")));

/** Everything that a run of the seed did and was answered, each with its moment. */
async function run(seed: number): Promise<string[]> {
  await using world = await World.start({ seed, home: true });
  const { home, ...history } = await chaos(world, seededRandom(seed), VIRTUAL_MS, RESTARTS);
  const all = { ...history, puts: [...history.puts, ...home.puts], repeated: [...history.repeated, ...home.repeated] };
  return Object.entries(all).flatMap(([what, entries]) =>
    entries.map((entry: unknown) => `${what} ${JSON.stringify(entry)}`),
  );
}

it.each(casesOf([1], [2]))("does the same at the same moment each time that seed %i is run", async (seed) => {
  const first = await run(seed);
  expect(first.filter((line) => line.startsWith("faults")).length).toBeGreaterThan(1);
  expect(await run(seed)).toEqual(first);
});
