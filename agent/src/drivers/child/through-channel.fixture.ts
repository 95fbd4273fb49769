/** A driver of any kind behind a channel in memory, for the shared suite: its host is the agent's, every message passes as JSON. */
import { asShared, type DriverHost, type StatedDriver } from "@porchlight/driver-kit";
import type { Through } from "@porchlight/driver-kit/judge/world.suite.ts";
import { memoryStore } from "@porchlight/driver-kit/kept/memory-store.fixture.ts";
import { type Clock, seededRandom, silentLog } from "@porchlight/shared/kernel";
import { ChildDriver, type ChildDriverDeps } from "./child-driver.ts";
import { type AroundDriver, serveDriver } from "./driver-in-child.ts";
import { type MemoryChannel, memoryChannel } from "./memory-channel.fixture.ts";

export interface Child {
  readonly driver: ChildDriver;
  readonly channel: MemoryChannel;
  /** What the driver has around it. */
  readonly around: AroundDriver;
  /** Settles when the child's end of the channel is done. */
  readonly ended: Promise<string>;
}

/** @param start makes the driver, which must tell what it hears to `around.host` */
export async function throughChannel(
  {
    clock,
    host,
    ...deps
  }: Partial<Omit<ChildDriverDeps, "host">> & { readonly clock: Clock; readonly host: DriverHost },
  start: (around: AroundDriver) => StatedDriver | Promise<StatedDriver>,
): Promise<Child> {
  const channel = memoryChannel();
  let around: AroundDriver | undefined;
  const ended = serveDriver({
    channel: channel.child,
    clock,
    random: seededRandom(2),
    start: (given) => {
      around = given;
      return start(given);
    },
  });
  const driver = await ChildDriver.start({
    name: "in a child",
    channel: channel.parent,
    entry: "none",
    settings: {},
    host: asShared(host),
    store: memoryStore(),
    askClaims: async () => [],
    clock,
    log: silentLog,
    ...deps,
  });
  if (!around) throw new Error("the driver was not started");
  return { driver, channel, around, ended };
}

/** A driver of the judge's, with a channel between it and the hub. */
export const inAChild: Through =
  (make, { clock, log }) =>
  async (host) => {
    const { driver } = await throughChannel({ clock, host, log }, (around) => make(around.host));
    return driver;
  };
