/** The group of things that come and go: a command reaches the thing that its address was first given to, or nothing. */
import { addressKey, type PropertyAddress } from "@porchlight/shared/model";
import { expect, test } from "vitest";
import { Trial } from "./trial.suite.ts";
import { given, type JudgeOptions, type OpenWorld } from "./world.suite.ts";

/** Time in which a device that has changed is described anew, ms. */
const DESCRIBED_MS = 60_000;

export function judgeThings(open: OpenWorld, options: JudgeOptions): void {
  test("commands the same thing at an address for good, when others are added, removed and listed in another order", async () => {
    const one = await begin(open, options);
    await using _ = one.trial;
    const { a, b, c } = one;
    const first = await one.having(a, b);
    expect(Object.values(first).toSorted()).toEqual([a, b].toSorted());
    const second = await one.having(c, b, a);
    expect(second, "what was there keeps its address").toEqual({ ...second, ...first });
    expect(Object.values(second).toSorted()).toEqual([a, b, c].toSorted());
    const third = await one.having(c, b);
    const withoutA = Object.fromEntries(Object.entries(second).filter(([, id]) => id !== a));
    expect(third).toEqual(withoutA);
    await one.trial.end();
    await one.trial.again();
    expect(await one.having(c, b), "after a restart of the driver").toEqual(withoutA);
    expect(await one.having(b, a, c), "when what had gone is back").toEqual(second);
  });

  test("refuses a command to a thing that has gone, and commands no other thing", async () => {
    const one = await begin(open, options);
    await using _ = one.trial;
    const { a, b, c } = one;
    const first = await one.having(a, b);
    const gone = Object.entries(first).find(([, id]) => id === a)?.[0] ?? "";
    await one.having(b, c);
    const before = one.commanded();
    const result = await one.command(gone);
    expect(result).toMatchObject({ kind: "failed" });
    expect(one.commanded()).toEqual(before);
  });

  test("commands no other thing at the moment at which things come, go and are listed in another order", async () => {
    const one = await begin(open, options);
    await using _ = one.trial;
    const { a, b, c } = one;
    const first = await one.having(a, b);
    for (const now of [[c, b, a], [c, b], [b], [a, c]])
      for (const [key, id] of Object.entries(first)) {
        one.have(now);
        const before = one.commanded().length;
        await one.command(key);
        expect([id], `${key} of ${now.join()}`).toEqual(expect.arrayContaining(one.commanded().slice(before)));
      }
  });
}

async function begin(open: OpenWorld, options: JudgeOptions) {
  const trial = await Trial.begin(open, options);
  const things = given(trial.world.things, "things");
  const { device, service, property } = things;
  const [a, b, c] = things.ids;
  const addressOf = (key: string): PropertyAddress => ({
    service,
    index: key.slice(key.indexOf(":") + 1, key.lastIndexOf(".")),
    property,
  });
  const command = (key: string) => trial.settled(trial.driver.write(device, addressOf(key), true, trial.attempt(5000)));
  const commanded = () => [...things.commanded()];
  /** Which thing each address commands, after the device has these. */
  const having = async (...ids: readonly string[]) => {
    things.have(ids);
    await trial.clock.advance(DESCRIBED_MS);
    const described = trial.host.descriptions.get(device) ?? [];
    const addresses = described.flatMap((each) =>
      each.service === service && each.properties.some((one) => one.property === property)
        ? [addressKey({ service, index: each.index, property })]
        : [],
    );
    const found: Record<string, string | undefined> = {};
    for (const key of addresses) {
      const before = commanded().length;
      await command(key);
      const now = commanded().slice(before);
      expect(new Set(now).size, `${key} commands one thing`).toBe(1);
      found[key] = now[0];
    }
    return found;
  };
  return { trial, a, b, c, have: things.have, having, command, commanded };
}
