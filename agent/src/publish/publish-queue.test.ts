import type { BrokerConnection, Publication } from "@porchlight/driver-mqtt/broker";
import { settle } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import { PublishQueue } from "./publish-queue.ts";

/** A connection that takes messages when the test says so. */
function slowConnection() {
  const taken: Publication[] = [];
  const waiting: PromiseWithResolvers<void>[] = [];
  const connection: BrokerConnection = {
    closed: new Promise(() => undefined),
    subscribe: async () => undefined,
    unsubscribe: async () => undefined,
    publish: (publication) => {
      taken.push(publication);
      const answer = Promise.withResolvers<void>();
      waiting.push(answer);
      return answer.promise;
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
  const acknowledge = async () => {
    for (const each of waiting.splice(0)) each.resolve();
    await settle();
  };
  const lose = async () => {
    for (const each of waiting.splice(0)) each.reject(new Error("gone"));
    await settle();
  };
  return { connection, taken, acknowledge, lose };
}

test("a slow broker gets 32 messages at once, and then of each topic the newest", async () => {
  const { connection, taken, acknowledge } = slowConnection();
  const queue = new PublishQueue();
  queue.attach(connection);
  for (let n = 0; n < 32; n += 1) queue.keep(`t${n}`, "first");
  for (let n = 0; n < 1000; n += 1) queue.keep("t1", `value ${n}`);
  expect(taken).toHaveLength(32);
  await acknowledge();
  expect(taken.slice(32)).toEqual([{ topic: "t1", payload: "value 999", qos: 1, retain: true }]);
});

test("every event is sent in its order, up to a thousand that wait", async () => {
  const { connection, taken, acknowledge } = slowConnection();
  const queue = new PublishQueue();
  queue.attach(connection);
  for (let n = 0; n < 1100; n += 1) queue.happen("button", String(n));
  for (let n = 0; n < 40; n += 1) await acknowledge();
  expect(taken.map(({ payload }) => payload)).toEqual(Array.from({ length: 1032 }, (_, n) => String(n)));
  expect(taken[0]).toEqual({ topic: "button", payload: "0", qos: 1, retain: false });
  expect(queue.counters).toEqual({ published: 1032, notPublished: 0, lostEvents: 68 });
});

test("what a connection does not take is not carried over to the next, which gets everything", async () => {
  const first = slowConnection();
  const queue = new PublishQueue();
  queue.attach(first.connection);
  for (let n = 0; n < 40; n += 1) queue.keep(`t${n}`, "1");
  queue.detach();
  await first.lose();
  queue.keep("t0", "2");
  queue.happen("button", "press");
  const second = slowConnection();
  queue.attach(second.connection);
  queue.keep("t1", "1");
  expect([first.taken.length, second.taken.map(({ topic }) => topic)]).toEqual([32, ["t1"]]);
  expect(queue.counters).toEqual({ published: 0, notPublished: 32, lostEvents: 1 });
});

test("a payload is not sent again, unless it must be", () => {
  const { connection, taken } = slowConnection();
  const queue = new PublishQueue();
  queue.attach(connection);
  queue.keep("t", "1");
  queue.keep("t", "1");
  queue.keep("t", "1", true);
  queue.clear("t");
  queue.keep("t", "1");
  expect(taken.map(({ payload }) => payload)).toEqual(["1", "1", "", "1"]);
  expect([queue.hasSent("t"), queue.hasSent("u")]).toEqual([true, false]);
});
