/** Two nodes of one service in one process: over one PostgreSQL, on one clock, with a bus between them that a test can break. */
import { TestCloud } from "./app.fixture.ts";
import { BusMedium, type MemoryBus } from "./bus/memory-bus.fixture.ts";
import { freshLocation } from "./store/fresh-store.fixture.ts";

export interface TwoClouds extends AsyncDisposable {
  readonly one: TestCloud;
  readonly other: TestCloud;
  /** Each node's end of the bus. */
  readonly buses: readonly MemoryBus[];
  /** The end of the bus of one more node. */
  join(): MemoryBus;
}

export async function twoClouds(): Promise<TwoClouds> {
  const buses: MemoryBus[] = [];
  let medium: BusMedium | undefined;
  const one = await TestCloud.start({}, await freshLocation(true), undefined, (clock) => {
    medium = new BusMedium(clock);
    return joined(medium, buses);
  });
  const shared = medium;
  if (!shared) throw new Error("the first node has joined no medium");
  const join = () => joined(shared, buses);
  const other = await one.restart({}, join());
  return {
    one,
    other,
    buses,
    join,
    [Symbol.asyncDispose]: async () => {
      await other.app[Symbol.asyncDispose]();
      await one[Symbol.asyncDispose]();
    },
  };
}

function joined(medium: BusMedium, buses: MemoryBus[]): MemoryBus {
  const bus = medium.join();
  buses.push(bus);
  return bus;
}
