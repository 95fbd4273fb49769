/** The guarantees of the tunnel under everything at once, over many seeds. A failing seed prints the one command that repeats it. */
import { seededRandom } from "@porchlight/shared/kernel";
import { afterAll, expect, test } from "vitest";
import { rounds } from "../parts/rounds.ts";
import { chaos, LATE_MS } from "./chaos.ts";
import { BUTTON } from "./devices.ts";
import { ANSWER_FAULTS, DISK_FAULTS, FAULTS, type Fault, LATER_FAULTS, STANDS_STILL_MS } from "./faults.ts";
import {
  judgeCommands,
  judgeKnown,
  judgeOccurrences,
  judgePuts,
  judgeRefreshes,
  judgeRepeated,
  judgeSequence,
  judgeSettled,
  judgeValues,
} from "./history.ts";
import { judgeHome, notAtHome } from "./home-clients.ts";
import { judgeRecorded } from "./recorded.ts";
import { World } from "./world.ts";

const VIRTUAL_MS = 120_000;
const ALL = { ...FAULTS, ...DISK_FAULTS, ...LATER_FAULTS, ...ANSWER_FAULTS };
interface Run {
  readonly seed: number;
  readonly faults: Readonly<Record<string, Fault>>;
  readonly name: string;
  /** Clients write at home too. */
  readonly home: boolean;
}
const everything = (seed: number): Run => ({ seed, faults: ALL, name: `seed ${seed}`, home: true });
const soundDisks = (seed: number): Run => ({
  ...{ seed, faults: FAULTS, home: false },
  name: `seed ${seed}, on disks that never refuse, and no person at home`,
});
/** Runs that once found a defect: they are run for ever. */
const FOUND = [soundDisks(88)];
const given = process.env.PORCHLIGHT_SEED;
const runs = given
  ? [everything(Number(given)), soundDisks(Number(given))]
  : [
      ...FOUND,
      ...Array.from({ length: Number(process.env.PORCHLIGHT_ROUNDS ?? rounds(2, 500)) }, (_, round) =>
        everything(round + 1),
      ),
    ];

const total = {
  seeds: 0,
  virtualMs: 0,
  puts: 0,
  confirmed: 0,
  repeated: 0,
  home: 0,
  writes: 0,
  refreshed: 0,
  presses: 0,
  faults: 0,
};
afterAll(() => console.info(JSON.stringify(total)));

for (const { seed, faults, name, home } of runs) {
  test(`${name}: no answer is false, and nothing is lost or done twice, whichever process is killed at any time`, async () => {
    await using world = await World.start({ seed, home });
    const history = await chaos(world, seededRandom(seed), VIRTUAL_MS, faults);
    const recorded = await world.recorded();
    const stored = world.stored();
    world.hub.kill();
    const slackMs = faults === ALL ? LATE_MS + STANDS_STILL_MS : LATE_MS;
    const violations = [
      ...judgePuts(history.puts, history.writes, slackMs),
      ...judgeHome(history.home, history.writes, world.journaled(), slackMs),
      ...judgeRepeated(history.repeated, history.writes, stored.commands),
      ...judgeCommands(history.puts, stored.commands),
      ...judgeSettled(stored.commands, stored.events),
      ...judgeKnown(notAtHome(history.home, history.writes), stored.commands),
      ...judgeRefreshes(history.refreshes, [...history.begin, ...history.writes]),
      ...judgeSequence(stored.events),
      ...judgeRecorded(stored.events, recorded, world.clientId),
      ...judgeOccurrences(history.presses, stored.events, "Button.event"),
      ...judgeValues(
        world
          .deviceValues()
          .filter(({ property }) => !property.startsWith("Button") && !property.startsWith("Identify")),
        stored.values,
      ),
      ...history.lies,
    ];
    total.seeds += 1;
    total.virtualMs += Math.round(world.clock.monotonic());
    total.puts += history.puts.length;
    total.confirmed += history.puts.filter((put) => put.answer?.status === 200).length;
    total.repeated += history.repeated.reduce((sum, { answers }) => sum + answers.length, 0);
    total.home += history.home.puts.length + history.home.repeated.length;
    total.writes += history.writes.length;
    total.refreshed += history.refreshes.length;
    total.presses += history.presses.length;
    total.faults += history.faults.length;
    const repeat = `PORCHLIGHT_SEED=${seed} npm run world`;
    expect(violations, `repeat it with: ${repeat}\n${history.faults.join("\n")}`).toEqual([]);
    expect(history.puts.filter((put) => put.answer?.status === 200).length).toBeGreaterThan(10);
    if (home) expect(history.home.puts.filter((put) => put.answer?.status === 200).length).toBeGreaterThan(10);
    expect(world.device(BUTTON)).toBeDefined();
  });
}
