/** Which Zigbee devices are there, by what the bridge says of itself and of each. */
import { expect, test } from "vitest";
import { BrokerHome } from "../broker-home.fixture.ts";
import { binary, LAMP, LAMP_ID, listed } from "./described-device.fixture.ts";
import { zigbee2mqttDialect } from "./zigbee2mqtt-dialect.ts";

/** The settings as zigbee2mqtt publishes them: a device's own have no word of its availability. */
const INFO = { config: { availability: { enabled: true }, devices: { [LAMP]: { friendly_name: "kitchen/lamp" } } } };

test.for([
  ["online", true],
  ["offline", false],
] as const)(
  "what the bridge reported of a device, %s, holds when a broker comes back that has lost it",
  async ([word, isLive]) => {
    await using one = new BrokerHome({ dialects: [zigbee2mqttDialect("z")] });
    const state = { type: "switch", features: [binary("state", "ON", "OFF", 7)] };
    one.broker.say("z/bridge/info", INFO, true);
    one.broker.say("z/bridge/devices", [listed([state])], true);
    one.broker.say("z/bridge/state", { state: "online" }, true);
    await one.pass(1000);
    expect(one.host.live.has(LAMP_ID), "before its availability is published").toBe(false);
    one.broker.say("z/kitchen/lamp/availability", { state: "online" });
    await one.pass(1000);
    expect(one.host.live.has(LAMP_ID)).toBe(true);
    one.broker.say("z/kitchen/lamp/availability", { state: word });
    await one.pass(1000);
    for (const topic of ["info", "devices", "state"]) one.broker.say(`z/bridge/${topic}`, "", true);
    one.broker.cut();
    one.broker.mend();
    await one.pass(60_000);
    expect(one.host.live.has(LAMP_ID), "until the bridge is back").toBe(false);
    one.broker.say("z/bridge/state", { state: "online" }, true);
    await one.pass(1000);
    expect(one.host.live.has(LAMP_ID)).toBe(isLive);
  },
);
