/** Descriptions of the devices that users of other hubs reported on. */

/** A message of Home Assistant's discovery. @param edgeId of the device, by its MAC */
export function entity(component: string, edgeId: string, name: string, options: object) {
  const mac = edgeId.replaceAll("-", ":").toLowerCase();
  const id = mac.replaceAll(":", "");
  const device = { identifiers: [id], name: id, connections: [["mac", mac]] };
  return {
    topic: `homeassistant/${component}/${id}/${name}/config`,
    config: { name, unique_id: `${id}-${name}`, device, ...options },
  };
}

export const ZIGBEE_IDS = {
  sensor: "00-15-8D-00-AA-00-00-03",
  lamp: "00-15-8D-00-AA-00-00-04",
  attributes: "00-15-8D-00-BB-00-00-05",
};

const number = (name: string, more: object = {}) => ({ type: "numeric", name, property: name, access: 1, ...more });
const state = (endpoint: string) => ({
  ...{ type: "switch", endpoint },
  features: [
    {
      type: "binary",
      name: "state",
      property: `state_${endpoint}`,
      endpoint,
      access: 7,
      value_on: "ON",
      value_off: "OFF",
    },
  ],
});
const zigbee = (ieee: string, name: string, type: string, exposes: readonly object[]) => ({
  ...{ ieee_address: ieee, type, friendly_name: name, supported: true, interview_completed: true },
  definition: { vendor: "X", model: "Y", exposes },
});

export const ZIGBEE_DEVICES = [
  zigbee("0x00158d00aa000003", "Sensor Küche/Regal 🌡", "EndDevice", [
    number("temperature", { unit: "°C" }),
    number("humidity", { unit: "%" }),
    number("battery", { unit: "%" }),
    { type: "binary", name: "contact", property: "contact", access: 1, value_on: false, value_off: true },
  ]),
  zigbee("0x00158d00aa000004", "lamp 4", "Router", [
    {
      type: "light",
      features: [
        { type: "binary", name: "state", property: "state", access: 7, value_on: "ON", value_off: "OFF" },
        number("brightness", { access: 7, value_min: 0, value_max: 254 }),
        number("color_temp", { access: 7, unit: "mired", value_min: 153, value_max: 500 }),
      ],
    },
  ]),
  zigbee("0x00158d00bb000005", "attr", "Router", [state("l1"), state("l2"), number("power", { unit: "W", access: 5 })]),
];

export const TASMOTA_ID = "02-AA-00-00-00-24";
export const TASMOTA_SETUP = {
  ...{ ip: "10.0.0.4", dn: "Plug", fn: ["Ch1", "Ch2", null, null], hn: "plug-0004", mac: "02AA00000024" },
  ...{ md: "Athom Dual", ty: 0, if: 0, ofln: "Offline", onln: "Online", state: ["OFF", "ON", "TOGGLE", "HOLD"] },
  ...{ sw: "13.4.0", t: "plug24", ft: "%prefix%/%topic%/", tp: ["cmnd", "stat", "tele"], rl: [1, 1, 0, 0] },
  ...{ swc: [-1, -1], swn: [null, null], btn: [0, 0], lk: 1, lt_st: 0, sho: [0, 0], sht: [[0, 0, 0]], ver: 1 },
  so: { 4: 0, 11: 0, 13: 0, 17: 0, 20: 0, 30: 0, 68: 0, 73: 0, 82: 0, 114: 0, 117: 0 },
};
const ENERGY = { Total: 12.5, Yesterday: 0.1, Today: 0.05, Power: [100, 20], Voltage: 230, Current: [0.45, 0.1] };
export const TASMOTA_SENSORS = {
  both: {
    sn: {
      ...{ Time: "2026-11-28T07:00:00", ENERGY, TempUnit: "C" },
      "DS18B20-1": { Id: "01131B5A6C1F", Temperature: 5 },
      "DS18B20-2": { Id: "0317979C3AFF", Temperature: 21 },
    },
    ver: 1,
  },
  one: {
    sn: { Time: "2026-11-28T07:10:00", ENERGY, DS18B20: { Id: "0317979C3AFF", Temperature: 21 }, TempUnit: "C" },
    ver: 1,
  },
};
/** A message of a firmware whose meter has no power factor. */
export const BARE_NAN =
  '{"Time":"2026-11-28T07:06:00","ENERGY":{"Total":12.7,"Voltage":229,"Factor":nan},' +
  '"DS18B20-1":{"Id":"01131B5A6C1F","Temperature":6.0},"TempUnit":"C"}';
