/** The broker of the tests does what its options and methods state, or the scenarios that break it prove nothing. */
import { readFileSync } from "node:fs";
import { connectAsync, type IClientOptions } from "mqtt";
import { expect, test } from "vitest";
import { type Mosquitto, startMosquitto } from "./mosquitto.ts";

/** What only a hung test meets, ms. */
const connectTimeout = 60_000;

async function client(broker: Mosquitto, options: IClientOptions = {}) {
  const connected = await connectAsync(broker.url, { connectTimeout, reconnectPeriod: 0, ...options }, false);
  // Its broker is killed under it.
  connected.on("error", () => {});
  return Object.assign(connected, { [Symbol.asyncDispose]: () => connected.endAsync(true) });
}

/** The retained message of a topic; undefined when there is none. */
async function retained(broker: Mosquitto, topic: string, options: IClientOptions = {}): Promise<string | undefined> {
  await using reader = await client(broker, options);
  const first = Promise.withResolvers<string | undefined>();
  reader.on("message", (from, payload, { retain }) => {
    if (from === topic && retain) first.resolve(payload.toString());
    // The broker's retained messages come before each message that is published after the subscription.
    if (from === END) first.resolve(undefined);
  });
  await reader.subscribeAsync([topic, END]);
  await reader.publishAsync(END, "");
  return await first.promise;
}

const END = "test/end";

test("a broker that saved has its retained messages again after it was killed, and not those that came later", async () => {
  await using broker = await startMosquitto({ persistent: true });
  {
    await using writer = await client(broker);
    await writer.publishAsync("saved", "1", { retain: true, qos: 1 });
    await broker.save();
    await writer.publishAsync("late", "1", { retain: true, qos: 1 });
    await broker.save();
    await writer.publishAsync("late", "2", { retain: true, qos: 1 });
    expect(await retained(broker, "late")).toBe("2");
    await broker.kill();
  }
  await broker.restart();
  expect([await retained(broker, "saved"), await retained(broker, "late")]).toEqual(["1", "1"]);
});

test("a broker that stands still answers when it goes on", async () => {
  await using broker = await startMosquitto();
  broker.stop();
  expect(readFileSync(`/proc/${broker.pid}/stat`, "utf8")).toMatch(/\) T /);
  const waiting = client(broker);
  broker.cont();
  await using connected = await waiting;
  expect(connected.connected).toBe(true);
});

test("a client without a password is refused, and a user may do what the ACL permits", async () => {
  await using broker = await startMosquitto({
    users: { hub: "one", other: "two" },
    acl: ["user hub", "topic readwrite home/#", "topic readwrite test/#", "user other", "topic readwrite test/#"],
  });
  await expect(client(broker)).rejects.toThrow(/not authorized/i);
  await expect(client(broker, { username: "hub", password: "two" })).rejects.toThrow(/not authorized/i);
  const hub = { username: "hub", password: "one" };
  {
    await using writer = await client(broker, hub);
    await writer.publishAsync("home/lamp", "ON", { retain: true, qos: 1 });
  }
  expect(await retained(broker, "home/lamp", hub)).toBe("ON");
  expect(await retained(broker, "home/lamp", { username: "other", password: "two" })).toBeUndefined();
});

test("a broker with TLS is trusted by its certificate only", async () => {
  await using broker = await startMosquitto({ tls: true });
  await expect(client(broker)).rejects.toThrow(/self-signed/);
  await using connected = await client(broker, { ca: readFileSync(broker.ca ?? "") });
  expect(connected.connected).toBe(true);
});
