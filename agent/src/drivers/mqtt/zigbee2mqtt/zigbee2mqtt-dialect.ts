/** zigbee2mqtt's own dialect: one message describes all devices, with types, ranges and units. */
import { createHash } from "node:crypto";
import { edgeIdOfEui } from "../../kit/index.ts";
import type { Dialect, Message, MqttAvailability, MqttDevice } from "../device/mqtt-device.ts";
import type { Payload } from "../device/payload.ts";
import { type BridgeConfig, type BridgeDevice, bridgeDevice, bridgeInfo } from "./bridge-schemas.ts";
import { deviceProperties } from "./device-properties.ts";
import { deviceTopics } from "./topics.ts";

/** Most devices of a bridge. */
const MOST_DEVICES = 1000;
const MOST_PROBLEMS = 50;

interface Described {
  /** Of all that it is made from. */
  readonly digest: string;
  readonly device: MqttDevice;
}

/** @param base the topic under which the bridge speaks: `zigbee2mqtt` */
export function zigbee2mqttDialect(base: string): Dialect {
  return new Zigbee2MqttDialect(base);
}

class Zigbee2MqttDialect implements Dialect {
  readonly name = "zigbee2mqtt";
  readonly filters: readonly string[];
  readonly #base: string;
  #listed: readonly unknown[] = [];
  #tellsAvailability: (ieeeAddress: string) => boolean = () => false;
  #tellsLastSeen = false;
  #described = new Map<string, Described>();
  ignored: Record<string, number> = {};
  problems: string[] = [];
  devices: ReadonlyMap<string, MqttDevice> = new Map();

  constructor(base: string) {
    this.#base = base;
    this.filters = [this.#topic("devices"), this.#topic("info"), this.#topic("state")];
  }

  take({ topic, payload }: Message): boolean {
    if (topic === this.#topic("devices")) this.#listed = Array.isArray(payload.json) ? payload.json : [];
    else if (topic === this.#topic("info")) this.#informed(bridgeInfo.safeParse(payload.json).data?.config);
    else return false;
    this.#describe();
    return true;
  }

  #topic(what: "devices" | "info" | "state"): string {
    return `${this.#base}/bridge/${what}`;
  }

  #informed(config: BridgeConfig | undefined): void {
    this.#tellsAvailability = availabilityRule(config);
    this.#tellsLastSeen = (config?.advanced?.last_seen ?? "disable") !== "disable";
  }

  #describe(): void {
    this.ignored = {};
    this.problems = [];
    const found = new Map<string, Described>();
    for (const given of this.#listed) {
      const described = found.size < MOST_DEVICES ? this.#describeOne(given) : "tooManyDevices";
      if (typeof described === "string") this.#leave(described);
      else found.set(described.device.edgeId, described);
    }
    for (const { device } of found.values()) {
      for (const [why, count] of Object.entries(device.leftAside)) this.#leave(why, count);
    }
    this.#described = found;
    this.devices = new Map([...found].map(([edgeId, { device }]) => [edgeId, device]));
  }

  /** Gives why it is left aside, by a name; the same object as before when nothing of it has changed. */
  #describeOne(given: unknown): Described | string {
    const { data, error } = bridgeDevice.safeParse(given);
    if (!data) {
      const { path, message } = error.issues[0] ?? { path: [], message: "" };
      if (this.problems.length < MOST_PROBLEMS)
        this.problems.push(`${this.#topic("devices")}: ${path.join(".")}: ${message}`);
      return "badDevice";
    }
    const why = unwanted(data);
    if (why !== undefined) return why;
    const edgeId = edgeIdOfEui(data.ieee_address);
    const topics = deviceTopics(this.#base, data.friendly_name);
    if (edgeId === undefined) return "badAddress";
    if (!topics) return "badName";
    const tells = this.#tellsAvailability(data.ieee_address);
    const digest = createHash("sha256")
      .update(`${tells} ${this.#tellsLastSeen} ${JSON.stringify(given)}`)
      .digest("base64");
    const before = this.#described.get(edgeId);
    if (before?.digest === digest) return before;
    const { definition } = data;
    return {
      digest,
      device: {
        edgeId,
        about: {
          manufacturer: definition?.vendor,
          model: definition?.model,
          firmware: data.software_build_id,
          name: nameOf(data),
        },
        ...deviceProperties(definition?.exposes ?? [], topics, this.#tellsLastSeen),
        availability: availabilityBy([this.#topic("state"), ...(tells ? [topics.availability] : [])]),
      },
    };
  }

  #leave(why: string, count = 1): void {
    this.ignored[why] = (this.ignored[why] ?? 0) + count;
  }
}

/** What somebody called it. zigbee2mqtt calls a device by its address until then, which is no name. */
function nameOf({ friendly_name, ieee_address }: BridgeDevice): string | undefined {
  return friendly_name.toLowerCase() === ieee_address.toLowerCase() ? undefined : friendly_name;
}

/** Why a device is not had, by a name; undefined when it is. The coordinator is the radio itself. */
function unwanted({ type, disabled, supported, interview_completed, definition }: BridgeDevice): string | undefined {
  if (type === "Coordinator") return "coordinator";
  if (disabled) return "disabled";
  if (!interview_completed) return "notInterviewed";
  return supported && definition ? undefined : "unsupported";
}

/** Which devices have a topic of their availability. */
function availabilityRule(config: BridgeConfig | undefined): (ieeeAddress: string) => boolean {
  const byDefault = isOn(config?.availability) ?? false;
  return (ieeeAddress) => {
    const own = config?.devices?.[ieeeAddress]?.availability;
    return byDefault && (isOn(own) ?? true);
  };
}

/** `true`, or an object with `enabled`; an object without it is on, as in versions before 2. */
function isOn(setting: unknown): boolean | undefined {
  if (typeof setting === "boolean") return setting;
  if (typeof setting !== "object" || setting === null) return undefined;
  return "enabled" in setting ? setting.enabled === true : true;
}

function availabilityBy(topics: readonly string[]): MqttAvailability {
  return { mode: "all", topics: topics.map((topic) => ({ topic, read: isOnline })) };
}

/** The word, or an object with it as `state`. */
function isOnline({ text, object }: Payload): boolean | undefined {
  const word = object ? object.state : text;
  if (word === "online") return true;
  return word === "offline" ? false : undefined;
}
