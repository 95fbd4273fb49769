import { expect, test } from "vitest";
import { configTopic, deviceOfTopic, discoveryIdIn, parseSetTopic } from "./topics.ts";

const HUB = "02-00-00-00-00-01";
const LAMP = "00-1B-44-11-3A-B7";

test.for([
  [`porchlight/${HUB}/${LAMP}/Switch/0/on/set`, { service: "Switch", index: "0", property: "on" }],
  [
    `porchlight/${HUB}/${LAMP}/LightColor/12/hue,saturation/set`,
    { service: "LightColor", index: "12", property: "hue,saturation" },
  ],
  [`porchlight/${HUB}/${LAMP}/Switch/0/on`, undefined],
  [`porchlight/${HUB}/${LAMP}/Switch/0/on/get`, undefined],
  [`porchlight/${HUB}/${LAMP}/Switch/0/on/set/more`, undefined],
  [`porchlight/${HUB}/lamp/Switch/0/on/set`, undefined],
  [`porchlight/${HUB}/${LAMP}/Switch/00/on/set`, undefined],
  [`porchlight/${HUB}/${LAMP}/Switch/0/on,off/set`, undefined],
  [`porchlight/${LAMP}/${HUB}/Switch/0/on/set`, undefined],
  [`other/${HUB}/${LAMP}/Switch/0/on/set`, undefined],
] as const)("%s sets %j", ([topic, address]) => {
  expect(parseSetTopic(HUB, topic)).toEqual(address && { device: LAMP, address });
});

test.for([
  [`porchlight/${HUB}/${LAMP}/availability`, LAMP],
  [`porchlight/${HUB}/${LAMP}/Switch/0/on`, LAMP],
  [`porchlight/${HUB}/availability`, undefined],
  [`porchlight/${HUB}/${LAMP}`, undefined],
  [`porchlight/${LAMP}/${LAMP}/availability`, undefined],
] as const)("%s is of %j", ([topic, device]) => {
  expect(deviceOfTopic(HUB, topic)).toBe(device);
});

test("a config topic says which device it describes, also below a prefix of several levels", () => {
  const topic = configTopic("home/ha", "light", LAMP, "light_0");
  expect(topic).toBe("home/ha/light/porchlight_001b44113ab7/light_0/config");
  expect([discoveryIdIn("home/ha", topic), discoveryIdIn("home", topic)]).toEqual([
    "porchlight_001b44113ab7",
    undefined,
  ]);
});
