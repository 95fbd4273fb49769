/** The hub's connection to a broker, with a real one. */
import { type BrokerAddress, type BrokerConnection, openByMqttJs, type Received } from "@porchlight/driver-mqtt/broker";
import { expect, onTestFinished, test } from "vitest";
import { type MosquittoOptions, startMosquitto } from "../parts/mosquitto.ts";

async function broker(options: MosquittoOptions = {}) {
  const server = await startMosquitto(options);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

/** A connection, and what came by it, each as it comes. */
async function connect(url: string, more: Partial<BrokerAddress> = {}) {
  const waiting: ((message: Received) => void)[] = [];
  const came: Received[] = [];
  const received = (message: Received) => {
    const wake = waiting.shift();
    if (wake) wake(message);
    else came.push(message);
  };
  const open = openByMqttJs({ url, clientId: "porchlight-test", ...more });
  const connection = await open(received, new AbortController().signal);
  onTestFinished(() => connection[Symbol.asyncDispose]());
  const next = async () => {
    const { topic, payload, retained } =
      came.shift() ?? (await new Promise<Received>((resolve) => waiting.push(resolve)));
    return [topic, Buffer.from(payload).toString(), retained];
  };
  return { connection, next };
}

test("a message comes to each subscriber, and states whether the broker had kept it", async () => {
  const { url } = await broker();
  const { connection, next } = await connect(url);
  await connection.publish({ topic: "home/lamp", payload: "old", retain: true });
  await connection.subscribe(["home/+"]);
  expect(await next()).toEqual(["home/lamp", "old", true]);
  await connection.publish({ topic: "home/lamp", payload: "new" });
  expect(await next()).toEqual(["home/lamp", "new", false]);
  // Once more: retained messages come again.
  await connection.subscribe(["home/lamp"]);
  expect(await next()).toEqual(["home/lamp", "old", true]);
  await connection.unsubscribe(["home/+", "home/lamp"]);
  await connection.publish({ topic: "home/lamp", payload: "unheard" });
  await connection.subscribe(["end"]);
  await connection.publish({ topic: "end", payload: "" });
  expect(await next()).toEqual(["end", "", false]);
});

test("a broker that is killed ends the connection with a reason, and the publish under way fails", async () => {
  const server = await broker();
  const { connection } = await connect(server.url);
  server.stop();
  const publishing = connection
    .publish({ topic: "home/lamp", payload: "on" })
    .catch((failure: Error) => failure.message);
  await server.kill();
  const why = await connection.closed;
  expect(why).not.toBe("");
  expect(await publishing).toBe(why);
  await expect(connection.publish({ topic: "home/lamp", payload: "on" })).rejects.toThrow();
  await expect(connect(server.url)).rejects.toThrow("ECONNREFUSED");
});

test("a hub that connects again ends its last connection", async () => {
  const { url } = await broker();
  const first = await connect(url);
  await connect(url);
  expect(await first.connection.closed).not.toBe("");
});

test("a broker with users admits a client with the right password, and reports to others what is wrong", async () => {
  const { url } = await broker({ users: { hub: "letmein" } });
  const as = (password: string) => connect(url, { user: "hub", password: { reveal: () => password } });
  await expect(as("wrong")).rejects.toThrow("Not authorized");
  await expect(connect(url)).rejects.toThrow("Not authorized");
  const { connection } = await as("letmein");
  await connection.subscribe(["home/#"]);
});

test("TLS needs the broker's CA", async () => {
  const { url, ca } = await broker({ tls: true });
  await expect(connect(url)).rejects.toThrow(
    "its certificate is not trusted (self-signed certificate): it is for 127.0.0.1, issued by porchlight test. " +
      "Set `ca` to the PEM file of the CA that signed it.",
  );
  await expect(connect(url, { ca: "/nowhere/ca.pem" })).rejects.toThrow("ENOENT");
  const { connection } = await connect(url, { ca });
  await connection.publish({ topic: "home/lamp", payload: "on" });
  await expect(connect(url.replace("127.0.0.1", "localhost"), { ca })).rejects.toThrow(
    /^its certificate is not trusted \(.*\): it is for 127\.0\.0\.1, issued by porchlight test\. The setting `ca` names another CA/,
  );
});

test("a caller that withdraws gets no connection, and none is left at the broker", async () => {
  const { url } = await broker();
  const wanted = new AbortController();
  const opening = openByMqttJs({ url, clientId: "porchlight-test" })(() => undefined, wanted.signal);
  wanted.abort(new Error("the driver stops"));
  await expect(opening).rejects.toThrow("the driver stops");
});

test("a connection can be ended twice", async () => {
  const { url } = await broker();
  const { connection }: { connection: BrokerConnection } = await connect(url);
  await Promise.all([connection[Symbol.asyncDispose](), connection[Symbol.asyncDispose]()]);
  expect(await connection.closed).not.toBe("");
});
