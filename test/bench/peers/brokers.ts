/** The peers: the same round trip through other people's brokers, each with its own setting and with the client that its users have. */
import { connect } from "@nats-io/transport-node";
import { connectAsync } from "mqtt";
import { startMosquitto } from "../../parts/mosquitto.ts";
import { startNats } from "../../parts/nats-server.ts";
import { Program } from "../../parts/program.ts";
import { startRedis } from "../../parts/redis-server.ts";
import { ANSWERS, COMMANDS, entriesOf, MOST_KEPT, TOPIC } from "./names.ts";
import { RedisClient } from "./redis-client.ts";
import { Answers, expectValue, type Promises, type Way, writeOf } from "./way.ts";

const NOTHING: Promises = {
  "stored before the device is asked": "no",
  "at most once": "yes: what is lost is not sent again",
  "answer stored": "no",
};

/** A subject of the caller's own, where answers go. */
const ANSWER_TOPIC = "callers.1.answers";
const PATIENCE_MS = 30_000;

async function startDevice(...args: readonly string[]): Promise<Program> {
  const device = new Program("device", "test/bench/peers/device.ts", args);
  await device.line((line) => (line === "ready" ? true : undefined));
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
    answers.heard(String(properties?.correlationData), payload.toString()),
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
  // One that writes, and one that waits for answers: a connection that waits does nothing else.
  const [writer, reader] = [
    stack.use(await RedisClient.connect(broker.port)),
    stack.use(await RedisClient.connect(broker.port)),
  ];
  const answers = new Answers();
  const readOn = async () => {
    for (let last = "$"; ; ) {
      for (const { entry, id, text } of entriesOf(await reader.ask("XREAD", "BLOCK", "0", "STREAMS", ANSWERS, last))) {
        answers.heard(id, text);
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
