/** Group 9: what the settings keep secret stands in no log and in no status, after any failure. */
import { inspect } from "node:util";
import { expect, test } from "vitest";
import { Trial } from "./trial.suite.ts";
import { type FloodKind, given, type JudgeOptions, type OpenWorld } from "./world.suite.ts";

const HOUR_MS = 3_600_000;

export function judgeSecrets(open: OpenWorld, options: JudgeOptions): void {
  test("keeps the secrets of its settings out of every log line and its status, also when everything fails", async () => {
    await using one = await Trial.begin(open, options);
    const { world, clock } = one;
    const secrets = given(world.secrets, "secrets");
    const seen: string[] = [];
    const look = () => {
      const status = one.driver.status?.();
      seen.push(JSON.stringify(status) ?? "", inspect(status, { depth: 8 }));
    };
    look();
    for (const value of [true, false]) await one.settled(one.write(value));
    world.silence();
    const results = [await one.settled(one.write(true, 3000)), await one.settled(one.read(3000))];
    look();
    world.speak();
    for (const kind of ["garbage", "long messages"] satisfies FloodKind[]) world.floods?.[kind]?.();
    await clock.advance(10_000);
    look();
    world.cut();
    results.push(await one.settled(one.write(true, 1000)));
    await clock.advance(HOUR_MS);
    look();
    world.mend();
    await clock.advance(120_000);
    look();
    await one.end();
    look();
    const texts = [...one.logged, ...seen, ...one.host.story, ...results.map((result) => JSON.stringify(result))];
    const arrivals = one.host.arrivals.map((arrival) => JSON.stringify(arrival));
    expect(one.logged.length, "something was logged").toBeGreaterThan(0);
    expect([...texts, ...arrivals].filter((text) => secrets.some((secret) => text.includes(secret)))).toEqual([]);
  });
}
