/** Maps each component type to its description, and lists the types that describe the device itself and become no property. */

import { thermostat } from "./climate.ts";
import { shutter } from "./cover.ts";
import { phaseCounters, phaseMeter, powerMeter, threePhaseCounters, threePhaseMeter, voltmeter } from "./metering.ts";
import { circuitBreaker, colourAndWhiteLight, colourLight, dimmer, relay, whiteLight } from "./outputs.ts";
import { scent } from "./scent.ts";
import { devicePower, flood, humidity, illuminance, input, presenceZone, smoke, temperature, wifi } from "./sensors.ts";
import type { DescribedComponent, ShellyComponent } from "./shelly-property.ts";
import { virtual } from "./virtual.ts";

type Describe = (of: ShellyComponent, others: ReadonlySet<string>) => DescribedComponent;

const DESCRIBED: ReadonlyMap<string, Describe> = new Map<string, Describe>([
  ["switch", relay],
  ["light", dimmer],
  ["cct", whiteLight],
  ["rgb", colourLight],
  ["rgbw", colourAndWhiteLight],
  ["cb", circuitBreaker],
  ["cover", shutter],
  ["pm1", powerMeter],
  ["em1", phaseMeter],
  ["em1data", phaseCounters],
  ["em", threePhaseMeter],
  ["emdata", threePhaseCounters],
  ["voltmeter", voltmeter],
  ["temperature", temperature],
  ["humidity", humidity],
  ["illuminance", illuminance],
  ["smoke", smoke],
  ["flood", flood],
  ["devicepower", devicePower],
  ["presencezone", presenceZone],
  ["input", input],
  ["thermostat", thermostat],
  ["cury", scent],
  ["boolean", virtual],
  ["number", virtual],
  ["enum", virtual],
  ["text", virtual],
  ["wifi", wifi],
]);

/** Connection, configuration and user interface of the device: components without a function at home. */
const OF_THE_DEVICE: ReadonlySet<string> = new Set([
  ...["sys", "eth", "ble", "bthome", "cloud", "mqtt", "ws", "matter", "knx", "modbus", "zigbee", "lora", "dali"],
  ...["script", "schedule", "webhook", "kvs", "service", "ui", "media", "presence", "group"],
  ...["plugs_ui", "powerstrip_ui", "plugpm_ui", "wd_ui", "pill", "hid"],
]);

/** Returns undefined for components of `OF_THE_DEVICE`. */
export function describeComponent(of: ShellyComponent, others: ReadonlySet<string>): DescribedComponent | undefined {
  if (OF_THE_DEVICE.has(of.type)) return undefined;
  return DESCRIBED.get(of.type)?.(of, others) ?? { properties: [], isPartial: true };
}
