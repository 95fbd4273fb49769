/**
 * The hub's own devices on a real broker: simulated devices, an agent that publishes them, and our own reader of Home Assistant's
 * discovery in the place of Home Assistant.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { attemptOf } from "@porchlight/driver-kit";
import { FakeHost } from "@porchlight/driver-kit/host/fake-host.fixture.ts";
import { type BrokerConnection, openByMqttJs } from "@porchlight/driver-mqtt/broker";
import type { Dialect } from "@porchlight/driver-mqtt/device/mqtt-device.ts";
import { Payload } from "@porchlight/driver-mqtt/device/payload.ts";
import { homeAssistantDialect } from "@porchlight/driver-mqtt/home-assistant/home-assistant-dialect.ts";
import { MqttDriver } from "@porchlight/driver-mqtt/mqtt-driver.ts";
import { seededRandom, silentLog, systemClock } from "@porchlight/shared/kernel";
import type { Value } from "@porchlight/shared/model";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../parts/eventually.ts";
import { type Mosquitto, startMosquitto } from "../parts/mosquitto.ts";
import { Program } from "../parts/program.ts";
import { HALL_SWITCH, LAMP, SimulatorProgram, THERMOSTAT } from "../parts/simulator.ts";

const HUB = "02-00-00-00-00-01";
const BASE = `porchlight/${HUB}`;
const USERS = { porchlight: "a", homeassistant: "b", guest: "c" };
/** Those of the document, and a user who may only look. */
const ACL = [
  "user porchlight",
  `topic readwrite ${BASE}/#`,
  "topic readwrite homeassistant/+/+/+/config",
  "topic read homeassistant/status",
  "user homeassistant",
  "topic readwrite homeassistant/#",
  "topic read porchlight/#",
  `topic write ${BASE}/+/+/+/+/set`,
  "user guest",
  "topic read #",
];

/** What each has at least, in the standard classes. */
const STANDARD = new Map([
  [LAMP, ["Switch:0.on", "LightLevel:0.level", "LightColor:0.hue", "LightColor:0.saturation"]],
  [THERMOSTAT, ["Thermostat:0.mode", "Thermostat:0.target", "Temperature:0.celsius"]],
]);

/** Takes the messages of hubs as those of any program, which no hub does. */
function ofAnyProgram(dialect: Dialect): Dialect {
  return {
    name: dialect.name,
    filters: dialect.filters,
    take({ topic, payload, retained }) {
      const { origin: _, ...config } = payload.object ?? {};
      const text = payload.object ? JSON.stringify(config) : payload.text;
      return dialect.take({ topic, payload: new Payload(text), retained });
    },
    get devices() {
      return dialect.devices;
    },
    get ignored() {
      return dialect.ignored;
    },
    get problems() {
      return dialect.problems;
    },
  };
}

