/** The world of discovery for the judge of a driver's things, raw values and fresh values: a thing behind a broker in memory, described as
 * firmware describes itself. */
import type { ComingThings, OpenWorld, RawCase } from "@porchlight/driver-kit/judge/world.suite.ts";
import { memoryStore } from "@porchlight/driver-kit/kept/memory-store.fixture.ts";
import type { Value } from "@porchlight/shared/model";
import { MemoryBroker } from "../broker/memory-broker.fixture.ts";
import { KeptThings } from "../device/kept-things.ts";
import { MqttDriver } from "../mqtt-driver.ts";
import { homeAssistantDialect } from "./home-assistant-dialect.ts";

const THING = "02-AA-00-00-00-11";
const BOARD = "02-AA-00-00-00-12";
const at = (service: string, property: string) => ({ service, index: "0", property });

/** Entities of the thing, of which the light has the first switch: what describes each, its property, a good message and what that is. */
const ENTITIES = {
  switch: [{ command_topic: "t/on/set" }, { ...at("Switch", "on"), index: "1" }, "ON", true],
  lock: [{ command_topic: "t/l" }, at("Lock", "locked"), "LOCKED", true],
  cover: [
    {
      command_topic: "t/c",
      position_topic: "t/cover",
      set_position_topic: "t/c",
      position_open: 0,
      position_closed: 100,
    },
    at("Cover", "position"),
    "60",
    40,
  ],
  sensor: [{ device_class: "temperature", unit_of_measurement: "°F" }, at("Temperature", "celsius"), "68", 20],
  binary_sensor: [{ device_class: "smoke" }, at("Smoke", "detected"), "OFF", false],
  light: [
    { schema: "json", command_topic: "t/li", brightness: true, supported_color_modes: ["hs"] },
    at("LightLevel", "level"),
    '{"state":"ON","brightness":102}',
    40,
  ],
} as const;
type Entity = keyof typeof ENTITIES;

const RAW: readonly (readonly [RawCase["kind"], Entity, string, Value])[] = [
  ["no value", "switch", "", null],
  ["no value", "light", '{"state":"ON","brightness":null}', null],
  ["member left out", "light", '{"state":"ON"}', 40],
  ["word for no value", "sensor", "unavailable", null],
  ["word for no value", "lock", "None", null],
  ["word for no value", "cover", "unknown", null],
  ["not a number", "sensor", "nan", null],
  ["not a number", "light", '{"state":"ON","brightness":NaN}', null],
  ["number as text", "light", '{"state":"ON","brightness":"51"}', 20],
  ["protocol marker", "light", '{"state":"ON","brightness":65535}', null],
  ["excess of rounding", "cover", "100.4", 0],
  ["share out of range", "cover", "130", null],
  ["measured out of range", "sensor", "302", 150],
  ["unlisted word", "lock", "77", null],
  ["unlisted word", "binary_sensor", "254", null],
  ["unlisted word", "switch", "half", null],
];

export const discoveryWorld: OpenWorld = ({ clock, random, log }) => {
  const broker = new MemoryBroker();
  const store = memoryStore();
  let [isOn, touched] = [false, 0];
  const tell = () => broker.say("t/switch", isOn ? "ON" : "OFF");
  for (const [component, [options]] of Object.entries(ENTITIES))
    describe(broker, THING, component, component, { state_topic: `t/${component}`, ...options });
  broker.on("t/on/set", (payload) => {
    touched += 1;
    isOn = payload === "ON";
    tell();
  });
  const nothing = () => undefined;
  return {
    make: (host) => {
      const kept = new KeptThings(store);
      const dialects = [homeAssistantDialect("homeassistant", "homeassistant", kept)];
      const admit = { all: true, edgeIds: new Set([THING]) };
      return MqttDriver.start({ on: "memory", admit, dialects, kept, open: broker.open, clock, random, log, host });
    },
    device: THING,
    property: ENTITIES.switch[1],
    touched: () => touched,
    actual: () => isOn,
    ...{ silence: nothing, speak: nothing, slow: nothing, sampleEarly: nothing },
    cut: () => broker.cut(),
    mend: () => broker.mend(),
    change: (value) => {
      isOn = value === true;
      tell();
    },
    repeat: tell,
    tries: () => broker.tries,
    held: () => broker.connections,
    leftAside: [],
    things: board(broker),
    rawValues: {
      cases: RAW.map(([kind, entity, raw, value]) => {
        const [, property, good, before] = ENTITIES[entity];
        const say = (text: string) => broker.say(`t/${entity}`, text);
        return {
          kind,
          raw: `${entity}: ${raw}`,
          property,
          before,
          value,
          sendBefore: () => say(good),
          send: () => say(raw),
        };
      }),
      cannot: {},
    },
  };
};

function board(broker: MemoryBroker): ComingThings {
  const ids = ["heater", "pump", "aux"] as const;
  const commanded: string[] = [];
  for (const id of ids) broker.on(`b/${id}/set`, () => commanded.push(id));
  return {
    ...{ device: BOARD, service: "Switch", property: "on", ids },
    // As firmware that numbers its topics does: which topic a relay has is another one each time.
    have: (relays) => {
      for (const place of [0, 1, 2]) {
        const id = relays[place];
        const options =
          id === undefined ? undefined : { unique_id: id, command_topic: `b/${id}/set`, state_topic: `b/${id}` };
        describe(broker, BOARD, "switch", `${place}`, options);
      }
    },
    commanded: () => commanded,
  };
}

function describe(
  broker: MemoryBroker,
  edgeId: string,
  component: string,
  object: string,
  options: object | undefined,
) {
  const device = { identifiers: [edgeId], connections: [["mac", edgeId.replaceAll("-", ":")]] };
  const stated = options ? { unique_id: object, ...options, device } : "";
  broker.say(`homeassistant/${component}/${edgeId}/${object}/config`, stated, true);
}
