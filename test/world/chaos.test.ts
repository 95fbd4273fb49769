/** The guarantees of the tunnel under everything at once, over many seeds. A failing seed prints the one command that repeats it. */
import { seededRandom } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import { rounds } from "../parts/rounds.ts";
import { BUTTON, chaos, LATE_MS } from "./chaos.ts";
import {
  judgeCommands,
  judgeKnown,
  judgeOccurrences,
  judgePuts,
  judgeRefreshes,
  judgeSequence,
  judgeSettled,
  judgeValues,
} from "./history.ts";
import { World } from "./world.ts";

const VIRTUAL_MS = 120_000;
const given = process.env.PORCHLIGHT_SEED;
const seeds = given
  ? [Number(given)]
  : Array.from({ length: Number(process.env.PORCHLIGHT_ROUNDS ?? rounds(8, 500)) }, (_, round) => round + 1);

for (const seed of seeds) {
  test(`seed ${seed}: whatever dies and whenever, nobody was told a lie and nothing was lost or done twice`, async () => {
    await using world = await World.start({ seed });
    const history = await chaos(world, seededRandom(seed), VIRTUAL_MS);
    const stored = world.stored();
    const violations = [
      ...judgePuts(history.puts, history.writes, LATE_MS),
      ...judgeCommands(history.puts, stored.commands),
      ...judgeSettled(stored.commands, stored.events),
      ...judgeKnown(history.writes, stored.commands),
      ...judgeRefreshes(history.refreshes, [...history.begin, ...history.writes]),
      ...judgeSequence(stored.events),
      ...judgeOccurrences(history.presses, stored.events, "Button.event"),
      ...judgeValues(
        world
          .deviceValues()
          .filter(({ property }) => !property.startsWith("Button") && !property.startsWith("Identify")),
        stored.values,
      ),
      ...history.lies,
    ];
    const repeat = `PORCHLIGHT_SEED=${seed} npm run world`;
    expect(violations, `repeat it with: ${repeat}\n${history.faults.join("\n")}`).toEqual([]);
    expect(history.puts.filter((put) => put.answer?.status === 200).length).toBeGreaterThan(10);
    expect(world.device(BUTTON)).toBeDefined();
  });
}
