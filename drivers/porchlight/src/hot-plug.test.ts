import { memoryLinkPair } from "@porchlight/driver-kit/links/memory-link.fixture.ts";
import { silentLog, sleep, VirtualClock } from "@porchlight/shared/kernel";
import type { ByteLink } from "@porchlight/shared/wire";
import { expect, test } from "vitest";
import { keepPlugged } from "./link-driver.ts";

const nothing = (): void => undefined;

/** A port that a test plugs and unplugs, and what is logged about it. */
function port() {
  const clock = new VirtualClock();
  const stated: string[] = [];
  const stop = new AbortController();
  const state = { isThere: false, opened: 0, unplug: nothing };
  const say = (_fields: Record<string, unknown>, message: string) => void stated.push(message);
  const ended = keepPlugged(
    {
      name: "port",
      clock,
      pause: (_lasted, signal) => sleep(clock, "retry", 250, signal),
      log: { ...silentLog, info: say, warn: say },
      connect: async (): Promise<ByteLink> => {
        state.opened += 1;
        if (!state.isThere) throw new Error("No such file or directory");
        return memoryLinkPair()[0];
      },
      serve: (_link, signal) =>
        new Promise((resolve) => {
          state.unplug = () => resolve("unplugged");
          signal.addEventListener("abort", () => resolve("stopped"), { once: true });
        }),
    },
    stop.signal,
  );
  return { clock, stated, state, stop: () => stop.abort(), ended };
}

test("a port that is not there is looked for every 250 ms and spoken of once", async () => {
  const { clock, stated, state, stop, ended } = port();
  await clock.advance(60_000);
  expect(state.opened).toBe(241);
  expect(stated).toHaveLength(1);
  stop();
  await clock.until(ended);
});

test("a port that comes, goes and comes back is opened each time, within 250 ms", async () => {
  const { clock, stated, state, stop, ended } = port();
  await clock.advance(1000);
  state.isThere = true;
  await clock.advance(250);
  expect(stated.at(-1)).toBe("the line is open");
  state.isThere = false;
  state.unplug();
  await clock.advance(10_000);
  state.isThere = true;
  await clock.advance(250);
  expect(stated).toEqual([
    "the line cannot be opened; the hub tries again until it can",
    "the line is open",
    "the line was removed",
    "the line cannot be opened; the hub tries again until it can",
    "the line is open",
  ]);
  stop();
  await clock.until(ended);
  expect(clock.pending()).toEqual([]);
});
