/** Entities of descriptions for tests, and what our own reader of Home Assistant's discovery makes of their messages. */
import { Payload } from "@porchlight/driver-mqtt/device/payload.ts";
import { homeAssistantDialect } from "@porchlight/driver-mqtt/home-assistant/home-assistant-dialect.ts";
import type { DeviceDescription, PropertyDescription } from "@porchlight/shared/model";
import { entitiesOf } from "./device-entities.ts";
import { discoveryConfigs } from "./discovery-configs.ts";
import { topicsOf } from "./topics.ts";

export const HUB = "02-00-00-00-00-01";
export const DEVICE = "00-1B-44-11-3A-B7";
export const BASE = `porchlight/${HUB}/${DEVICE}`;

type Short = readonly [address: string, type: PropertyDescription["type"], access: string, range?: object];

const ACCESS = { r: "read", w: "write", n: "notify" } as const;

/** A description of `SERVICE:INDEX.PROPERTY`, type, access (`rwn`) and range of each property. */
export function description(...properties: readonly Short[]): DeviceDescription {
  const services = new Map<string, { service: string; index: string; properties: PropertyDescription[] }>();
  for (const [address, type, letters, range] of properties) {
    const [, service = "", index = "0", property = ""] = /^(\w+?)(?::(\d+))?\.(.+)$/.exec(address) ?? [];
    const key = `${service}:${index}`;
    const found = services.get(key) ?? { service, index, properties: [] };
    services.set(key, found);
    const access = (["r", "w", "n"] as const).filter((each) => letters.includes(each)).map((each) => ACCESS[each]);
    found.properties.push({ property, type, ...range, access });
  }
  return [...services.values()];
}

/** Components and options by object id; topics without the device's base. */
export function entities(described: DeviceDescription): Record<string, unknown> {
  const { entities: made } = entitiesOf(described, topicsOf(HUB, DEVICE), 1000);
  return Object.fromEntries(
    made.map(({ component, object, options }) => [
      object,
      { component, ...JSON.parse(JSON.stringify(options).replaceAll(`${BASE}/`, "")) },
    ]),
  );
}

/** The messages by their topics. */
export function configs(described: DeviceDescription, about: Record<string, string> = {}): Map<string, string> {
  const { entities: made } = entitiesOf(described, topicsOf(HUB, DEVICE), 1000);
  return new Map(discoveryConfigs("homeassistant", { hub: HUB, edgeId: DEVICE, name: "Lamp", about }, made));
}

/** A reader that takes the messages of hubs as those of any program. */
export function readBack(messages: ReadonlyMap<string, string>) {
  const dialect = homeAssistantDialect("homeassistant", "homeassistant");
  for (const [topic, text] of messages) {
    const { origin: _, ...config } = JSON.parse(text);
    dialect.take({ topic, payload: new Payload(JSON.stringify(config)), retained: true });
  }
  return dialect;
}
