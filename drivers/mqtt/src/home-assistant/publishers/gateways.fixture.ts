/** A gateway to a heating system, and a message that describes a whole device at once. */
import { derivedEdgeId } from "@porchlight/driver-kit";
import { SCOPE } from "../discovery.fixture.ts";
import type { Publisher } from "./publisher.fixture.ts";

const boiler = { ids: ["ems-esp-boiler"], name: "Boiler", mf: "Bosch", mdl: "Greenstar", via_device: "ems-esp" };
const ems = (key: string) => ({
  "~": "ems-esp",
  stat_t: "~/boiler_data",
  val_tpl: `{{value_json.${key} if value_json.${key} is defined else 0}}`,
  dev: boiler,
  avty: [
    { t: "~/status" },
    { t: "~/boiler_data", val_tpl: `{{'online' if value_json.${key} is defined else 'offline'}}` },
  ],
  avty_mode: "all",
});

export const GATEWAYS: Readonly<Record<string, Publisher>> = {
  "EMS-ESP": {
    discovery: {
      "number/ems-esp/boiler_wwseltemp": {
        ...ems("wwseltemp"),
        name: "Selected temperature",
        cmd_t: "~/boiler/wwseltemp",
        min: 30,
        max: 70,
        step: 1,
        unit_of_meas: "°C",
      },
      "sensor/ems-esp/boiler_outdoortemp": {
        ...ems("outdoortemp"),
        name: "Outside temperature",
        unit_of_meas: "°C",
        dev_cla: "temperature",
      },
      "binary_sensor/ems-esp/boiler_burngas": { ...ems("burngas"), name: "Gas", pl_on: "on", pl_off: "off" },
    },
    edgeId: derivedEdgeId("mqtt", SCOPE, "ems-esp-boiler"),
    about: { name: "Boiler", manufacturer: "Bosch", model: "Greenstar" },
    properties: { "Readings:0.gas": "rn", "Temperature:0.celsius": "rn", "Settings:0.selectedTemperature": "rwn" },
    says: [
      ["Settings.selectedTemperature", { wwseltemp: 55 }, 55],
      ["Temperature.celsius", { outdoortemp: -2.5 }, -2.5],
      ["Readings.gas", { burngas: "on" }, true],
    ],
    takes: [["Settings.selectedTemperature", 60, "ems-esp/boiler/wwseltemp", "60"]],
    isThere: [["ems-esp/status", "online", true]],
  },
  "one message for a whole device": {
    discovery: {
      "device/pump": {
        dev: { ids: "pump-1", name: "Pump", sn: "0012" },
        o: { name: "pump2mqtt", sw: "1.0" },
        stat_t: "pump",
        cmd_t: "pump/set",
        avty_t: "pump/up",
        cmps: {
          run: { p: "switch", name: "Run", val_tpl: "{{ value_json.run }}", uniq_id: "r" },
          watts: { p: "sensor", dev_cla: "power", unit_of_meas: "kW", val_tpl: "{{ value_json.kw }}", uniq_id: "w" },
          old: { p: "sensor" },
        },
      },
    },
    edgeId: derivedEdgeId("mqtt", SCOPE, "pump-1"),
    about: { name: "Pump", serial: "0012" },
    properties: { "Switch:0.on": "rwn", "Electricity:0.watts": "rn" },
    says: [
      ["Switch.on", { run: "ON" }, true],
      ["Electricity.watts", { kw: 0.75 }, 750],
    ],
    takes: [["Switch.on", true, "pump/set", "ON"]],
    isThere: [["pump/up", "offline", false]],
  },
};
