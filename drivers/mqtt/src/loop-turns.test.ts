import { LONGEST_TURN_MS, longestTurn } from "@porchlight/driver-kit/turn-meter.fixture.ts";
import { CORNERS } from "@porchlight/driver-templates/jinja-corners.fixture.ts";
import { seededRandom, settle } from "@porchlight/shared/kernel";
import { describe, expect, test } from "vitest";
import { BrokerHome } from "./broker-home.fixture.ts";
import { homeAssistantDialect } from "./home-assistant/home-assistant-dialect.ts";
import { HOSTILE_DESCRIPTIONS, longList } from "./hostile-descriptions.fixture.ts";
import { HOSTILE_MESSAGE, HOSTILE_TEMPLATES } from "./hostile-templates.fixture.ts";
import { tasmotaDialect } from "./tasmota/tasmota-dialect.ts";
import { zigbee2mqttDialect } from "./zigbee2mqtt/zigbee2mqtt-dialect.ts";

/** The longest turn of a home with all dialects while this comes in. */
function longestWhile(comesIn: (home: BrokerHome) => Promise<void>): Promise<number> {
  return longestTurn(async () => {
    const dialects = [
      zigbee2mqttDialect("zigbee2mqtt"),
      tasmotaDialect(),
      homeAssistantDialect("homeassistant", "homeassistant"),
    ];
    await using home = new BrokerHome({ dialects });
    await home.pass(1000);
    await comesIn(home);
    // Everything that takes turns has had them.
    await settle(1500);
  });
}

/** One sensor for each template; all of them hear one topic. */
async function sayTemplates({ broker }: BrokerHome, templates: readonly string[], device = "d"): Promise<void> {
  for (const [at, value_template] of templates.entries()) {
    const config = { state_topic: "hostile/state", value_template, unique_id: `${device}-${at}`, name: `${at}` };
    broker.say(`homeassistant/sensor/${device}${at}/config`, { ...config, device: { identifiers: [device] } }, true);
  }
  await settle(1);
}

describe("no turn of the loop is long", () => {
  test.for(HOSTILE_TEMPLATES)("while a message goes through %s", async (template) => {
    const most = await longestWhile(async (home) => {
      await sayTemplates(home, [template]);
      await home.pass(10_000);
      expect(home.host.live.size).toBe(1);
      for (const payload of [HOSTILE_MESSAGE, "a".repeat(60_000), `${"a".repeat(5000)}!`]) {
        home.broker.say("hostile/state", payload);
        await settle();
      }
    });
    expect(most).toBeLessThan(LONGEST_TURN_MS);
  });

  test("while one message goes through all of them at once, and through 1,000 entities of 100 devices", async () => {
    const most = await longestWhile(async (home) => {
      await sayTemplates(home, HOSTILE_TEMPLATES);
      const corners = CORNERS.map(([template]) => template);
      await sayTemplates(home, corners, "corners");
      const work = "{% for i in range(900) %}{% set b = value_json.list | length %}{% endfor %}{{ 1 }}";
      const ten = Array.from({ length: 10 }, () => work);
      for (let at = 0; at < 100; at += 1) await sayTemplates(home, ten, `many-${at}-`);
      await home.pass(10_000);
      home.broker.say("hostile/state", HOSTILE_MESSAGE);
      await settle(1500);
      expect(home.host.live.size).toBe(102);
    });
    expect(most).toBeLessThan(LONGEST_TURN_MS);
  });

  test("while 200 messages come at once, each of which makes its templates work", async () => {
    const most = await longestWhile(async (home) => {
      await sayTemplates(home, ["{% for i in range(1000) %}{% set b = value | upper %}{% endfor %}{{ value }}"]);
      await home.pass(10_000);
      for (let at = 0; at < 200; at += 1) home.broker.say("hostile/state", `${at}${"x".repeat(5000)}`);
      await home.pass(60_000);
    });
    expect(most).toBeLessThan(LONGEST_TURN_MS);
  });

  test.for(HOSTILE_DESCRIPTIONS)("while a publisher describes %s", async ([, describes]) => {
    const payload = describes();
    const most = await longestWhile(async (home) => {
      for (const topic of [
        "zigbee2mqtt/bridge/devices",
        "zigbee2mqtt/bridge/info",
        "homeassistant/switch/a/config",
        "tasmota/discovery/AABBCCDDEEFF/config",
        "tasmota/discovery/AABBCCDDEEFF/sensors",
      ]) {
        home.broker.say(topic, payload, true);
        await settle();
      }
      await home.pass(100);
    });
    expect(most).toBeLessThan(LONGEST_TURN_MS);
  });

  test("while a bridge that has described 1,000 devices describes all of them otherwise", async () => {
    const most = await longestWhile(async (home) => {
      const list = longList({ devices: 1000, values: 8 });
      home.broker.say("zigbee2mqtt/bridge/devices", list, true);
      await home.pass(100);
      await settle(1500);
      home.broker.say("zigbee2mqtt/bridge/state", "online", true);
      await settle(1500);
      expect(home.host.live.size).toBe(1000);
      home.broker.say("zigbee2mqtt/bridge/info", { config: { advanced: { last_seen: "ISO_8601" } } }, true);
      await home.pass(5000);
    });
    expect(most).toBeLessThan(LONGEST_TURN_MS);
  });

  test("while noise comes on every topic that a dialect hears", async () => {
    const random = seededRandom(43);
    const most = await longestWhile(async (home) => {
      for (let at = 0; at < 300; at += 1) {
        const noise = Buffer.from(random.bytes(1 + (at % 200))).toString("latin1");
        for (const topic of [
          "zigbee2mqtt/bridge/devices",
          "homeassistant/light/a/config",
          "tasmota/discovery/AABBCCDDEEFF/sensors",
        ])
          home.broker.say(
            topic,
            at % 2 === 0 ? noise : JSON.stringify([{ friendly_name: noise, definition: { exposes: [noise] } }]),
          );
      }
      await home.pass(60_000);
    });
    expect(most).toBeLessThan(LONGEST_TURN_MS);
  });
});
