import { settle } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import { BrokerHome } from "./broker-home.fixture.ts";
import { homeAssistantDialect } from "./home-assistant/home-assistant-dialect.ts";
import { longList } from "./hostile-descriptions.fixture.ts";
import { zigbee2mqttDialect } from "./zigbee2mqtt/zigbee2mqtt-dialect.ts";

const LISTS = "zigbee2mqtt/bridge/devices";
const LONG = longList({ devices: 300, values: 20 });
const SHORT = longList({ devices: 2, values: 1 });

function zigbeeHome(): BrokerHome {
  return new BrokerHome({ dialects: [zigbee2mqttDialect("zigbee2mqtt")] });
}
const admitted = ({ driver }: BrokerHome) => driver.status().devices.admitted;

test("a list that comes while one before it is read counts", async () => {
  await using home = zigbeeHome();
  await home.pass(1000);
  home.broker.say(LISTS, LONG, true);
  await home.clock.advance(50);
  expect(admitted(home), "it is not read at once").toBe(0);
  home.broker.say(LISTS, SHORT, true);
  await home.pass(5000);
  await settle(500);
  expect(admitted(home)).toBe(2);
});

test("a list that is cut off removes nothing, also when it comes right after a whole one", async () => {
  await using home = zigbeeHome();
  await home.pass(1000);
  home.broker.say(LISTS, LONG, true);
  home.broker.say(LISTS, LONG.slice(0, -100), true);
  await home.pass(5000);
  await settle(500);
  expect(admitted(home)).toBe(300);
  expect(home.driver.status().dialects.zigbee2mqtt?.problems).toEqual([
    `${LISTS}: the message is cut off or no JSON; the devices stay as they were described before`,
  ]);
});

test("a connection that is lost in the middle drops the rest, and the next one reads all of it", async () => {
  await using home = zigbeeHome();
  await home.pass(1000);
  home.broker.say(LISTS, LONG, true);
  await home.clock.advance(50);
  home.broker.cut();
  await settle(500);
  expect(admitted(home)).toBe(0);
  home.broker.mend();
  await home.pass(60_000);
  await settle(500);
  expect(admitted(home)).toBe(300);
});

test("a message that comes while its device is described otherwise again is read by the last description", async () => {
  await using home = new BrokerHome({ dialects: [homeAssistantDialect("homeassistant", "homeassistant")] });
  const describe = (device: string, value_template: string) =>
    home.broker.say(
      `homeassistant/sensor/${device}/config`,
      { state_topic: `${device}/state`, value_template, unique_id: device, device: { identifiers: [device] } },
      true,
    );
  await home.pass(1000);
  describe("d", "1{{ value }}");
  await home.pass(10_000);
  for (let at = 0; at < 600; at += 1) describe(`other${at}`, "{{ value }}");
  describe("d", "2{{ value }}");
  await settle(500);
  await home.clock.advance(3200);
  describe("d", "3{{ value }}");
  home.broker.say("d/state", "7");
  await home.pass(10_000);
  await settle(500);
  expect(home.reports.map(([, , value]) => value)).toEqual(["37"]);
});
