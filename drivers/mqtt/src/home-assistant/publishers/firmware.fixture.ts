/** Firmware that publishes the device on which it runs. */
import { derivedEdgeId } from "@porchlight/driver-kit";
import { SCOPE } from "../discovery.fixture.ts";
import type { Publisher } from "./publisher.fixture.ts";

const tasmota = {
  ids: ["5A1C2B"],
  cns: [["mac", "8C:CE:4E:5A:1C:2B"]],
  name: "Boiler",
  mdl: "Sonoff TH",
  sw: "9.5.0",
  mf: "Tasmota",
};
const sonoff = { avty_t: "tele/boiler/LWT", pl_avail: "Online", pl_not_avail: "Offline", dev: tasmota };

const esphome = { ids: "8caab58f1d3e", name: "desk", sw: "2025.10.1", mdl: "esp32dev", mf: "Espressif" };
const esp = { avty_t: "desk/status", dev: esphome };

const openBeken = { ids: ["OpenBK7231T_Strip"], name: "Strip", mf: "Beken", mdl: "BK7231T", sw: "1.17.551" };
const beken = { "~": "strip", avty_t: "~/connected", dev: openBeken, qos: 1 };

const shelly = {
  connections: [["mac", "a8:03:2a:bc:de:f0"]],
  name: "Shutters",
  manufacturer: "Shelly",
  model: "Plus 2PM",
};

