/** Devices as zigbee2mqtt describes them, and what its dialect makes of them: for the tests of the dialect. */
import type { PropertyAddress, Value } from "@porchlight/shared/model";
import { expect } from "vitest";
import type { ThingAddresses } from "../device/kept-things.ts";
import type { Dialect, MqttDevice } from "../device/mqtt-device.ts";
import { Payload } from "../device/payload.ts";
import { zigbee2mqttDialect } from "./zigbee2mqtt-dialect.ts";

export const LAMP = "0x00158d0000000001";
export const LAMP_ID = "00-15-8D-00-00-00-00-01";

export const binary = (property: string, on: unknown = true, off: unknown = false, access = 1) => {
  return { type: "binary", name: property, property, value_on: on, value_off: off, access };
};
export const numeric = (property: string, more: object = {}) => ({
  type: "numeric",
  name: property,
  property,
  access: 1,
  ...more,
});
export const state = binary("state", "ON", "OFF", 7);
export const brightness = numeric("brightness", { access: 7, value_min: 0, value_max: 254 });
export const colorTemp = numeric("color_temp", { access: 7, unit: "mired", value_min: 153, value_max: 500 });
export const colour = (name: "color_xy" | "color_hs", ...parts: string[]) => ({
  ...{ type: "composite", name, property: "color", access: 7 },
  features: parts.map((part) => numeric(part, { access: 7 })),
});

export function listed(exposes: readonly object[], more: object = {}) {
  const definition = { vendor: "Example", model: "X1", exposes };
  return { ieee_address: LAMP, type: "Router", friendly_name: "kitchen/lamp", definition, ...more };
}

export function say(dialect: Dialect, topic: string, payload: unknown): boolean {
  const text = typeof payload === "string" ? payload : JSON.stringify(payload);
  return dialect.take({ topic: `z/bridge/${topic}`, payload: new Payload(text), retained: true });
}

/** @param addresses outlives the dialect, as the hub's store does */
export function dialectOver(addresses: ThingAddresses, ...devices: readonly unknown[]): Dialect {
  const dialect = zigbee2mqttDialect("z", addresses);
  say(dialect, "devices", devices);
  return dialect;
}

export function dialectWith(...devices: readonly unknown[]): Dialect {
  const dialect = zigbee2mqttDialect("z");
  say(dialect, "devices", devices);
  return dialect;
}

export function deviceWith(...exposes: readonly object[]): MqttDevice {
  return lampOf(dialectWith(listed(exposes)));
}

/** The device that {@link listed} describes. */
export function lampOf(dialect: Dialect): MqttDevice {
  const device = dialect.devices.get(LAMP_ID);
  if (!device) throw new Error("the device is not described");
  return device;
}

export function find(device: MqttDevice, selector: string) {
  const [, service, index = "0", property] = /^(\w+)(?::(\d+))?\.(\w+)$/.exec(selector) ?? [];
  const found = device.properties.find(
    ({ address }) => address.service === service && address.index === index && address.property === property,
  );
  if (!found) throw new Error(`there is no ${selector}`);
  return found;
}

export const selectors = ({ properties }: MqttDevice) =>
  properties.map(({ address: { service, index, property } }) => `${service}:${index}.${property}`);
export const reading = (device: MqttDevice, selector: string, message: object | string) =>
  find(device, selector).state?.read(new Payload(typeof message === "string" ? message : JSON.stringify(message)));
export const writing = (device: MqttDevice, selector: string, value: Value, known: Record<string, Value> = {}) => {
  const publication = find(device, selector).set?.(value, ({ property }: PropertyAddress) => known[property]);
  expect(publication?.topic).toBe("z/kitchen/lamp/set");
  return JSON.parse(publication?.payload ?? "null");
};
