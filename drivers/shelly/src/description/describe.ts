/** Describes a Shelly to the hub, from its identity (`GetDeviceInfo`), configuration and status. */
import { at, edgeIdOfEui, isRecord, readNumber } from "@porchlight/driver-kit";
import { z } from "zod";
import { shutter } from "./cover.ts";
import { phaseCounters, phaseMeter, powerMeter, threePhaseCounters, threePhaseMeter, voltmeter } from "./metering.ts";
import {
  circuitBreaker,
  colourAndWhiteLight,
  colourLight,
  dimmer,
  relay,
  scent,
  thermostat,
  whiteLight,
} from "./outputs.ts";
import { devicePower, flood, humidity, illuminance, input, presenceZone, smoke, temperature, wifi } from "./sensors.ts";
import {
  type ComponentsJson,
  type DescribedComponent,
  endingWithFaults,
  type ShellyComponent,
  type ShellyDescription,
} from "./shelly-property.ts";
import { virtual } from "./virtual.ts";

/** Key of a component in the protocol: type, colon, id. */
const KEY = /^([a-z][a-z0-9_]{0,31})(?::([0-9]{1,3}))?$/;
const LONGEST_NAME = 256;
/** Longest accepted time between two wakes, s: a week. */
const LONGEST_SLEEP = 7 * 86_400;

export function describeShelly(info: DeviceInfo, config: ComponentsJson, status: ComponentsJson): ShellyDescription {
  const components = componentsOf(config, status);
  const types = new Set(components.map(({ type }) => type));
  const leftAside: Record<string, number> = {};
  const count = (what: string) => {
    leftAside[what] = (leftAside[what] ?? 0) + 1;
  };
  const properties = components.flatMap((component) => {
    const described = describeComponent(component, types);
    if (described?.isPartial) count(component.type);
    return (described?.properties ?? []).map(endingWithFaults);
  });
  const wakeup = readNumber(at(status, "sys", "wakeup_period") ?? at(config, "sys", "sleep", "wakeup_period")) ?? 0;
  return {
    edgeId: edgeIdOfEui(info.mac) ?? "",
    id: info.id,
    about: aboutOf(info, config),
    properties,
    wakeupMs: wakeup > 0 ? Math.min(wakeup, LONGEST_SLEEP) * 1000 : undefined,
    leftAside,
  };
}

/** Keeps the components of an answer and drops all other members. */
export function componentsJson(json: unknown): ComponentsJson {
  if (!isRecord(json)) return {};
  return Object.fromEntries(
    Object.entries(json).filter((entry): entry is [string, ComponentsJson[string]] => isRecord(entry[1])),
  );
}

/** Components that have a configuration or a status, ordered by type and id. */
function componentsOf(config: ComponentsJson, status: ComponentsJson): ShellyComponent[] {
  const keys = [...new Set([...Object.keys(config), ...Object.keys(status)])];
  const all = keys.flatMap((key) => {
    const [, type, id = "0"] = KEY.exec(key) ?? [];
    if (type === undefined) return [];
    return [{ key, type, id: Number(id), config: config[key] ?? {}, status: status[key] ?? {} }];
  });
  return all.sort((a, b) => (a.type === b.type ? a.id - b.id : a.type < b.type ? -1 : 1));
}

function aboutOf(info: DeviceInfo, config: ComponentsJson) {
  const name = info.name ?? at(config, "sys", "device", "name");
  return {
    manufacturer: "Shelly",
    model: (info.app ?? info.model ?? info.id).slice(0, LONGEST_NAME),
    firmware: info.ver?.slice(0, LONGEST_NAME),
    serial: info.id.slice(0, LONGEST_NAME),
    ...(typeof name === "string" && name !== "" && { name: name.slice(0, LONGEST_NAME) }),
  };
}

/** What a device publishes without a password (`GET /shelly`, `Shelly.GetDeviceInfo`), and whether the hub supports it. */
const short = z.string().max(128);

/** Answer of the second generation and later. */
export const deviceInfo = z.object({
  id: short.min(1),
  mac: z.string().regex(/^[0-9A-F]{12}$/i),
  gen: z.int().min(2),
  model: short.optional(),
  app: short.optional(),
  ver: short.optional(),
  name: short.nullish(),
  auth_en: z.boolean().default(false),
});
export type DeviceInfo = z.output<typeof deviceInfo>;

/** The first generation reports its type, and no generation. */
const firstGeneration = z.object({ type: short, mac: short });

/** Oldest major version of firmware with the RPC channel that the hub uses. */
const OLDEST_MAJOR = 1;

type Introduction =
  | { readonly kind: "shelly"; readonly info: DeviceInfo }
  | { readonly kind: "gen1" }
  | { readonly kind: "firmware_too_old"; readonly version: string }
  | { readonly kind: "no_shelly" };

export function introduction(json: unknown): Introduction {
  const { data: info } = deviceInfo.safeParse(json);
  if (info) {
    const major = /^([0-9]+)\./.exec(info.ver ?? "")?.[1];
    const isOld = major !== undefined && Number(major) < OLDEST_MAJOR;
    return isOld ? { kind: "firmware_too_old", version: info.ver ?? "" } : { kind: "shelly", info };
  }
  return firstGeneration.safeParse(json).success ? { kind: "gen1" } : { kind: "no_shelly" };
}

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
function describeComponent(of: ShellyComponent, others: ReadonlySet<string>): DescribedComponent | undefined {
  if (OF_THE_DEVICE.has(of.type)) return undefined;
  return DESCRIBED.get(of.type)?.(of, others) ?? { properties: [], isPartial: true };
}
