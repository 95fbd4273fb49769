import { seededRandom, settle } from "@porchlight/shared/kernel";
import { describe, expect, test } from "vitest";
import { LONGEST_TURN_MS, longestTurn } from "../kit/turn-meter.fixture.ts";
import { BrokerHome } from "./broker-home.fixture.ts";
import { homeAssistantDialect } from "./home-assistant/home-assistant-dialect.ts";
import { HOSTILE_MESSAGE, HOSTILE_TEMPLATES } from "./hostile-templates.fixture.ts";
import { tasmotaDialect } from "./tasmota/tasmota-dialect.ts";
import { CORNERS } from "./template/jinja-corners.fixture.ts";
import { zigbee2mqttDialect } from "./zigbee2mqtt/zigbee2mqtt-dialect.ts";

const MEBIBYTE = 1024 * 1024;
const dialects = () => [
  zigbee2mqttDialect("zigbee2mqtt"),
  tasmotaDialect(),
  homeAssistantDialect("homeassistant", "homeassistant"),
];

/** One sensor for each template; all of them hear one topic. */
function sayTemplates({ broker }: BrokerHome, templates: readonly string[], device = "d"): void {
  for (const [at, value_template] of templates.entries()) {
    const config = { state_topic: "hostile/state", value_template, unique_id: `${device}-${at}`, name: `${at}` };
    broker.say(`homeassistant/sensor/${device}${at}/config`, { ...config, device: { identifiers: [device] } }, true);
  }
}

describe("no turn of the loop is long", () => {
  test.for(HOSTILE_TEMPLATES)("while a message goes through %s", async (template) => {
    await using home = new BrokerHome({ dialects: dialects() });
    await home.pass(1000);
    const most = await longestTurn(async () => {
      sayTemplates(home, [template]);
      await home.pass(10_000);
      for (const payload of [HOSTILE_MESSAGE, "a".repeat(60_000), `${"a".repeat(5000)}!`]) {
        home.broker.say("hostile/state", payload);
        await settle();
      }
    });
    expect(home.host.live.size).toBe(1);
    expect(most).toBeLessThan(LONGEST_TURN_MS);
  });

  test("while one message goes through all of them at once, and through 1,000 entities of 100 devices", async () => {
    await using home = new BrokerHome({ dialects: dialects() });
    await home.pass(1000);
    const most = await longestTurn(async () => {
      sayTemplates(home, HOSTILE_TEMPLATES);
      sayTemplates(
        home,
        CORNERS.map(([template]) => template),
        "corners",
      );
      const work = "{% for i in range(900) %}{% set b = value_json.list | length %}{% endfor %}{{ 1 }}";
      for (let at = 0; at < 100; at += 1)
        sayTemplates(
          home,
          Array.from({ length: 10 }, () => work),
          `many-${at}-`,
        );
      await home.pass(10_000);
      home.broker.say("hostile/state", HOSTILE_MESSAGE);
      await settle();
    });
    expect(most).toBeLessThan(LONGEST_TURN_MS);
  });

  test("while 200 messages come at once, each of which makes its templates work", async () => {
    await using home = new BrokerHome({ dialects: dialects() });
    await home.pass(1000);
    sayTemplates(home, ["{% for i in range(1000) %}{% set b = value | upper %}{% endfor %}{{ value }}"]);
    await home.pass(10_000);
    const most = await longestTurn(async () => {
      for (let at = 0; at < 200; at += 1) home.broker.say("hostile/state", `${at}${"x".repeat(5000)}`);
      await home.pass(60_000);
      await settle(200);
    });
    expect(most).toBeLessThan(LONGEST_TURN_MS);
  });

  test.for([
    ["a list of some 60 devices, each with 40 values", JSON.stringify(longList(MEBIBYTE / 2))],
    ["a list that is nested without end", `${"[".repeat(2 * MEBIBYTE)}${"]".repeat(2 * MEBIBYTE - 100)}`],
    [
      "an object with very many members",
      JSON.stringify(Object.fromEntries(Array.from({ length: 150_000 }, (_, at) => [`k${at}`, at]))),
    ],
    ["no JSON", "{".repeat(4 * MEBIBYTE - 100)],
  ] as const)("while a bridge says %s", async ([, payload]) => {
    await using home = new BrokerHome({ dialects: dialects() });
    await home.pass(1000);
    const most = await longestTurn(async () => {
      for (const topic of [
        "zigbee2mqtt/bridge/devices",
        "zigbee2mqtt/bridge/groups",
        "homeassistant/switch/a/config",
        "tasmota/discovery/AABBCCDDEEFF/config",
      ]) {
        home.broker.say(topic, payload, true);
        await settle();
      }
      await home.pass(10_000);
    });
    expect(most).toBeLessThan(LONGEST_TURN_MS);
  });

  test("while noise comes on every topic that a dialect hears", async () => {
    await using home = new BrokerHome({ dialects: dialects() });
    await home.pass(1000);
    const random = seededRandom(43);
    const most = await longestTurn(async () => {
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

/** What zigbee2mqtt lists, each device with some kilobytes. */
function longList(bytes: number): object[] {
  const list: object[] = [];
  for (let length = 0, at = 0; length < bytes; at += 1) {
    const exposes = Array.from({ length: 40 }, (_, n) => ({
      ...{
        type: "numeric",
        name: `value_${n}`,
        property: `value_${n}`,
        access: 7,
        value_min: 0,
        value_max: 100,
        unit: "%",
      },
      description: "x".repeat(80),
    }));
    const device = {
      ieee_address: `0x${at.toString(16).padStart(16, "0")}`,
      ...{ type: "Router", friendly_name: `device ${at}`, definition: { vendor: "v", model: `m${at}`, exposes } },
    };
    length += JSON.stringify(device).length + 1;
    if (length < bytes) list.push(device);
  }
  return list;
}
