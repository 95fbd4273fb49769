/** A dialect as small as can be, for tests of the driver: `plain/ID/config` describes a device, `plain/ID/on` says its switch. */
import { readBoolean, readNumber } from "@porchlight/driver-kit";
import { type PropertyDescription, standardProperty, type Value } from "@porchlight/shared/model";
import { KeptThings, type ThingAddresses } from "./device/kept-things.ts";
import type { Dialect, Message, MqttDevice, MqttProperty, MqttState } from "./device/mqtt-device.ts";
import type { Payload } from "./device/payload.ts";

export const ON = { service: "Switch", index: "0", property: "on" };
export const LEVEL = { service: "LightLevel", index: "0", property: "level" };
export const PRESS = { service: "Button", index: "0", property: "event" };
export const LUX = { service: "Illuminance", index: "0", property: "lux" };

/** What a test may say of a device in its configuration. */
export interface PlainConfig {
  readonly model?: string;
  readonly has?: readonly ("level" | "event" | "lux" | "lock" | "cover" | "fan" | "battery" | "own")[];
  /** It can be asked for all that it measures. */
  readonly asksAll?: boolean;
  /** It cannot be asked. */
  readonly silent?: boolean;
  /** It does not tell its state. */
  readonly optimistic?: boolean;
  /** Its topic says what is set before the device has done it. */
  readonly echoes?: boolean;
  readonly availability?: boolean;
  readonly identify?: boolean;
  readonly sensitive?: boolean;
  /** It has these relays, each by its own ID, and nothing else. */
  readonly relays?: readonly string[];
}

const ADDRESSES = {
  on: ON,
  level: LEVEL,
  event: PRESS,
  lux: LUX,
  lock: { service: "Lock", index: "0", property: "locked" },
  cover: { service: "Cover", index: "0", property: "position" },
  fan: { service: "Fan", index: "0", property: "on" },
  battery: { service: "Battery", index: "0", property: "percent" },
  own: { service: "Settings", index: "0", property: "on" },
};

export function plainDialect(name = "plain", addresses: ThingAddresses = new KeptThings(undefined)): Dialect {
  const devices = new Map<string, MqttDevice>();
  const ignored = { badConfig: 0 };
  return {
    name,
    filters: [`${name}/+/config`],
    devices,
    ignored,
    problems: [],
    take: ({ topic, payload }: Message) => {
      const [base, edgeId = "", what] = topic.split("/");
      if (base !== name || what !== "config") return false;
      if (payload.text === "") devices.delete(edgeId);
      else if (payload.object === undefined) ignored.badConfig += 1;
      else devices.set(edgeId, deviceOf(name, edgeId, payload.object, addresses));
      return true;
    },
  };
}

function deviceOf(base: string, edgeId: string, config: PlainConfig, addresses: ThingAddresses): MqttDevice {
  const { model, has = [], availability, identify } = config;
  const at = (what: string) => `${base}/${edgeId}/${what}`;
  const online = { topic: at("availability"), read: ({ text }: { text: string }) => text === "online" };
  const relays = relaysOf(at, edgeId, config, addresses);
  return {
    edgeId,
    about: { model },
    ...(relays ?? { properties: ["on" as const, ...has].map((what) => propertyOf(at, what, config)) }),
    availability: { mode: "all", topics: availability ? [online] : [] },
    isSensitive: config.sensitive ?? false,
    identify: identify ? { topic: at("identify"), payload: "" } : undefined,
    leftAside: {},
  };
}

function relaysOf(at: (what: string) => string, edgeId: string, { relays }: PlainConfig, addresses: ThingAddresses) {
  const things = relays?.map((id) => ({ id, properties: [{ service: ON.service, property: ON.property }] }));
  if (!things) return undefined;
  const { placed, keep: keepAddresses } = addresses.place("plain", { edgeId }, things);
  const properties = placed.flatMap(({ thing: { id }, addresses: given }) =>
    given.map((address) => ({ ...propertyOf((what) => at(`${id}/${what}`), "on", {}), address })),
  );
  return { properties, keepAddresses };
}

function propertyOf(at: (what: string) => string, what: keyof typeof ADDRESSES, config: PlainConfig): MqttProperty {
  const address = ADDRESSES[what];
  const standard = standardProperty(what === "own" ? "Switch" : address.service, address.property);
  if (!standard) throw new Error(`there is no ${what}`);
  const canSet = what === "on" || what === "level" || what === "lock" || what === "cover";
  const isAsked = config.asksAll || (what !== "lux" && what !== "battery");
  const canAsk = !config.silent && what !== "event" && isAsked;
  return {
    address,
    description: config.optimistic ? { ...standard, access: ["write"] } : standard,
    state: config.optimistic ? undefined : stateOf(at(what), standard),
    set: canSet ? (value) => ({ topic: at(`${what}/set`), payload: JSON.stringify(value) }) : undefined,
    ask: canAsk ? { topic: at(`${what}/get`), payload: "" } : undefined,
    isEchoed: config.echoes,
    tolerance: what === "level" ? 0.5 : undefined,
  };
}

/** As JSON; a battery says 255 where it has no charge to tell. */
function stateOf(topic: string, { property, type }: PropertyDescription): MqttState {
  const read = ({ json }: Payload): Value | undefined => {
    if (type === "boolean") return readBoolean(json);
    if (type === "string") return typeof json === "string" ? json : undefined;
    return property === "percent" ? readNumber(json, [255]) : readNumber(json);
  };
  return { topic, read, raw: ({ json }) => json };
}
