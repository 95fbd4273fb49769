/** The process of a device behind a broker: it answers each write at once, as the devices in memory of our hub do. Arguments: `mqtt`, `nats` or `redis`, port, QoS of MQTT. */
import { connect } from "@nats-io/transport-node";
import { connectAsync } from "mqtt";
import { RedisClient } from "./redis-client.ts";
import { ANSWERS, answerTo, COMMANDS, entriesOf, GROUP, LAMP, MOST_KEPT, TOPIC } from "./round-trip.ts";

const [kind, port = "0", qos = "0"] = process.argv.slice(2);
if (kind === "mqtt") await serveMqtt();
else if (kind === "nats") await serveNats();
else await serveRedis();

async function serveMqtt(): Promise<void> {
  const level = qos === "2" ? 2 : 0;
  const client = await connectAsync(`mqtt://127.0.0.1:${port}`, {
    protocolVersion: 5,
    clientId: LAMP,
    clean: level === 0,
    properties: { sessionExpiryInterval: level === 0 ? 0 : 3600 },
  });
  client.on("message", (_topic, payload, { properties }) => {
    const { responseTopic, correlationData } = properties ?? {};
    if (responseTopic === undefined || correlationData === undefined) return;
    client.publish(responseTopic, answerTo(payload.toString()), { qos: level, properties: { correlationData } });
  });
  await client.subscribeAsync(TOPIC, { qos: level });
  process.stdout.write("ready\n");
}

async function serveNats(): Promise<void> {
  const connection = await connect({ servers: `127.0.0.1:${port}` });
  connection.subscribe(TOPIC, { callback: (_error, message) => void message.respond(answerTo(message.string())) });
  await connection.flush();
  process.stdout.write("ready\n");
}

/** Each entry is delivered to it once, by the record of the group; it does not ask again for entries delivered before a crash. */
async function serveRedis(): Promise<void> {
  const client = await RedisClient.connect(Number(port));
  await client.ask("XGROUP", "CREATE", COMMANDS, GROUP, "$", "MKSTREAM");
  process.stdout.write("ready\n");
  const next = () =>
    client.ask("XREADGROUP", "GROUP", GROUP, LAMP, "COUNT", "64", "BLOCK", "0", "STREAMS", COMMANDS, ">");
  for (let read = await next(); ; ) {
    const done = entriesOf(read).flatMap(({ entry, id, text }) => [
      client.ask("XADD", ANSWERS, "MAXLEN", "~", MOST_KEPT, "*", "id", id, "text", answerTo(text)),
      client.ask("XACK", COMMANDS, GROUP, entry),
    ]);
    // All of it in one write, with the next question behind it.
    const following = next();
    await Promise.all(done);
    read = await following;
  }
}
