/** Devices that zigbee2mqtt knows, as far as tests use them: models of the market, each of another kind. */
import type { Values } from "./channel.ts";
import type { DeviceModel } from "./device.ts";

/** Codes of manufacturers, and devices of the home automation profile. */
const [IKEA, INNR, EWELINK, ZEN, POLY_CONTROL] = [0x117c, 0x1166, 0x1286, 0x1158, 0x115c];
const [EXTENDED_COLOR_LIGHT, SMART_PLUG, IAS_ZONE, NON_COLOR_CONTROLLER, THERMOSTAT, DOOR_LOCK] = [
  0x010d, 0x0051, 0x0402, 0x0820, 0x0301, 0x000a,
];
const [MAINS, BATTERY] = [1, 3];
/** Address of the coordinator: to this network the zone is enrolled. */
const COORDINATOR = "0x00124b0000000001";

const basic = (manufacturerName: string, modelId: string, powerSource: number): Values => ({
  zclVersion: 3,
  appVersion: 1,
  stackVersion: 2,
  hwVersion: 1,
  manufacturerName,
  modelId,
  dateCode: "20240101",
  powerSource,
  swBuildId: "2.4.5",
});

export const DEVICE_MODELS = {
  /** IKEA LED1924G9: on and off, level, color by xy, color temperature. */
  "colour-lamp": {
    type: "router",
    manufacturerCode: IKEA,
    endpoints: [
      {
        id: 1,
        deviceId: EXTENDED_COLOR_LIGHT,
        serves: {
          genBasic: basic("IKEA of Sweden", "TRADFRI bulb E27 CWS 806lm", MAINS),
          genIdentify: { identifyTime: 0 },
          genOnOff: { onOff: 0, startUpOnOff: 255 },
          genLevelCtrl: { currentLevel: 254, options: 0, startUpCurrentLevel: 255 },
          lightingColorCtrl: {
            colorCapabilities: 0x19,
            colorMode: 2,
            colorTemperature: 370,
            colorTempPhysicalMin: 250,
            colorTempPhysicalMax: 454,
            currentX: 30_138,
            currentY: 26_909,
            options: 0,
          },
        },
        commands: ["genOta"],
      },
    ],
  },
  /** Innr SP 240: on and off, power, current, voltage, energy. */
  plug: {
    type: "router",
    manufacturerCode: INNR,
    endpoints: [
      {
        id: 1,
        deviceId: SMART_PLUG,
        serves: {
          genBasic: basic("innr", "SP 240", MAINS),
          genIdentify: { identifyTime: 0 },
          genOnOff: { onOff: 1, startUpOnOff: 255 },
          seMetering: { currentSummDelivered: 1234, multiplier: 1, divisor: 100, instantaneousDemand: 0 },
          haElectricalMeasurement: {
            activePower: 42,
            rmsCurrent: 183,
            rmsVoltage: 230,
            acPowerMultiplier: 1,
            acPowerDivisor: 1,
            acCurrentMultiplier: 1,
            acCurrentDivisor: 1000,
            acVoltageMultiplier: 1,
            acVoltageDivisor: 1,
          },
        },
        commands: ["genOta"],
      },
    ],
  },
  /** SONOFF SNZB-04: open or closed, battery. */
  "contact-sensor": {
    type: "end device",
    manufacturerCode: EWELINK,
    endpoints: [
      {
        id: 1,
        deviceId: IAS_ZONE,
        serves: {
          genBasic: basic("eWeLink", "SNZB-04", BATTERY),
          genPowerCfg: { batteryVoltage: 30, batteryPercentageRemaining: 190 },
          genIdentify: { identifyTime: 0 },
          ssIasZone: { zoneState: 1, zoneType: 0x15, zoneStatus: 0, iasCieAddr: COORDINATOR, zoneId: 23 },
        },
        commands: [],
      },
    ],
  },
  /** Danalock V3-BTZB: locked or not. */
  lock: {
    type: "end device",
    manufacturerCode: POLY_CONTROL,
    endpoints: [
      {
        id: 1,
        deviceId: DOOR_LOCK,
        serves: {
          genBasic: basic("Danalock", "V3-BTZB", BATTERY),
          genPowerCfg: { batteryPercentageRemaining: 180 },
          genIdentify: { identifyTime: 0 },
          closuresDoorLock: { lockState: 1 },
        },
        commands: [],
      },
    ],
  },
  /** IKEA E1743: two buttons, each pressed or held. */
  remote: {
    type: "end device",
    manufacturerCode: IKEA,
    endpoints: [
      {
        id: 1,
        deviceId: NON_COLOR_CONTROLLER,
        serves: {
          genBasic: basic("IKEA of Sweden", "TRADFRI on/off switch", BATTERY),
          genPowerCfg: { batteryPercentageRemaining: 174 },
          genIdentify: { identifyTime: 0 },
        },
        commands: ["genOnOff", "genLevelCtrl", "genOta"],
      },
    ],
  },
  /** Zen-01-W: temperature here, setpoints, mode, what it does now. */
  thermostat: {
    type: "router",
    manufacturerCode: ZEN,
    endpoints: [
      {
        id: 1,
        deviceId: THERMOSTAT,
        serves: {
          genBasic: basic("Zen Within", "Zen-01", MAINS),
          genPowerCfg: { batteryVoltage: 60 },
          genIdentify: { identifyTime: 0 },
          hvacThermostat: {
            localTemp: 2050,
            localTemperatureCalibration: 0,
            occupiedHeatingSetpoint: 2000,
            occupiedCoolingSetpoint: 2600,
            systemMode: 4,
            runningState: 0,
          },
          hvacFanCtrl: { fanMode: 5 },
          hvacUserInterfaceCfg: { keypadLockout: 0 },
        },
        commands: ["genTime", "genOta"],
      },
    ],
  },
} as const satisfies Readonly<Record<string, DeviceModel>>;

export type DeviceKind = keyof typeof DEVICE_MODELS;
