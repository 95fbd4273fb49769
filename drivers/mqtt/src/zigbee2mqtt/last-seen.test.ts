/** A dead Zigbee device beside a steady one: zigbee2mqtt repeats what it remembers of both. */
import { expect, test } from "vitest";
import { BrokerHome } from "../broker-home.fixture.ts";
import { binary, LAMP_ID, listed, numeric } from "./described-device.fixture.ts";
import { zigbee2mqttDialect } from "./zigbee2mqtt-dialect.ts";

const CELSIUS = { service: "Temperature", index: "0", property: "celsius" };
const [BEFORE, AFTER] = ["2026-11-28T07:00:00.000Z", "2026-11-28T07:05:00.000Z"];

async function home() {
  const one = new BrokerHome({ dialects: [zigbee2mqttDialect("z")] });
  one.broker.say("z/bridge/state", { state: "online" }, true);
  const state = { type: "switch", features: [{ ...binary("state", "ON", "OFF", 3) }] };
  one.broker.say("z/bridge/devices", [listed([numeric("temperature", { unit: "°C" }), state])], true);
  await one.pass(1000);
  /** How often the temperature was reported to the host. */
  const reported = async (message: object) => {
    const before = one.host.timesOf(LAMP_ID, CELSIUS);
    one.broker.say("z/kitchen/lamp", message);
    await one.pass(1000);
    return one.host.timesOf(LAMP_ID, CELSIUS) - before;
  };
  return { one, reported, [Symbol.asyncDispose]: () => one[Symbol.asyncDispose]() };
}

test("what zigbee2mqtt repeats without having heard the device is no newer, and what the device repeats is", async () => {
  await using all = await home();
  const { one, reported } = all;
  expect(await reported({ temperature: 21, last_seen: BEFORE })).toBe(1);
  expect(await reported({ temperature: 21, last_seen: BEFORE })).toBe(0);
  expect(await reported({ temperature: 21, last_seen: AFTER })).toBe(1);
  expect(await reported({ temperature: 22, last_seen: AFTER })).toBe(1);
  expect(await reported({ temperature: null, last_seen: AFTER })).toBe(1);
  expect(one.host.valueOf(LAMP_ID, CELSIUS)).toBe(null);
});

test("where the time of reception is not published, each message counts", async () => {
  await using all = await home();
  expect([await all.reported({ temperature: 21 }), await all.reported({ temperature: 21 })]).toEqual([1, 1]);
});

test("a write that zigbee2mqtt alone confirms is confirmed, also when the device is silent meanwhile", async () => {
  await using all = await home();
  const { one, reported } = all;
  await reported({ temperature: 21, state: "ON", last_seen: BEFORE });
  one.broker.on("z/kitchen/lamp/set", () =>
    one.broker.say("z/kitchen/lamp", { temperature: 21, state: "ON", last_seen: BEFORE }),
  );
  const on = { service: "Switch", index: "0", property: "on" };
  const written = one.driver.write(LAMP_ID, on, true, one.attempt(3000));
  await one.pass(3500);
  expect(await written).toEqual({ kind: "value", value: true });
});
