/** A Shelly as the hub has it, made of its own words: what it is (`GetDeviceInfo`), how it is configured, and what is so now. */
import { addressKey } from "@porchlight/shared/model";
import { at, edgeIdOfEui, isRecord } from "../../kit/index.ts";
import { describeComponent } from "./components/index.ts";
import type { DeviceInfo } from "./device-info.ts";
import type { ComponentsJson, ShellyComponent, ShellyDescription, ShellyProperty } from "./shelly-property.ts";

/** Bounds of a description (device protocol, D6). */
const MOST_SERVICES = 64;
const MOST_PROPERTIES = 64;
/** Of a component's key in the protocol. */
const KEY = /^([a-z][a-z0-9_]{0,31})(?::([0-9]{1,3}))?$/;
const LONGEST_NAME = 256;

export function describeShelly(info: DeviceInfo, config: ComponentsJson, status: ComponentsJson): ShellyDescription {
  const components = componentsOf(config, status);
  const types = new Set(components.map(({ type }) => type));
  const leftAside: Record<string, number> = {};
  const count = (what: string) => {
    leftAside[what] = (leftAside[what] ?? 0) + 1;
  };
  const kept = new Bounded(count);
  for (const component of components) {
    const described = describeComponent(component, types);
    if (!described) continue;
    if (described.isPartial) count(component.type);
    for (const property of described.properties) kept.add(property);
  }
  const wakeup = at(status, "sys", "wakeup_period") ?? at(config, "sys", "sleep", "wakeup_period");
  return {
    edgeId: edgeIdOfEui(info.mac) ?? "",
    id: info.id,
    about: aboutOf(info, config),
    properties: kept.properties,
    wakeupMs: typeof wakeup === "number" && wakeup > 0 ? wakeup * 1000 : undefined,
    leftAside,
  };
}

/** What of an answer is a component; everything else in it is left out. */
export function componentsJson(json: unknown): ComponentsJson {
  if (!isRecord(json)) return {};
  return Object.fromEntries(
    Object.entries(json).filter((entry): entry is [string, ComponentsJson[string]] => isRecord(entry[1])),
  );
}

/** Those that have a configuration or a status, in the order of their types and ids. */
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

/** Properties within the bounds of a description, each address once. */
class Bounded {
  readonly properties: ShellyProperty[] = [];
  readonly #keys = new Set<string>();
  readonly #sizes = new Map<string, number>();
  readonly #count: (what: string) => void;

  constructor(count: (what: string) => void) {
    this.#count = count;
  }

  add(property: ShellyProperty): void {
    const { service, index } = property.address;
    const instance = `${service}:${index}`;
    const size = this.#sizes.get(instance) ?? 0;
    const key = addressKey(property.address);
    const isFull = size === MOST_PROPERTIES || (size === 0 && this.#sizes.size === MOST_SERVICES);
    if (this.#keys.has(key) || isFull) {
      this.#count(isFull ? "tooMany" : "sameAddress");
      return;
    }
    this.#keys.add(key);
    this.#sizes.set(instance, size + 1);
    this.properties.push(property);
  }
}
