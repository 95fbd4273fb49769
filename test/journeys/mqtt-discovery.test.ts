/** Things behind a real broker that discovery describes: the cloud knows the values that they publish, and commands reach the thing meant. */

import { connectAsync, type MqttClient } from "mqtt";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DriverHome } from "../parts/driver-home.ts";
import { eventually } from "../parts/eventually.ts";
import type { Mosquitto } from "../parts/mosquitto.ts";
import { startMosquitto } from "../parts/mosquitto.ts";

const THING = "02-AA-00-00-00-01";
const DEVICE = { identifiers: ["thing"], name: "Thing", connections: [["mac", "02:aa:00:00:00:01"]] };
const relay = (name: string) => ({ command_topic: `${name}/set`, state_topic: name });

describe("things that discovery describes", () => {
  const stack = new AsyncDisposableStack();
  const commands: string[] = [];
  let one: DriverHome;
  let broker: Mosquitto;
  let thing: MqttClient;

  beforeAll(async () => {
    broker = stack.use(await startMosquitto());
    thing = await connectAsync(broker.url);
    stack.defer(() => thing.endAsync(true));
    thing.on("message", (topic, payload) => commands.push(`${topic} ${payload}`));
    await thing.subscribeAsync("+/set");
    await announce("switch/heater", relay("heater"));
    await announce("switch/pump", relay("pump"));
    await announce("sensor/t", { device_class: "temperature", unit_of_measurement: "°C", state_topic: "t" });
    const expiring = { device_class: "humidity", unit_of_measurement: "%", state_topic: "h", expire_after: 1 };
    await announce("sensor/h", expiring);
    const cover = { position_topic: "c", set_position_topic: "c/set", position_open: 0, position_closed: 100 };
    await announce("cover/c", cover);
    const light = { schema: "json", command_topic: "l/set", state_topic: "l", supported_color_modes: ["brightness"] };
    await announce("light/l", { ...light, brightness: true });
    one = stack.use(await DriverHome.start({ mqtt: { broker: broker.url, admit: "all" } }));
    await one.found(THING);
  });
  afterAll(() => stack.disposeAsync());

  async function announce(id: string, options: object | undefined): Promise<void> {
    const payload = options
      ? JSON.stringify({ unique_id: id, name: id.slice(id.indexOf("/") + 1), ...options, device: DEVICE })
      : "";
    await thing.publishAsync(`homeassistant/${id}/config`, payload, { retain: true, qos: 1 });
  }

  const say = (topic: string, payload: string) => thing.publishAsync(topic, payload, { qos: 1 });
  /** @param value left out: none */
  const becomes = (selector: string, value?: unknown) =>
    eventually(`${selector} is ${value}`, async () => (await one.home.cached(THING, selector))?.value === value);

  it("have no value when they publish none, or are silent for longer than their values last", async () => {
    for (const word of ["nan", "inf", "unavailable"]) {
      await say("t", "21.5");
      await becomes("Temperature.celsius", 21.5);
      await say("t", word);
      await becomes("Temperature.celsius");
    }
    await say("h", "40");
    await one.deliveredValue("Humidity", 40);
    await becomes("Humidity.percent");
  });

  it("have no position out of range, and no level without a topic", async () => {
    for (const position of ["130", "-1"]) {
      await say("c", "40");
      await becomes("Cover.position", 60);
      await say("c", position);
      await becomes("Cover.position");
    }
    await say("l", '{"state":"ON","brightness":255}');
    await becomes("LightLevel.level", 100);
    await say("l", '{"state":"OFF"}');
    await becomes("LightLevel.level", 0);
    await say("l", '{"state":"ON"}');
    await becomes("LightLevel.level");
  });

  it("are commanded each at its own address when others are added and removed", async () => {
    await say("heater", "OFF");
    await say("pump", "ON");
    // The light has the switch between them.
    await becomes("Switch:0.on", false);
    await becomes("Switch:2.on", true);
    await announce("switch/aux", relay("aux"));
    await say("aux", "ON");
    await eventually("aux has come", async () => {
      await say("aux", "ON");
      return (await one.home.cached(THING, "Switch:3.on"))?.value === true;
    });
    await one.home.put(THING, "Switch:0.on", true, 1);
    await eventually("the heater is commanded", async () => commands.length > 0);
    expect(commands).toEqual(["heater/set ON"]);
    await announce("switch/heater", undefined);
    await eventually(
      "the heater has gone",
      async () => (await one.home.put(THING, "Switch:0.on", false, 1)).status !== 200,
    );
    await becomes("Switch:2.on", true);
    expect(commands.filter((command) => !command.startsWith("heater/set"))).toEqual([]);
  });
});
