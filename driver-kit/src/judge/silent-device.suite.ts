/** Group 4: a device that does not answer delays no other, however many there are and however long it is silent. */
import { expect, test } from "vitest";
import { Trial } from "./trial.suite.ts";
import { given, type JudgeOptions, type OpenWorld } from "./world.suite.ts";

/** Devices beside the silent one, where the transport has room for them. */
const CROWD = 100;
/** Time that the silent device's own command has, ms: it must not show in anybody else's. */
const PATIENCE_MS = 600_000;
/** Within this time all others have answered, ms: the tries of one request to a node that others stand behind, and no more. */
const OTHERS_WITHIN_MS = 10_000;

export function judgeSilentDevice(open: OpenWorld, options: JudgeOptions): void {
  test("has all other devices answer at once while one is silent, for as long as that one is asked", async () => {
    await using one = await Trial.begin(open, { ...options, crowd: CROWD });
    const [silent, ...others] = one.crowd;
    const { edgeId, property } = given(silent, "crowd");
    silent?.silence();
    const unanswered = one.driver.write(edgeId, property, true, one.attempt(PATIENCE_MS));
    await one.clock.advance(0);
    const from = one.clock.monotonic();
    const written = others.map((other) =>
      one.driver.write(other.edgeId, other.property, true, one.attempt(OTHERS_WITHIN_MS)),
    );
    const results = await one.settled(Promise.all([one.write(true, OTHERS_WITHIN_MS), ...written]));
    expect(results.filter(({ kind }) => kind !== "value")).toEqual([]);
    expect(one.clock.monotonic() - from).toBeLessThan(OTHERS_WITHIN_MS);
    expect(await one.settled(unanswered, PATIENCE_MS + 10_000)).toMatchObject({ kind: "failed", outcome: "unknown" });
  });

  test("brings all other devices while one is silent from the start, and serves them", async () => {
    await using one = await Trial.begin(open, {
      ...options,
      crowd: CROWD,
      waits: false,
      before: (_, [silent]) => silent?.silence(),
    });
    await one.clock.advance(60_000);
    const [, ...others] = one.crowd;
    expect(others.filter(({ edgeId }) => !one.driver.has(edgeId))).toEqual([]);
    const from = one.clock.monotonic();
    const written = others.map(({ edgeId, property }) =>
      one.driver.write(edgeId, property, true, one.attempt(OTHERS_WITHIN_MS)),
    );
    const results = await one.settled(Promise.all(written));
    expect(results.filter(({ kind }) => kind !== "value")).toEqual([]);
    expect(one.clock.monotonic() - from).toBeLessThan(OTHERS_WITHIN_MS);
  });
}
