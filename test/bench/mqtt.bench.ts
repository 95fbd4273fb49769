/**
 * An agent with 500 devices behind a broker (Mosquitto), from its sources: memory and processor time with nothing to do, beside the same agent
 * without a broker; and the time from a publish to the event in the cloud's stream, beside the time until the broker itself hands it on.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readStatus } from "@porchlight/agent/ops/control/ask-agent.ts";
import { Porchlight } from "@porchlight/sdk";
import { systemClock } from "@porchlight/shared/kernel";
import { connectAsync } from "mqtt";
import { Api } from "../parts/api.ts";
import { eventually } from "../parts/eventually.ts";
import { startMosquitto } from "../parts/mosquitto.ts";
import { Program } from "../parts/program.ts";
import { rounds } from "../parts/rounds.ts";
import { type Idle, idle } from "./parts.ts";
import { median, print } from "./report.ts";

const DEVICES = 500;
const PUBLISHES = rounds(500, 5000);
const MB = 1e6;

const folder = mkdtempSync(join(tmpdir(), "porchlight-bench-"));
await using broker = await startMosquitto();
const publisher = await connectAsync(broker.url);
await describeDevices();

await using cloud = new Program("cloud", "cloud/src/main.ts", [
  ...["serve", "--port", "0", "--rate-limit", "off"],
  ...["--data", join(folder, "cloud")],
]);
const url = await cloud.line((line) => /^listening on (http\S+)$/.exec(line)?.[1]);
const login = { email: "bench@home.example", password: "a-long-and-quiet-password" };
const stranger = new Api(url);
const { environmentId } = await stranger.good<{ environmentId: string }>("POST", "/api/accounts", login);
const { token } = await stranger.good<{ token: string }>("POST", "/api/accounts/login", login);
const api = stranger.as(token);

const without = await measured("without", "", 0);
const withBroker = await measured("with", `drivers: {mqtt: {broker: "${broker.url}", admit: all}}\n`, DEVICES, latency);
print(`agent from its sources with ${DEVICES} devices behind a broker, idle: memory, MB (limit: without a broker)`, {
  measured: withBroker.residentBytes / MB,
  limit: without.residentBytes / MB,
  ratio: withBroker.residentBytes / without.residentBytes,
  goal: "told",
  private: withBroker.privateBytes / MB,
  "private without": without.privateBytes / MB,
});
print(`agent with ${DEVICES} devices behind a broker, idle: processor, % of a core`, {
  measured: 100 * withBroker.processor,
  limit: 100 * without.processor,
  ratio: withBroker.processor / without.processor,
  goal: "< 1 %",
});
await publisher.endAsync();
rmSync(folder, { recursive: true, force: true });

/** As zigbee2mqtt does: all in one message, each with a topic of its own. */
async function describeDevices(): Promise<void> {
  const expose = (property: string, unit: string) => ({ type: "numeric", name: property, property, access: 1, unit });
  const exposes = [
    expose("temperature", "°C"),
    expose("humidity", "%"),
    expose("pressure", "hPa"),
    expose("battery", "%"),
  ];
  const definition = { vendor: "Example", model: "Climate sensor", exposes };
  const devices = Array.from({ length: DEVICES }, (_, at) => ({
    ...{ ieee_address: `0x00158d00${at.toString(16).padStart(8, "0")}`, type: "EndDevice", definition },
    friendly_name: `sensor ${at}`,
  }));
  const kept = (topic: string, payload: unknown) =>
    publisher.publishAsync(topic, JSON.stringify(payload), { retain: true, qos: 1 });
  await kept("zigbee2mqtt/bridge/state", { state: "online" });
  await kept("zigbee2mqtt/bridge/devices", devices);
}

async function measured(name: string, config: string, devices: number, then?: () => Promise<void>): Promise<Idle> {
  const data = join(folder, name);
  const file = join(folder, `${name}.yaml`);
  const client = await api.good<{ id: string }>("POST", "/api/clients", { environmentId });
  const made = await api.good<{ token: string }>("POST", `/api/clients/${client.id}/tokens`);
  writeFileSync(file, config);
  writeFileSync(`${data}.token`, made.token, { mode: 0o600 });
  const args = ["run", "--config", file, "--cloud", url, "--data", data, "--token-file", `${data}.token`];
  await using agent = new Program("agent", "agent/src/main.ts", args);
  await eventually("all devices are live", async () => {
    const answer = await readStatus(data, systemClock);
    if (answer.kind !== "running" || !answer.status.tunnel.live) return false;
    return answer.status.devices.filter(({ live }) => live).length === devices && answer.status.queue.records === 0;
  });
  const found = await idle(agent.pid);
  await then?.();
  return found;
}

/** One after another, each to another device. */
async function latency(): Promise<void> {
  const porchlight = new Porchlight({ baseUrl: url, token });
  const ended = new AbortController();
  const seen = new Map<unknown, () => void>();
  const opened = Promise.withResolvers<void>();
  const reading = (async () => {
    for await (const item of porchlight.events({ signal: ended.signal, onConnection: () => opened.resolve() })) {
      if (item.kind === "event" && item.event.type === "property.changed") seen.get(item.event.data.item.value)?.();
    }
  })().catch(() => undefined);
  await opened.promise;
  const [toStream, toNeighbour]: [number[], number[]] = [[], []];
  const neighbour = await connectAsync(broker.url);
  await neighbour.subscribeAsync("zigbee2mqtt/+");
  for (let n = 0; n < PUBLISHES; n++) {
    const value = 10 + n / 1000;
    const inStream = new Promise<void>((resolve) => void seen.set(value, resolve));
    const handedOn = new Promise<void>((resolve) => void neighbour.once("message", () => resolve()));
    const at = performance.now();
    const since = (what: number[]) => () => void what.push(performance.now() - at);
    publisher.publish(`zigbee2mqtt/sensor ${n % DEVICES}`, JSON.stringify({ temperature: value }));
    await Promise.all([inStream.then(since(toStream)), handedOn.then(since(toNeighbour))]);
  }
  ended.abort();
  await reading;
  await neighbour.endAsync();
  const sorted = toStream.sort((a, b) => a - b);
  print(
    "publish of a device behind a broker to the event in the cloud's stream, median ms (limit: to another client of the broker)",
    {
      measured: median(toStream),
      limit: median(toNeighbour),
      ratio: median(toStream) / median(toNeighbour),
      goal: "told",
      p99: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN,
      publishes: PUBLISHES,
    },
  );
}
