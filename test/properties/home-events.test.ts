/**
 * In each history of a hub, a reader that follows it at home and is cut off again and again has in the end what the hub has: state at any
 * sequence is the fold of the events up to it, over crashes, refused commits and changes of names.
 */
import { AtHome, LAMP_ID } from "@porchlight/agent/local-api/at-home.fixture.ts";
import type { Following } from "@porchlight/agent/local-api/following.fixture.ts";
import { BUTTON, device, LAMP, level, on } from "@porchlight/agent/state/state.fixture.ts";
import { pick, randomInteger, seededRandom } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import { Fold } from "../parts/fold.ts";
import { rounds } from "../parts/rounds.ts";

const SEEDS = rounds(12, 400);
const STEPS = 60;
const IDS = [LAMP_ID, "dev_01kad2vqz0fv8t7vqh5v8q5x5s", "dev_01kad2vqz0fv8t7vqh5v8q5x5t"] as const;

/** A reader that keeps the events it received, and comes back to where it was. */
class Reader {
  readonly #home: AtHome;
  #stream: Following;
  #fold: Fold | undefined;
  /** Count of the events that it received. */
  events = 0;

  constructor(home: AtHome, stream: Following) {
    this.#home = home;
    this.#stream = stream;
  }

  get fold(): Fold {
    if (!this.#fold) throw new Error("no snapshot has come");
    return this.#fold;
  }

  /** Takes in what has come. */
  async take(): Promise<void> {
    for (const { event, data } of await this.#stream.newEvents()) {
      if (event === "snapshot") this.#fold = Fold.of(data);
      else this.fold.apply(data);
      this.events += 1;
    }
  }

  /** Is cut off, maybe before it has taken what was sent, and comes back. */
  async comeBack(): Promise<void> {
    this.#stream.stream.destroy();
    this.#stream = await this.#home.follow(this.fold.sequence);
  }
}

/** What the hub itself answers, of all that can be read. */
async function answered(home: AtHome): Promise<ReadonlyMap<string, unknown>> {
  const { body } = await home.call("GET", "/api/devices");
  const known: [string, unknown][] = [];
  for (const { id } of (body as { readonly items: readonly { readonly id: string }[] }).items) {
    for (const selector of ["Switch.on", "LightLevel.level"]) {
      const read = await home.call("GET", "/api/devices/:id/services/:selector", { id, selector });
      const [item] = (read.body as { readonly items: readonly { service: string; property: string; value: unknown }[] })
        .items;
      if (item) known.push([`${id} ${item.service}:0.${item.property}`, item.value]);
    }
  }
  return new Map(known.sort());
}

test(`a reader of ${SEEDS} hubs, each with ${STEPS} changes of hub and reader, has each hub's state`, async () => {
  let events = 0;
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const random = seededRandom(seed);
    using home = await AtHome.make();
    home.eventBytes = 100_000_000;
    const reader = new Reader(home, await home.follow(undefined, { snapshot: "true" }));
    await reader.take();
    const edge = () => pick(random, [LAMP, BUTTON]);
    const steps: readonly [() => Promise<unknown>, ...(() => Promise<unknown>)[]] = [
      () => home.disk.report(home.state, level(randomInteger(random, 4), edge())),
      () => home.disk.report(home.state, on(random.fraction() < 0.5, edge())),
      () => home.clock.until(home.set(randomInteger(random, 4))).catch(() => undefined),
      () => home.disk.done(home.state.leave(edge())),
      () => home.disk.done(home.state.arrive(device(edge()))),
      () => home.name(pick(random, IDS), pick(random, ["lamp", "light"])),
      () => home.name("dev_01kad2vqz0fv8t7vqh5v8q5x5v", pick(random, ["button", "knob"]), BUTTON),
      () => home.disk.done(home.state.resync()),
      async () => {
        home.refuseCommits = 1 + randomInteger(random, 2);
        await home.disk.report(home.state, level(5 + randomInteger(random, 3))).catch(() => undefined);
        home.refuseCommits = 0;
      },
      async () => {
        home.crash();
        await reader.comeBack();
      },
      () => reader.comeBack(),
      () => reader.take(),
    ];
    for (let step = 0; step < STEPS; step += 1) await pick(random, steps)();
    await reader.take();
    expect([seed, reader.fold.sequence]).toEqual([seed, home.state.home.log.range.newest]);
    expect([seed, reader.fold.items]).toEqual([seed, await answered(home)]);
    events += reader.events;
  }
  expect(events).toBeGreaterThan(SEEDS * 10);
  console.log(`${events} events told to ${SEEDS} readers`);
});
