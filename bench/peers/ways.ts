/**
 * The ways of a round trip: through brokers of others, each with its setting and the client that its users have; through the product, as an
 * ordinary caller sends a PUT; and through the bare relay, which shows what of our time HTTP, WebSocket and the commits take.
 */
import { connect } from "@nats-io/transport-node";
import { connectAsync } from "mqtt";
import { Client } from "undici";
import { startMosquitto } from "../../test/parts/mosquitto.ts";
import { startNats } from "../../test/parts/nats-server.ts";
import { Program } from "../../test/parts/program.ts";
import { startRedis } from "../../test/parts/redis-server.ts";
import { COMMITS, ready, startBare, startProduct } from "../product.ts";
import { RedisClient } from "./redis-client.ts";
import {
  ANSWERS,
  Answers,
  COMMANDS,
  entriesOf,
  expectValue,
  MOST_KEPT,
  type Promises,
  TOPIC,
  type Way,
  writeOf,
} from "./round-trip.ts";

const NOTHING: Promises = {
  "stored before the device is asked": "no",
  "at most once": "yes: what is lost is not sent again",
  "answer stored": "no",
};

/** A subject of the caller's own, where answers go. */
const ANSWER_TOPIC = "callers.1.answers";
const PATIENCE_MS = 30_000;

async function startDevice(...args: readonly string[]): Promise<Program> {
  const device = new Program("device", "bench/peers/device.ts", args);
  await device.line(ready);
  return device;
}

/** @param qos 0 is not kept; with 2 Mosquitto writes its file after each change, and acknowledges before it has */
export async function throughMosquitto(qos: 0 | 2): Promise<Way> {
  await using stack = new AsyncDisposableStack();
  const broker = stack.use(await startMosquitto(qos === 0 ? {} : { persistent: "at each change" }));
  const device = stack.use(await startDevice("mqtt", String(broker.port), String(qos)));
  const client = stack.adopt(await connectAsync(broker.url, { protocolVersion: 5 }), (each) => each.endAsync(true));
  const answers = new Answers();
  client.on("message", (_topic, payload, { properties }) =>
    answers.arrived(String(properties?.correlationData), payload.toString()),
  );
  await client.subscribeAsync(ANSWER_TOPIC, { qos });
  const all = stack.move();
  const kept: Promises = {
    "stored before the device is asked": "begun, not awaited",
    "at most once": "yes, unless the broker loses what it has not yet written",
    "answer stored": "begun, not awaited",
  };
  return {
    name: qos === 0 ? "Mosquitto, MQTT 5, QoS 0" : "Mosquitto, MQTT 5, QoS 2, persistence, autosave_on_changes",
    promises: qos === 0 ? NOTHING : kept,
    pids: [broker.pid, device.pid],
    async trip(_worker, value) {
      const send = (id: string) => {
        const properties = { responseTopic: ANSWER_TOPIC, correlationData: Buffer.from(id) };
        return client.publishAsync(TOPIC, writeOf(value), { qos, properties });
      };
      expectValue(await answers.of(send), value);
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

export async function throughNats(): Promise<Way> {
  await using stack = new AsyncDisposableStack();
  const broker = stack.use(await startNats());
  const device = stack.use(await startDevice("nats", String(broker.port)));
  const connection = stack.adopt(await connect({ servers: `127.0.0.1:${broker.port}` }), (each) => each.close());
  const all = stack.move();
  return {
    name: "NATS request and reply",
    promises: NOTHING,
    pids: [broker.pid, device.pid],
    async trip(_worker, value) {
      const answer = await connection.request(TOPIC, writeOf(value), { timeout: PATIENCE_MS });
      expectValue(answer.string(), value);
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

export async function throughRedis(durable: boolean): Promise<Way> {
  await using stack = new AsyncDisposableStack();
  const broker = stack.use(await startRedis({ durable }));
  const device = stack.use(await startDevice("redis", String(broker.port)));
  // A connection to write, and another to wait for answers: a connection that waits does nothing else.
  const [writer, reader] = [
    stack.use(await RedisClient.connect(broker.port)),
    stack.use(await RedisClient.connect(broker.port)),
  ];
  const answers = new Answers();
  const readOn = async () => {
    for (let last = "$"; ; ) {
      for (const { entry, id, text } of entriesOf(await reader.ask("XREAD", "BLOCK", "0", "STREAMS", ANSWERS, last))) {
        answers.arrived(id, text);
        last = entry;
      }
    }
  };
  // It ends with its connection.
  readOn().catch(() => undefined);
  const all = stack.move();
  const kept: Promises = {
    "stored before the device is asked": "yes",
    "at most once": "yes: a group is given an entry once",
    "answer stored": "yes",
  };
  return {
    name: durable ? "Redis streams, appendfsync always" : "Redis streams, appendonly no",
    promises: durable ? kept : { ...NOTHING, "at most once": kept["at most once"] },
    pids: [broker.pid, device.pid],
    async trip(_worker, value) {
      const send = (id: string) =>
        writer.ask("XADD", COMMANDS, "MAXLEN", "~", MOST_KEPT, "*", "id", id, "text", writeOf(value));
      expectValue(await answers.of(send), value);
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

const OURS: Promises = {
  "stored before the device is asked": "yes",
  "at most once": "yes",
  "answer stored": "yes, at the hub and in the cloud",
};
const NO_COMMITS = { cloud: 0, hub: 0 };

/** @param workers how many may be in flight, each on a connection and with a property of its own */
export async function throughPorchlight(workers: number): Promise<Way> {
  await using stack = new AsyncDisposableStack();
  const product = stack.use(await startProduct(1, workers));
  const pids = [product.cloud.pid, ...product.hubs.map(({ pid }) => pid)];
  const way = byHttp(stack, product.url, product.devices, product.headers);
  return { name: "Porchlight, SQLite", promises: OURS, pids, ...way };
}

/** @param commits whether it has the commits of the product, each of one row without a reader */
export async function throughBareRelay(workers: number, commits: boolean): Promise<Way> {
  await using stack = new AsyncDisposableStack();
  const bare = stack.use(await startBare(commits ? COMMITS : NO_COMMITS));
  const devices = Array.from({ length: workers }, () => "x");
  const way = byHttp(stack, bare.url, devices, { "content-type": "application/json" });
  const stored = commits ? "yes" : "no";
  return {
    name: commits ? "bare relay, three commits in a row" : "bare relay, no commits",
    promises: { "stored before the device is asked": stored, "at most once": "not looked at", "answer stored": stored },
    pids: [bare.cloud.pid, bare.hub.pid],
    ...way,
  };
}

/** PUTs of one worker a device, each on a connection of its own; what the stack has ends with them. */
function byHttp(
  stack: AsyncDisposableStack,
  url: string,
  devices: readonly string[],
  headers: Readonly<Record<string, string>>,
): Pick<Way, "trip" | typeof Symbol.asyncDispose> {
  const clients = devices.map((device) => ({
    client: stack.adopt(new Client(url), (client) => client.close()),
    path: `/api/devices/${device}/services/LightColor.hue`,
  }));
  const all = stack.move();
  return {
    async trip(worker, value) {
      const { client, path } = clients[worker] ?? {};
      if (client === undefined || path === undefined) throw new Error(`there is no worker ${worker}`);
      const answer = await client.request({ method: "PUT", path, headers, body: writeOf(value) });
      const text = await answer.body.text();
      if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${text}`);
      expectValue(text, value);
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
