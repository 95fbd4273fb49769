/** Tasmota's own discovery: two messages describe a device, with its configuration and its sensors. */
import { edgeIdOfEui } from "@porchlight/driver-kit";
import { DevicePlaces, KeptThings, type ThingAddresses } from "../device/kept-things.ts";
import type { Dialect, Message, MqttDevice, MqttProperty } from "../device/mqtt-device.ts";
import type { Payload } from "../device/payload.ts";
import { relayProperties } from "./relays.ts";
import { sensorProperties } from "./sensors.ts";
import { tasmotaConfig, tasmotaSensors, tasmotaTopics } from "./topics.ts";

const PREFIX = "tasmota/discovery";
const MOST_DEVICES = 1000;
const MOST_PROBLEMS = 50;
/** Maximum length of a problem, characters. */
const LONGEST_PROBLEM = 300;
/** Largest description, characters: devices' descriptions have some thousand. */
const LARGEST = 64 * 1024;
/** Maximum number of members that are listed as not understood. */
const MOST_NAMED = 20;
/** Maximum number of services of a device. */
const MOST_SERVICES = 64;

interface Described {
  config?: Payload;
  sensors?: Payload;
  /** The device, or the reason why there is none. */
  device: MqttDevice | string;
}

/** @param addresses the store of the things' addresses; absent: nothing outlives the dialect */
export function tasmotaDialect(addresses: ThingAddresses = new KeptThings(undefined)): Dialect {
  return new TasmotaDialect(addresses);
}

class TasmotaDialect implements Dialect {
  readonly name = "tasmota";
  readonly filters = [`${PREFIX}/+/config`, `${PREFIX}/+/sensors`];
  readonly #addresses: ThingAddresses;
  readonly #described = new Map<string, Described>();
  #tooMany = 0;
  /** Number of descriptions that could not be read, since the start. */
  #badMessages = 0;
  problems: string[] = [];
  /** The devices, in their previous state, whose descriptions the last message has changed. */
  #changed: readonly MqttDevice[] = [];

  constructor(addresses: ThingAddresses) {
    this.#addresses = addresses;
  }

