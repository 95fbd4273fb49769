/** Devices that zigbee2mqtt describes by Home Assistant's discovery, as that dialect reads them. */
import type { Publication } from "../device/mqtt-device.ts";
import { Payload } from "../device/payload.ts";
import { DeviceSweep } from "../device-sweep.fixture.ts";
import { homeAssistantDialect } from "./home-assistant-dialect.ts";

/** All of one device: its discovery topics, each with its payload. */
export type DescribedDevice = readonly (readonly [topic: string, payload: string])[];

const AT_ONCE = 500;

export function sweepDiscovery(devices: readonly DescribedDevice[]): DeviceSweep {
  const sweep = new DeviceSweep(echoed);
  for (let from = 0; from < devices.length; from += AT_ONCE) {
    const dialect = homeAssistantDialect("homeassistant", "test");
    for (const [topic, payload] of devices.slice(from, from + AT_ONCE).flat())
      dialect.take({ topic, payload: new Payload(payload), retained: true });
    sweep.leave(dialect.ignored);
    for (const device of dialect.devices.values()) sweep.look(device);
  }
  return sweep;
}

/**
 * What zigbee2mqtt says of a device that was set: `BASE/NAME[/ENDPOINT]/set` takes members of its state as JSON, or its switch as a word;
 * `.../set/ATTRIBUTE` takes one member. What is set of an endpoint it says with the endpoint behind its name, and on a topic of the
 * endpoint without it.
 */
function echoed({ topic, payload }: Publication, stateTopic: string): string {
  const [, device = "", endpoint, attribute] = /^(z\/[^/]+)(?:\/([^/]+))?\/set(?:\/([^/]+))?$/.exec(topic) ?? [];
  const given = new Payload(payload);
  // The converters make a word of a fan's mode, also where it is a digit.
  const stated = attribute === "fan_mode" ? given.text : (given.json ?? given.text);
  const members = withShortNames(attribute ? { [attribute]: stated } : (given.object ?? { state: stated }));
  const named = Object.entries(members).map(([name, value]) => {
    if (endpoint === undefined || name === endpoint) return [name, value];
    const bare = name.endsWith(`_${endpoint}`) ? name.slice(0, -endpoint.length - 1) : name;
    return [stateTopic === device ? `${bare}_${endpoint}` : bare, value];
  });
  return JSON.stringify(Object.fromEntries(named));
}

/** It gives colours under Home Assistant's names too. */
function withShortNames({ color, ...others }: Record<string, unknown>): Record<string, unknown> {
  if (typeof color !== "object" || color === null) return others;
  const { h: hue, s: saturation, ...own } = Object.assign<Record<string, unknown>, object>({}, color);
  return { ...others, color: { ...own, hue, saturation, h: hue, s: saturation } };
}
