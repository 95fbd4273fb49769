/** What hubs say of their own devices on a broker, which is not for hubs. */
import { expect, test } from "vitest";
import { described, discovered, tell } from "./discovery.fixture.ts";

const LAMP = { name: "Lamp", command_topic: "lamp/set", state_topic: "lamp", device: { identifiers: ["lamp"] } };

test.for([
  ["the topic of one entity", { "switch/lamp/on": { ...LAMP, origin: { name: "Porchlight", sw_version: "9" } } }],
  ["a short spelling", { "switch/lamp/on": { ...LAMP, o: { name: "Porchlight" } } }],
  [
    "the message of a whole device",
    {
      "device/lamp": {
        device: LAMP.device,
        o: { name: "Porchlight" },
        cmps: { on: { p: "switch", command_topic: "c" } },
      },
    },
  ],
] as const)("a device that a hub reports is no device of the broker, on %s", ([, discovery]) => {
  const dialect = discovered(discovery);
  expect([dialect.devices.size, dialect.ignored, dialect.problems]).toEqual([0, { ofHub: 1 }, []]);
});

test.for([undefined, { name: "Zigbee2MQTT" }, { name: 1 }, "Porchlight", null])(
  "a device of the origin %j is one of the broker",
  (origin) => {
    const dialect = discovered({ "switch/lamp/on": { ...LAMP, origin } });
    expect([...dialect.devices.values()].map(described)).toEqual([{ "Switch:0.on": "rwn" }]);
    expect(dialect.ignored).toEqual({});
  },
);

test("a device that another program announces on the topic of a hub's former device is accepted", () => {
  const dialect = discovered({ "switch/lamp/on": { ...LAMP, origin: { name: "Porchlight" } } });
  tell(dialect, { "switch/lamp/on": LAMP });
  expect([dialect.devices.size, dialect.ignored]).toEqual([1, {}]);
});
