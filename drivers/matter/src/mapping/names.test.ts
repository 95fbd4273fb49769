/** That clusters, attributes, commands and events are called as the specification calls them: one device that has all of them. */
import { ClusterModel, Matter } from "@matter/main/model";
import { expect, test } from "vitest";
import { describeEndpoints } from "./describe.ts";
import { endpoint } from "./endpoint.fixture.ts";

const clusters = Matter.children.filter(
  (each): each is ClusterModel => each instanceof ClusterModel && each.id !== undefined,
);
const named = new Map(clusters.map((each) => [each.propertyName, each]));

/** What decides what is made of a cluster, where a number does not. */
const STATED: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["measurementUnit", 0],
  ["acceptedCommandList", [0, 1, 2, 3, 128]],
  ["supportedModes", [{ label: "Quick", mode: 1 }]],
  ["supportedTemperatureLevels", ["Cold", "Warm"]],
  ["spinSpeeds", ["Low", "High"]],
  ["phaseList", ["rinse", "spin"]],
]);

function everything(deviceTypes: readonly number[] = [], without: readonly string[] = []) {
  const all = clusters.map((cluster) => {
    const attributes = cluster.attributes.map(
      (each) => [each.propertyName, STATED.get(each.propertyName) ?? 1] as const,
    );
    const features = cluster.features
      .map(({ title, name }) => lowered(title ?? name))
      .filter((name) => !without.includes(name));
    return [cluster.propertyName, { ...Object.fromEntries(attributes), featureMap: features }] as const;
  });
  const one = endpoint(1, { types: deviceTypes, clusters: Object.fromEntries(all) });
  // A device with everything has more services than a device may have: family by family.
  return [...named.keys()].flatMap((name) => {
    const state = all.find(([cluster]) => cluster === name)?.[1] ?? {};
    return describeEndpoints([
      { endpoint: endpoint(one.number, { types: deviceTypes, clusters: { [name]: state } }), index: "1" },
    ]);
  });
}

test("every attribute, command and event that is used is one of the specification", () => {
  const used = [...everything(), ...everything([], ["latchingSwitch", "hueSaturation"]), ...everything([0x15])];
  for (const { of, events = [], set, address, description } of used) {
    for (const { cluster, attribute } of of)
      expect(
        named.get(cluster)?.attributes.some((each) => each.propertyName === attribute),
        `${cluster}.${attribute}`,
      ).toBe(true);
    for (const { cluster, event } of events)
      expect(
        named.get(cluster)?.events.some((each) => each.propertyName === event),
        `${cluster}.${event}`,
      ).toBe(true);
    if (!set || address.property === "target") continue;
    const { send } = set(description.values?.[0] ?? (address.service === "LightTemperature" ? 3000 : 1), () => 1);
    if ("write" in send) continue;
    const { cluster, command, fields = {} } = send.command;
    const model = named.get(cluster)?.commands.find((each) => each.propertyName === command);
    const known = model?.children.map((each) => each.propertyName) ?? [];
    expect([
      `${cluster}.${command}`,
      model !== undefined,
      // A command that is like another has its fields from there.
      known.length === 0 ? [] : Object.keys(fields).filter((each) => !known.includes(each)),
    ]).toEqual([`${cluster}.${command}`, true, []]);
  }
});

test("every family finds its clusters", () => {
  const services = new Set(
    [...everything(), ...everything([], ["latchingSwitch"]), ...everything([0x15]), ...everything([0x43])].map(
      ({ address }) => address.service,
    ),
  );
  expect([...services].sort()).toEqual(
    expect.arrayContaining([
      ...[
        "AirQuality",
        "Battery",
        "Button",
        "CarbonMonoxide",
        "Contact",
        "Cover",
        "Electricity",
        "Fan",
        "Humidity",
        "Identify",
      ],
      ...[
        "Illuminance",
        "LightColor",
        "LightLevel",
        "LightTemperature",
        "Lock",
        "Occupancy",
        "Pressure",
        "Readings",
        "Setpoints",
      ],
      ...[
        "Settings",
        "Smoke",
        "Switch",
        "Temperature",
        "Thermostat",
        "Valve",
        "WaterLeak",
        "OperationalState",
        "RvcRunMode",
        "TemperatureControl",
        "LaundryWasherControls",
        "RefrigeratorAlarm",
      ],
    ]),
  );
});

function lowered(word: string): string {
  return word.charAt(0).toLowerCase() + word.slice(1);
}
