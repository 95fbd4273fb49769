import { seededRandom, settle, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import { type BrokerConnection, type KeptConnectionDeps, keepConnected } from "./kept-connection.ts";
import { MemoryBroker } from "./memory-broker.fixture.ts";

function keeping(use: KeptConnectionDeps["use"]) {
  const clock = new VirtualClock();
  const broker = new MemoryBroker();
  const failures: string[] = [];
  const stop = new AbortController();
  const kept = keepConnected(
    {
      ...{ broker: "memory", clock, random: seededRandom(1), log: silentLog, open: broker.open, use },
      received: () => undefined,
      failed: (why) => failures.push(why),
    },
    stop.signal,
  );
  return { clock, broker, failures, stop, kept };
}

/** Uses a connection until it must end. */
const untilEnd = (_: BrokerConnection, end: AbortSignal) =>
  new Promise<void>((resolve) => end.addEventListener("abort", () => resolve(), { once: true }));

test("a lost connection reports why, and the next one comes after a wait", async () => {
  let uses = 0;
  const { clock, broker, failures } = keeping((connection, end) => {
    uses += 1;
    return untilEnd(connection, end);
  });
  await settle();
  broker.cut("the network is gone");
  await settle();
  broker.mend();
  expect([uses, failures]).toEqual([1, ["the network is gone"]]);
  expect(clock.pending()).toHaveLength(1);
  await clock.advance(1000);
  expect(uses).toBe(2);
});

test("why a connection is gone counts, and not what fails because of it", async () => {
  const { broker, failures } = keeping(async () => {
    await settle();
    broker.cut("the network is gone");
    await settle();
    throw new Error("nothing can be sent");
  });
  await settle();
  await settle();
  await settle();
  expect(failures).toEqual(["the network is gone"]);
});

test("who uses it may end it by failing", async () => {
  const { failures } = keeping(async () => {
    throw new Error("the broker rejects subscriptions: a/#");
  });
  await settle();
  expect(failures).toEqual(["the broker rejects subscriptions: a/#"]);
});

test("its end waits for who uses it, and leaves no timer and no connection", async () => {
  let last = "";
  const { clock, broker, stop, kept, failures } = keeping(async (connection, end) => {
    await untilEnd(connection, end);
    await connection.publish({ topic: "up", payload: "offline" });
    last = "said";
  });
  await settle();
  stop.abort(new Error("the hub stops"));
  await kept;
  expect([last, failures, clock.pending()]).toEqual(["said", [], []]);
  expect(broker.published).toEqual([{ topic: "up", payload: "offline" }]);
});

test("its end while it waits ends the wait", async () => {
  const { clock, broker, stop, kept } = keeping(untilEnd);
  await settle();
  broker.cut();
  await settle();
  stop.abort(new Error("the hub stops"));
  await kept;
  expect(clock.pending()).toEqual([]);
});
