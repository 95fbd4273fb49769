/** The log reports once that NATS is away, and once that it is back. */
import { type Log, type LogWrite, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { beforeEach, expect, it } from "vitest";
import { BusWatch } from "./bus-watch.ts";
import { BusMedium, type MemoryBus } from "./memory-bus.fixture.ts";

const AWAY = /^NATS does not answer/;
const BACK = /^NATS answers again/;
let clock: VirtualClock;
let bus: MemoryBus;
let logged: string[];
const warn: LogWrite = (_fields, message) => void logged.push(message);
const log: Log = { ...silentLog, warn };
beforeEach(() => {
  clock = new VirtualClock();
  bus = new BusMedium(clock).join();
  logged = [];
});

it("a node that has never reached NATS logs that after a second, once, and logs its first connection", async () => {
  bus.line = false;
  using watch = BusWatch.start({ bus, clock, log });
  await clock.advance(999);
  expect([logged, watch.warning]).toEqual([[], undefined]);
  await clock.advance(60_000);
  expect(logged).toEqual([expect.stringMatching(AWAY)]);
  expect(watch.warning).toBe("This node cannot reach the other nodes: NATS does not answer.");
  bus.line = true;
  expect([logged.at(-1), watch.warning]).toEqual([expect.stringMatching(BACK), undefined]);
  await clock.advance(60_000);
  expect(logged).toHaveLength(2);
});

it("a line that breaks is the same, and one that is back within the second is not worth a word", async () => {
  using watch = BusWatch.start({ bus, clock, log });
  bus.line = false;
  await clock.advance(900);
  bus.line = true;
  await clock.advance(60_000);
  expect(logged).toEqual([]);
  bus.line = false;
  bus.line = false;
  await clock.advance(1_000);
  expect(logged).toEqual([expect.stringMatching(AWAY)]);
  expect(watch.warning).toBeDefined();
});

it("nothing is logged after the end", async () => {
  const watch = BusWatch.start({ bus, clock, log });
  bus.line = false;
  watch[Symbol.dispose]();
  await clock.advance(60_000);
  expect(logged).toEqual([]);
});
