/** Group 6: while the host has no room, nothing that matters is lost: of each property the newest value, and every event, in order. */
import { addressKey, type PropertyAddress, type Value } from "@porchlight/shared/model";
import { expect, test } from "vitest";
import type { Observation, ReportSource } from "../contract/driver.ts";
import { Trial } from "./trial.suite.ts";
import { given, type JudgeOptions, type OpenWorld } from "./world.suite.ts";

/** How long the host is busy, ms. */
const BUSY_MS = 60_000;
/** Changes of the property and events in that time; odd, so that the last change is to true. */
const HAPPENINGS = 19;
/** Changes at once; odd, too. */
const BURST = 5001;
/** Time for all of it to be reported, ms. */
const AFTER_MS = 180_000;

export function judgeBusyHost(open: OpenWorld, options: JudgeOptions): void {
  const hasEvents = options.without?.events === undefined;
  const title = hasEvents ? "the newest value, and every event in its order," : "the newest value";

  test(`brings ${title} to a host that was busy for a minute`, async () => {
    await using one = await Trial.begin(open, options);
    const { world, clock } = one;
    const store = new Store();
    one.host.commit = store.commit;
    store.isBusy = true;
    const happened: Value[] = [];
    const event = hasEvents ? given(world.event, "events") : undefined;
    for (let at = 0; at < HAPPENINGS; at++) {
      world.change(at % 2 === 0);
      const value = event?.values[(at * at) % event.values.length];
      if (event && value !== undefined) {
        event.happen(value);
        happened.push(value);
      }
      await clock.advance(BUSY_MS / HAPPENINGS);
    }
    expect(store.asked, "the host was asked while it was busy").toBeGreaterThan(0);
    expect(store.stored).toEqual([]);
    store.isBusy = false;
    await clock.advance(AFTER_MS);
    expect(store.of(world.property).at(-1)).toBe(HAPPENINGS % 2 === 1);
    if (event) expect(store.of(event.property)).toEqual(happened);
  });

  test("brings the newest value of a burst of thousands", async () => {
    await using one = await Trial.begin(open, options);
    const { world, clock } = one;
    const store = new Store();
    one.host.commit = store.commit;
    for (let at = 0; at < BURST; at++) world.change(at % 2 === 0);
    await clock.advance(AFTER_MS);
    expect(store.of(world.property).at(-1)).toBe(BURST % 2 === 1);
  });

  test("brings what came in its order when the host is busy every other time", async () => {
    await using one = await Trial.begin(open, options);
    const { world, clock } = one;
    const store = new Store();
    one.host.commit = (report, source) => {
      store.isBusy = !store.isBusy;
      return store.commit(report, source);
    };
    for (let at = 0; at < HAPPENINGS; at++) {
      world.change(at % 2 === 0);
      await clock.advance(5000);
    }
    await clock.advance(AFTER_MS);
    // A device may repeat what it is: what counts is the order of the changes.
    const changes = store.of(world.property).filter((value, at, all) => at === 0 || value !== all[at - 1]);
    expect(changes).toEqual(Array.from({ length: HAPPENINGS }, (_, at) => at % 2 === 0));
  });
}

/** What a host has stored, each report once. */
class Store {
  isBusy = false;
  asked = 0;
  readonly stored: Observation[] = [];
  readonly #known = new Set<string>();

  readonly commit = async (report: Observation, { node, boot, seq }: ReportSource) => {
    this.asked += 1;
    const key = `${node} ${boot} ${seq}`;
    if (this.#known.has(key)) return "repeated";
    if (this.isBusy) return "busy";
    this.#known.add(key);
    this.stored.push(report);
    return "stored";
  };

  of(address: PropertyAddress): Value[] {
    return this.stored.filter((each) => addressKey(each) === addressKey(address)).map(({ value }) => value);
  }
}
