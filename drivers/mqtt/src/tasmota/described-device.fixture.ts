/** Devices as Tasmota describes them, and what its dialect makes of them: for the tests of the dialect. */
import type { Value } from "@porchlight/shared/model";
import type { ThingAddresses } from "../device/kept-things.ts";
import type { Dialect, MqttDevice } from "../device/mqtt-device.ts";
import { Payload } from "../device/payload.ts";
import { tasmotaDialect } from "./tasmota-dialect.ts";

export const MAC = "DC4F22A1B2C3";
export const ID = "DC-4F-22-A1-B2-C3";
/** A socket with one relay, as Tasmota 14 says it. */
export const SOCKET = {
  ...{ ip: "192.168.1.20", dn: "Socket", fn: ["Socket", null], hn: "socket", mac: MAC, md: "Sonoff S31", ty: 0, if: 0 },
  ...{ ofln: "Offline", onln: "Online", state: ["OFF", "ON", "TOGGLE", "HOLD"], sw: "14.2.0", t: "socket" },
  ...{ ft: "%prefix%/%topic%/", tp: ["cmnd", "stat", "tele"], rl: [1, 0, 0, 0], swc: [-1], swn: [null], btn: [0, 0] },
  ...{ so: { "4": 0, "73": 0 }, lk: 0, lt_st: 0, bat: 0, dslp: 0, sho: [], ver: 1 },
};

export function say(dialect: Dialect, what: "config" | "sensors", payload: unknown, mac = MAC): boolean {
  const text = typeof payload === "string" ? payload : JSON.stringify(payload);
  return dialect.take({ topic: `tasmota/discovery/${mac}/${what}`, payload: new Payload(text), retained: true });
}

/** @param addresses outlives the dialect, as the hub's store does */
export function deviceWith(config: object, sensors?: object, addresses?: ThingAddresses): MqttDevice {
  const dialect = tasmotaDialect(addresses);
  say(dialect, "config", { ...SOCKET, ...config });
  if (sensors) say(dialect, "sensors", { sn: sensors, ver: 1 });
  return socketOf(dialect);
}

/** The device that {@link SOCKET} describes. */
export function socketOf(dialect: Dialect): MqttDevice {
  const device = dialect.devices.get(ID);
  if (!device) throw new Error(`there is no device: ${JSON.stringify(dialect.ignored)}`);
  return device;
}

export const selectors = ({ properties }: MqttDevice) =>
  properties.map(({ address: { service, index, property } }) => `${service}:${index}.${property}`);
export const find = (device: MqttDevice, selector: string) => device.properties[selectors(device).indexOf(selector)];
export const reading = (device: MqttDevice, selector: string, message: object | string) =>
  find(device, selector)?.state?.read(new Payload(typeof message === "string" ? message : JSON.stringify(message)));
export const writing = (device: MqttDevice, selector: string, value: Value) => {
  const publication = find(device, selector)?.set?.(value, () => undefined);
  return publication && [publication.topic, publication.payload];
};
