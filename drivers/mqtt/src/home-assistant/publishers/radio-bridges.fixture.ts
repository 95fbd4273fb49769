/** Programs that publish the devices of a radio: Zigbee and Z-Wave. */
import { derivedEdgeId } from "@porchlight/driver-kit";
import { SCOPE } from "../discovery.fixture.ts";
import type { Publisher } from "./publisher.fixture.ts";

const bulb = {
  identifiers: ["zigbee2mqtt_0x001788010e5a0b1c"],
  name: "Hall",
  manufacturer: "Philips",
  model: "Hue white ambiance",
  sw_version: "1.104.2",
};
const z2m = {
  device: bulb,
  availability: [
    { topic: "zigbee2mqtt/bridge/state", value_template: "{{ value_json.state }}" },
    { topic: "zigbee2mqtt/Hall/availability", value_template: "{{ value_json.state }}" },
  ],
  availability_mode: "all",
  state_topic: "zigbee2mqtt/Hall",
};

const node = {
  identifiers: ["zwavejs2mqtt_0xf2a31b07_node7"],
  manufacturer: "Danfoss",
  model: "Living",
  name: "Heating",
};
const client = "{{'true' if value_json.value else 'false'}}";
const zwave = {
  device: node,
  availability: [
    {
      topic: "zwave/Heating/status",
      payload_available: "true",
      payload_not_available: "false",
      value_template: client,
    },
    {
      topic: "zwave/_CLIENTS/ZWAVE/status",
      payload_available: "true",
      payload_not_available: "false",
      value_template: client,
    },
  ],
  availability_mode: "all",
};

export const RADIO_BRIDGES: Readonly<Record<string, Publisher>> = {
  zigbee2mqtt: {
    discovery: {
      "light/0x001788010e5a0b1c/light": {
        ...z2m,
        name: null,
        schema: "json",
        brightness: true,
        brightness_scale: 254,
        supported_color_modes: ["color_temp"],
        max_mireds: 454,
        min_mireds: 153,
        command_topic: "zigbee2mqtt/Hall/set",
      },
      "select/0x001788010e5a0b1c/power_on_behavior": {
        ...z2m,
        name: "Power-on behavior",
        entity_category: "config",
        options: ["off", "on", "previous"],
        command_topic: "zigbee2mqtt/Hall/set/power_on_behavior",
        value_template: "{{ value_json.power_on_behavior }}",
      },
      "sensor/0x001788010e5a0b1c/linkquality": {
        ...z2m,
        name: "Linkquality",
        entity_category: "diagnostic",
        unit_of_measurement: "lqi",
        value_template: "{{ value_json.linkquality }}",
      },
      "update/0x001788010e5a0b1c/update": { ...z2m, name: null, latest_version_topic: "zigbee2mqtt/Hall" },
    },
    edgeId: "00-17-88-01-0E-5A-0B-1C",
    about: { name: "Hall", manufacturer: "Philips", model: "Hue white ambiance", firmware: "1.104.2" },
    properties: {
      "Switch:0.on": "rwn",
      "LightLevel:0.level": "rwn",
      "LightTemperature:0.kelvin": "rwn",
      "Readings:0.linkquality": "rn",
      "Switch:0.startUp": "rwn",
    },
    says: [
      ["Switch.on", { state: "ON", brightness: 254 }, true],
      ["LightLevel.level", { state: "ON", brightness: 254 }, 100],
      ["Readings.linkquality", { linkquality: 120 }, 120],
      ["Readings.linkquality", { linkquality: null }, null],
      ["Switch.startUp", { state: "ON" }, undefined],
    ],
    takes: [
      ["LightTemperature.kelvin", 4000, "zigbee2mqtt/Hall/set", { state: "ON", color_temp: 250 }],
      ["Switch.startUp", "previous", "zigbee2mqtt/Hall/set/power_on_behavior", "previous"],
    ],
    isThere: [
      ["zigbee2mqtt/bridge/state", '{"state":"online"}', true],
      ["zigbee2mqtt/Hall/availability", '{"state":"offline"}', false],
    ],
  },
  "Z-Wave JS UI": {
    discovery: {
      "climate/Heating/thermostat": {
        ...zwave,
        name: "Heating_thermostat",
        modes: ["off", "heat"],
        mode_state_topic: "zwave/Heating/64/0/mode",
        mode_state_template: '{{ {0: "off", 1: "heat"}[value_json.value] | default("off") }}',
        mode_command_topic: "zwave/Heating/64/0/mode/set",
        mode_command_template: '{{ {"off": 0, "heat": 1}[value] | default(0) }}',
        temperature_state_topic: "zwave/Heating/67/0/setpoint/1",
        temperature_state_template: "{{ value_json.value }}",
        temperature_command_topic: "zwave/Heating/67/0/setpoint/1/set",
        min_temp: 4,
        max_temp: 28,
        temp_step: 0.5,
        temperature_unit: "C",
        current_temperature_topic: "zwave/Heating/49/0/Air_temperature",
        current_temperature_template: "{{ value_json.value }}",
      },
      "sensor/Heating/battery_level": {
        ...zwave,
        state_topic: "zwave/Heating/128/0/level",
        value_template: "{{ value_json.value }}",
        unit_of_measurement: "%",
        device_class: "battery",
      },
    },
    edgeId: derivedEdgeId("mqtt", SCOPE, "zwavejs2mqtt_0xf2a31b07_node7"),
    about: { name: "Heating", manufacturer: "Danfoss", model: "Living" },
    properties: {
      "Battery:0.percent": "rn",
      "Thermostat:0.mode": "rwn",
      "Thermostat:0.target": "rwn",
      "Temperature:0.celsius": "rn",
    },
    says: [
      ["Thermostat.mode", { time: 1, value: 1 }, "heat"],
      ["Thermostat.target", { value: 21.5 }, 21.5],
      ["Temperature.celsius", { value: 20 }, 20],
      ["Battery.percent", { value: 87 }, 87],
    ],
    takes: [
      ["Thermostat.mode", "heat", "zwave/Heating/64/0/mode/set", "1"],
      ["Thermostat.target", 21.5, "zwave/Heating/67/0/setpoint/1/set", "21.5"],
    ],
    isThere: [
      ["zwave/Heating/status", '{"value":true}', true],
      ["zwave/_CLIENTS/ZWAVE/status", '{"value":false}', false],
    ],
  },
};