describe("a hub that publishes its devices", () => {
  const stack = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "porchlight-publish-"));
  const data = join(folder, "hub");
  const host = new FakeHost();
  /** Topics with their retained messages, and everything that comes. */
  const kept = new Map<string, string>();
  let broker: Mosquitto;
  let simulator: SimulatorProgram;
  let agent: Program;
  let reader: MqttDriver;
  let connection: BrokerConnection;

  const opened = (clientId: string, user: keyof typeof USERS = "homeassistant") =>
    openByMqttJs({ url: broker.url, clientId, user, password: { reveal: () => USERS[user] } });
  const startAgent = () => {
    const config = join(folder, "agent.yaml");
    const mqtt = { broker: broker.url, user: "porchlight", password: USERS.porchlight, admit: "all", publish: true };
    writeFileSync(config, JSON.stringify({ drivers: { mqtt } }), { mode: 0o600 });
    const serial = simulator.lines.flatMap((line) => ["--serial", line]);
    const args = [
      "run",
      "--cloud",
      "http://127.0.0.1:9",
      "--data",
      data,
      "--config",
      config,
      "--edge-id",
      HUB,
      ...serial,
    ];
    return new Program("agent", "agent/src/main.ts", args);
  };

  beforeAll(async () => {
    stack.defer(() => rmSync(folder, { recursive: true, force: true }));
    broker = stack.use(await startMosquitto({ users: USERS, acl: ACL }));
    simulator = stack.use(await SimulatorProgram.start(join(folder, "lines")));
    agent = startAgent();
    stack.defer(() => agent[Symbol.asyncDispose]());
    const open = opened("watcher");
    connection = stack.use(
      await open(({ topic, payload }) => {
        const text = Buffer.from(payload).toString();
        if (text === "") kept.delete(topic);
        else kept.set(topic, text);
      }, new AbortController().signal),
    );
    await connection.subscribe(["#"]);
    reader = stack.use(
      MqttDriver.start({
        on: broker.url,
        admit: { all: true, edgeIds: new Set(simulator.devices) },
        dialects: [ofAnyProgram(homeAssistantDialect("homeassistant", "homeassistant"))],
        open: opened("reader"),
        clock: systemClock,
        random: seededRandom(1),
        log: silentLog,
        host,
      }),
    );
    // A device is described by one message for each entity: it can come with a part of them.
    await eventually("all have come with what they have", async () =>
      simulator.devices.every(
        (edgeId) =>
          reader.has(edgeId) && (STANDARD.get(edgeId) ?? []).every((selector) => selectors(edgeId).includes(selector)),
      ),
    );
  });
  afterAll(() => stack.disposeAsync());

  const write = (edgeId: string, selector: string, value: Value) => {
    const [service = "", property = ""] = selector.split(".");
    const permit = { deadline: systemClock.monotonic() + 10_000, mayTouch: () => true };
    return reader.write(edgeId, { service, index: "0", property }, value, attemptOf(systemClock, permit));
  };
  const selectors = (edgeId: string) =>
    (host.descriptions.get(edgeId) ?? []).flatMap(({ service, index, properties }) =>
      properties.map(({ property }) => `${service}:${index}.${property}`),
    );

  it("has every device understood by Home Assistant, with nothing left aside", () => {
    const { homeAssistant } = reader.status().dialects;
    expect([homeAssistant?.ignored, homeAssistant?.problems]).toEqual([{}, []]);
    for (const [edgeId, standard] of STANDARD) expect(selectors(edgeId)).toEqual(expect.arrayContaining(standard));
  });

  it("does not take its own devices for a broker's", async () => {
    await using status = new Program("status", "agent/src/main.ts", ["status", "--json", "--data", data]);
    const { devices, links } = JSON.parse(await status.line((line) => line));
    expect(devices.map(({ edgeId }: { edgeId: string }) => edgeId).sort()).toEqual([...simulator.devices].sort());
    const detail = (name: string) => links.find((link: { name: string }) => link.name.startsWith(name))?.detail;
    expect(detail("mqtt").dialects.homeAssistant.ignored).toEqual({ ofHub: expect.any(Number) });
    expect(detail("publish")).toMatchObject({ publishes: "connected", devices: simulator.devices.length });
  });

  it("switches a lamp on a command, and publishes what has become of it", async () => {
    await simulator.tell(`set ${LAMP} Switch.on false`);
    await eventually("the lamp is off", async () => kept.get(`${BASE}/${LAMP}/Switch/0/on`) === "false");
    expect(await write(LAMP, "Switch.on", true)).toEqual({ kind: "value", value: true });
    expect(await simulator.value(LAMP, "Switch.on")).toBe(true);
    expect(await write(LAMP, "LightColor.hue", 210)).toMatchObject({ kind: "value", value: 210 });
    expect(await simulator.value(LAMP, "LightColor.hue")).toBe(210);
  });

  it("gets no command of a client that the broker does not let write", async () => {
    const touched = (await simulator.writes(HALL_SWITCH)).length;
    await using guest = await opened("guest", "guest")(() => undefined, new AbortController().signal);
    await guest.publish({ topic: `${BASE}/${HALL_SWITCH}/Switch/0/on/set`, payload: "true" });
    // What is published after it has come, so that the hub would have received it.
    expect(await write(LAMP, "LightColor.hue", 12)).toMatchObject({ kind: "value", value: 12 });
    expect(await simulator.writes(HALL_SWITCH)).toHaveLength(touched);
  });

  it("publishes a device's own change at once", async () => {
    await simulator.tell(`set ${HALL_SWITCH} Switch.on true`);
    await eventually("the switch is on", async () => kept.get(`${BASE}/${HALL_SWITCH}/Switch/0/on`) === "true");
  });

  it("has its availability published by the broker when it dies, and is whole again after a broker without a memory", async () => {
    await agent.kill();
    await eventually("the hub is offline", async () => kept.get(`${BASE}/availability`) === "offline");
    const journal = commandsIn(join(data, "agent.db"));
    expect(journal).toContainEqual({
      service: "Switch",
      property: "on",
      value: true,
      local: true,
      outcome: "confirmed",
    });
    agent = startAgent();
    await eventually("the hub is online", async () => kept.get(`${BASE}/availability`) === "online");
    await broker.kill();
    await broker.restart();
    await eventually("everything is published again", async () => {
      const watcher = opened("watcher again");
      const found = new Set<string>();
      await using again = await watcher(
        ({ topic, retained }) => retained && found.add(topic),
        new AbortController().signal,
      );
      await again.subscribe([`${BASE}/#`, "homeassistant/#"]);
      await new Promise((resolve) => setTimeout(resolve, 200));
      return found.has(`${BASE}/${LAMP}/Switch/0/on`) && [...found].some((topic) => topic.endsWith("/light_0/config"));
    });
  });
});

/** The commands of a hub's journal that have ended. */
function commandsIn(path: string): unknown[] {
  const db = new Database(path, { readonly: true });
  try {
    const rows = db.prepare("SELECT target, ended FROM journal WHERE ended IS NOT NULL").all();
    return rows.map((row) => {
      const { target, ended } = row as { readonly target: string; readonly ended: string };
      const { service, property, value, local } = JSON.parse(target);
      return { service, property, value, local, outcome: JSON.parse(ended).outcome };
    });
  } finally {
    db.close();
  }
}
