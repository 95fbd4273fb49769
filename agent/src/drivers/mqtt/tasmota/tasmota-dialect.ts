/** Tasmota's own discovery: two messages describe a device, its configuration and what its sensors say. */
import { edgeIdOfEui } from "../../kit/index.ts";
import type { Dialect, Message, MqttDevice } from "../device/mqtt-device.ts";
import type { Payload } from "../device/payload.ts";
import { relayProperties } from "./relays.ts";
import { sensorProperties } from "./sensors.ts";
import { tasmotaConfig, tasmotaSensors } from "./tasmota-schemas.ts";
import { tasmotaTopics } from "./topics.ts";

const PREFIX = "tasmota/discovery";
const MOST_DEVICES = 1000;
const MOST_PROBLEMS = 50;

interface Described {
  config?: Payload;
  sensors?: Payload;
  /** A name for the reason when there is none. */
  device: MqttDevice | string;
}

export function tasmotaDialect(): Dialect {
  return new TasmotaDialect();
}

class TasmotaDialect implements Dialect {
  readonly name = "tasmota";
  readonly filters = [`${PREFIX}/+/config`, `${PREFIX}/+/sensors`];
  readonly #described = new Map<string, Described>();
  #tooMany = 0;
  problems: string[] = [];

  take({ topic, payload }: Message): boolean {
    const [, mac = "", what] = /^tasmota\/discovery\/([^/]{1,64})\/(config|sensors)$/.exec(topic) ?? [];
    if (what !== "config" && what !== "sensors") return false;
    const known = this.#described.get(mac);
    if (!known && this.#described.size >= MOST_DEVICES) {
      this.#tooMany += 1;
      return true;
    }
    if (known?.[what]?.text === payload.text) return true;
    const said = payload.text === "" ? undefined : payload;
    const config = what === "config" ? said : known?.config;
    const sensors = what === "sensors" ? said : known?.sensors;
    if (config === undefined && sensors === undefined) this.#described.delete(mac);
    else
      this.#described.set(mac, {
        ...(config ? { config } : {}),
        ...(sensors ? { sensors } : {}),
        device: this.#deviceOf(config, sensors),
      });
    return true;
  }

  get devices(): ReadonlyMap<string, MqttDevice> {
    const found = new Map<string, MqttDevice>();
    for (const { device } of this.#described.values()) if (typeof device !== "string") found.set(device.edgeId, device);
    return found;
  }

  get ignored(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = this.#tooMany > 0 ? { tooManyDevices: this.#tooMany } : {};
    const add = (why: string, count: number) => {
      counts[why] = (counts[why] ?? 0) + count;
    };
    for (const { device } of this.#described.values()) {
      if (typeof device === "string") add(device, 1);
      else for (const [why, count] of Object.entries(device.leftAside)) add(why, count);
    }
    return counts;
  }

  #deviceOf(config: Payload | undefined, sensors: Payload | undefined): MqttDevice | string {
    // Its sensors came first; what it is comes next.
    if (!config) return "withoutConfig";
    const { data, error } = tasmotaConfig.safeParse(config.json);
    if (!data) {
      const { path, message } = error.issues[0] ?? { path: [], message: "" };
      this.problems = [...this.problems, `${PREFIX}: ${path.join(".")}: ${message}`].slice(-MOST_PROBLEMS);
      return "badConfig";
    }
    const edgeId = edgeIdOfEui(data.mac);
    const topics = tasmotaTopics(data);
    if (edgeId === undefined) return "badMac";
    if (!topics) return "badTopic";
    const said = sensorProperties(tasmotaSensors.safeParse(sensors?.json).data?.sn ?? {}, topics.sensor);
    const { onln, ofln } = data;
    return {
      edgeId,
      about: { manufacturer: "Tasmota", model: data.md, firmware: data.sw, name: data.dn },
      properties: [...relayProperties(data, topics), ...said.properties],
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
      leftAside: said.leftAside,
    };
  }
}