export const FIRMWARE: Readonly<Record<string, Publisher>> = {
  Tasmota: {
    discovery: {
      "switch/5A1C2B_RL_1": {
        ...sonoff,
        name: "Boiler",
        stat_t: "tele/boiler/STATE",
        cmd_t: "cmnd/boiler/POWER",
        val_tpl: "{{value_json.POWER}}",
        pl_off: "OFF",
        pl_on: "ON",
        uniq_id: "5A1C2B_RL_1",
      },
      "sensor/5A1C2B_AM2301_Temperature": {
        ...sonoff,
        name: "Boiler AM2301 Temperature",
        stat_t: "tele/boiler/SENSOR",
        unit_of_meas: "°C",
        dev_cla: "temperature",
        frc_upd: true,
        val_tpl: "{{value_json['AM2301'].Temperature}}",
      },
      "sensor/5A1C2B_status": {
        ...sonoff,
        name: "Boiler status",
        stat_t: "tele/boiler/HASS_STATE",
        unit_of_meas: "%",
        ic: "mdi:information-outline",
        val_tpl: "{{value_json['RSSI']}}",
      },
    },
    edgeId: "8C-CE-4E-5A-1C-2B",
    about: { name: "Boiler", manufacturer: "Tasmota", model: "Sonoff TH", firmware: "9.5.0" },
    properties: { "Temperature:0.celsius": "rn", "Switch:0.on": "rwn", "Readings:0.status": "rn" },
    says: [
      ["Switch.on", { POWER: "ON" }, true],
      ["Temperature.celsius", { AM2301: { Temperature: 19.5 }, TempUnit: "C" }, 19.5],
      ["Temperature.celsius", { Time: "x" }, undefined],
      ["Readings.status", { RSSI: "88" }, 88],
    ],
    takes: [["Switch.on", false, "cmnd/boiler/POWER", "OFF"]],
    isThere: [
      ["tele/boiler/LWT", "Online", true],
      ["tele/boiler/LWT", "Offline", false],
    ],
  },
  ESPHome: {
    discovery: {
      "light/desk/strip": {
        ...esp,
        name: "Strip",
        schema: "json",
        clrm: true,
        sup_clrm: ["rgb"],
        brightness: true,
        rgb: true,
        stat_t: "desk/light/strip/state",
        cmd_t: "desk/light/strip/command",
        effect: true,
        fx_list: ["None", "Rainbow"],
        uniq_id: "ESPlightstrip",
      },
      "binary_sensor/desk/motion": {
        ...esp,
        name: "Motion",
        dev_cla: "motion",
        stat_t: "desk/binary_sensor/motion/state",
      },
      "sensor/desk/wifi_signal": {
        ...esp,
        name: "WiFi Signal",
        dev_cla: "signal_strength",
        unit_of_meas: "dBm",
        stat_cla: "measurement",
        ent_cat: "diagnostic",
        stat_t: "desk/sensor/wifi_signal/state",
      },
    },
    edgeId: "8C-AA-B5-8F-1D-3E",
    about: { name: "desk", manufacturer: "Espressif", model: "esp32dev", firmware: "2025.10.1" },
    properties: {
      "Motion:0.detected": "rn",
      "Switch:0.on": "rwn",
      "LightLevel:0.level": "rwn",
      "LightColor:0.hue": "rwn",
      "LightColor:0.saturation": "rwn",
      "Settings:0.stripEffect": "rwn",
      "Signal:0.rssi": "rn",
    },
    says: [
      ["LightColor.hue", { state: "ON", brightness: 255, color: { r: 0, g: 0, b: 255 } }, 240],
      ["Settings.stripEffect", { effect: "None" }, "None"],
      ["Motion.detected", "ON", true],
      ["Signal.rssi", "-61", -61],
    ],
    takes: [
      ["LightLevel.level", 100, "desk/light/strip/command", { state: "ON", brightness: 255 }],
      ["LightColor.hue", 0, "desk/light/strip/command", { state: "ON", color: { r: 255, g: 0, b: 0 } }],
    ],
    isThere: [["desk/status", "online", true]],
  },
  OpenBeken: {
    discovery: {
      "light/Strip_light": {
        ...beken,
        name: "Light",
        rgb_cmd_tpl: "{{'#%02x%02x%02x0000'|format(red,green,blue)}}",
        rgb_val_tpl: "{{ value[0:2]|int(base=16) }},{{ value[2:4]|int(base=16) }},{{ value[4:6]|int(base=16) }}",
        rgb_stat_t: "~/led_basecolor_rgb/get",
        rgb_cmd_t: "cmnd/strip/led_basecolor_rgb",
        cmd_t: "cmnd/strip/led_enableAll",
        stat_t: "~/led_enableAll/get",
        pl_on: 1,
        pl_off: 0,
        bri_cmd_t: "cmnd/strip/led_dimmer",
        bri_stat_t: "~/led_dimmer/get",
        bri_scl: 100,
      },
    },
    edgeId: derivedEdgeId("mqtt", SCOPE, "OpenBK7231T_Strip"),
    about: { name: "Strip", manufacturer: "Beken", model: "BK7231T", firmware: "1.17.551" },
    properties: {
      "Switch:0.on": "rwn",
      "LightLevel:0.level": "rwn",
      "LightColor:0.hue": "rwn",
      "LightColor:0.saturation": "rwn",
    },
    says: [
      ["Switch.on", "1", true],
      ["LightLevel.level", "42", 42],
      ["LightColor.hue", "00FF00", 120],
    ],
    takes: [
      ["Switch.on", false, "cmnd/strip/led_enableAll", "0"],
      ["LightColor.hue", 120, "cmnd/strip/led_basecolor_rgb", "#00ff000000"],
    ],
    isThere: [["strip/connected", "online", true]],
  },
  Shelly: {
    discovery: {
      "cover/a8032abcdef0-cover-0": {
        device: shelly,
        name: null,
        availability: { topic: "shutters/online", payload_available: "true", payload_not_available: "false" },
        command_topic: "shutters/command/cover:0",
        payload_open: "open",
        payload_close: "close",
        payload_stop: "stop",
        position_topic: "shutters/status/cover:0",
        position_template: "{%if value_json.pos_control%}{{value_json.current_pos}}{%endif%}",
        set_position_topic: "shutters/command/cover:0",
        set_position_template: "pos,{{position}}",
        state_topic: "shutters/status/cover:0",
        value_template: "{{value_json.state}}",
        device_class: "shutter",
      },
      "sensor/a8032abcdef0-power": {
        device: shelly,
        name: "Power",
        availability: { topic: "shutters/online", payload_available: "true", payload_not_available: "false" },
        state_topic: "shutters/status/cover:0",
        value_template: "{{value_json.apower}}",
        device_class: "power",
        unit_of_measurement: "W",
      },
    },
    edgeId: "A8-03-2A-BC-DE-F0",
    about: { name: "Shutters", manufacturer: "Shelly", model: "Plus 2PM" },
    properties: {
      "Cover:0.position": "rwn",
      "Cover:0.movement": "rn",
      "Settings:0.stop": "w",
      "Electricity:0.watts": "rn",
    },
    says: [
      ["Cover.position", { pos_control: true, current_pos: 40, state: "stopped" }, 40],
      ["Cover.position", { pos_control: false, state: "stopped" }, undefined],
      ["Cover.movement", { state: "opening" }, "opening"],
      ["Electricity.watts", { apower: 12.3 }, 12.3],
    ],
    takes: [
      ["Cover.position", 40, "shutters/command/cover:0", "pos,40"],
      ["Settings.stop", true, "shutters/command/cover:0", "stop"],
    ],
    isThere: [["shutters/online", "false", false]],
  },
};