  take({ topic, payload }: Message): boolean {
    const [, mac = "", what] = /^tasmota\/discovery\/([^/]{1,64})\/(config|sensors)$/.exec(topic) ?? [];
    if (what !== "config" && what !== "sensors") return false;
    const known = this.#described.get(mac);
    this.#changed = [];
    if (!known && this.#described.size >= MOST_DEVICES) {
      this.#tooMany += 1;
      return true;
    }
    if (known?.[what]?.text === payload.text) return true;
    if (payload.text.length > LARGEST) {
      this.#badMessages += 1;
      this.#problem(mac, what, `the message is longer than ${LARGEST} characters; what was described before holds`);
      return true;
    }
    const stated = payload.text === "" ? undefined : payload;
    if (known?.[what] && stated && !isWhole(what, stated)) {
      this.#badMessages += 1;
      this.#problem(mac, what, `${notWhole(stated)}; what was described before holds`);
      return true;
    }
    if (known && typeof known.device !== "string") this.#changed = [known.device];
    const config = what === "config" ? stated : known?.config;
    const sensors = what === "sensors" ? stated : known?.sensors;
    if (config === undefined && sensors === undefined) this.#described.delete(mac);
    else
      this.#described.set(mac, {
        ...(config ? { config } : {}),
        ...(sensors ? { sensors } : {}),
        device: this.#deviceOf(mac, config, sensors),
      });
    return true;
  }

  /** Call it right after `take`. */
  describedOn(topic: string): readonly MqttDevice[] {
    return topic.startsWith(`${PREFIX}/`) ? this.#changed : [];
  }

  get devices(): ReadonlyMap<string, MqttDevice> {
    const found = new Map<string, MqttDevice>();
    for (const { device } of this.#described.values()) if (typeof device !== "string") found.set(device.edgeId, device);
    return found;
  }

  get ignored(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {
      ...(this.#tooMany > 0 ? { tooManyDevices: this.#tooMany } : {}),
      ...(this.#badMessages > 0 ? { badMessage: this.#badMessages } : {}),
    };
    const add = (why: string, count: number) => {
      counts[why] = (counts[why] ?? 0) + count;
    };
    for (const { device } of this.#described.values()) {
      if (typeof device === "string") add(device, 1);
      else for (const [why, count] of Object.entries(device.leftAside)) add(why, count);
    }
    return counts;
  }

  #deviceOf(mac: string, config: Payload | undefined, sensors: Payload | undefined): MqttDevice | string {
    // The sensors' message came first; the configuration follows.
    if (!config) return "withoutConfig";
    const { data, error } = tasmotaConfig.safeParse(config.json);
    if (!data) {
      const { path, message } = error.issues[0] ?? { path: [], message: "" };
      this.#problem(mac, "config", path.length > 0 ? `${path.join(".")}: ${message}` : "no JSON object");
      return "badConfig";
    }
    const edgeId = edgeIdOfEui(data.mac);
    const topics = tasmotaTopics(data);
    if (edgeId === undefined)
      return this.#refused(mac, "badMac", `mac is not a MAC address: ${JSON.stringify(data.mac)}`);
    // Of two descriptions with one MAC, one belongs to another device.
    if (edgeId !== edgeIdOfEui(mac)) return this.#refused(mac, "otherMac", `mac is ${edgeId}`);
    if (!topics)
      return this.#refused(mac, "badTopic", `ft, t and tp do not make valid topics: ${JSON.stringify(data.ft)}`);
    const read = tasmotaSensors.safeParse(sensors?.json ?? { sn: {} });
    if (!read.success) this.#problem(mac, "sensors", "sn is not a JSON object");
    const places = new DevicePlaces(this.#addresses, this.name, edgeId);
    const relays = relayProperties(data, topics, places);
    const stated = sensorProperties(read.data?.sn ?? {}, topics, places.of("sensors"));
    if (stated.notUnderstood.length > 0)
      this.#problem(mac, "sensors", `not understood: ${stated.notUnderstood.slice(0, MOST_NAMED).join(", ")}`);
    const { properties, tooMany } = within([...relays.properties, ...stated.properties]);
    const allTooMany = tooMany + (stated.leftAside.tooMany ?? 0);
    const { onln, ofln } = data;
    return {
      edgeId,
      about: { manufacturer: "Tasmota", model: data.md, firmware: data.sw, name: data.dn },
      properties,
      keepAddresses: () => places.keep(),
      availability: {
        mode: "all",
        topics: [
          {
            topic: topics.availability,
            read: ({ text }) => (text === onln ? true : text === ofln ? false : undefined),
          },
        ],
      },
      isSensitive: false,
      leftAside: {
        ...relays.leftAside,
        ...stated.leftAside,
        ...(allTooMany > 0 ? { tooMany: allTooMany } : {}),
        ...(read.success ? {} : { badSensors: 1 }),
      },
    };
  }

  #refused(mac: string, why: string, problem: string): string {
    this.#problem(mac, "config", problem);
    return why;
  }

  #problem(mac: string, what: string, problem: string): void {
    const text = `${PREFIX}/${mac}/${what}: ${problem}`.slice(0, LONGEST_PROBLEM);
    // A repeated problem is listed once.
    this.problems = [...this.problems.filter((each) => each !== text), text].slice(-MOST_PROBLEMS);
  }
}

function isWhole(what: "config" | "sensors", { json }: Payload): boolean {
  return (what === "config" ? tasmotaConfig : tasmotaSensors).safeParse(json).success;
}

function notWhole({ json }: Payload): string {
  return json === undefined ? "the message is cut off or no JSON" : "the message is no description";
}

/** Keeps as many properties as a device may have, and counts the rest. */
function within(properties: readonly MqttProperty[]): { properties: MqttProperty[]; tooMany: number } {
  const services = new Set<string>();
  const kept = properties.filter(({ address: { service, index } }) => {
    const key = `${service}:${index}`;
    if (services.size >= MOST_SERVICES && !services.has(key)) return false;
    services.add(key);
    return true;
  });
  return { properties: kept, tooMany: properties.length - kept.length };
}
